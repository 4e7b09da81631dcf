"""The facts under the tables: how the run was done, on what, and what to be wary of."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from ffibench.model import Audit, AuditVerdict, Comparison, Ending, PlannedCase, Row, Run
from ffibench.report.facts import facts
from ffibench.report.terminal.facts import drawn_facts
from ffibench.stats import rounds_needed


def told(run: Run, comparison: Comparison) -> dict[str, str]:
    return {fact.label: fact.text for fact in facts(run, comparison)}


@pytest.mark.parametrize("width", [100, 80])
def test_the_facts_are_as_drawn(
    run: Run,
    comparison: Comparison,
    render: Callable[..., str],
    golden: Callable[[str, str], None],
    width: int,
) -> None:
    text = render(drawn_facts(facts(run, comparison)), width)
    golden(f"facts-{width}.txt", text)
    assert all(len(line) <= width for line in text.splitlines())


@pytest.mark.parametrize(
    ("ending", "words"),
    [
        ("precision", "every interval within 2 %"),
        ("rounds", "stopped at the maximum number of rounds"),
        ("time", "stopped at the time limit, 60.0 s"),
        ("interrupted", "interrupted; every finished round is kept"),
        ("baseline failed", "stopped: the baseline, c, failed"),
        (None, "not ended"),
    ],
)
def test_the_way_the_run_ended_is_told(run: Run, comparison: Comparison, ending: Ending | None, words: str) -> None:
    assert told(replace(run, ending=ending), comparison)["rounds"] == f"50 in 47.2 s; {words}"


def test_a_run_that_took_longer_for_its_fewest_rounds_says_so(run: Run, comparison: Comparison) -> None:
    run = replace(run, ending="time", plan=replace(run.plan, seconds_max=30.0, rounds_min=11))
    assert told(run, comparison)["rounds"] == (
        "50 in 47.2 s; stopped past the time limit, 30.0 s, which is too short for 11 rounds"
    )
    once = replace(run, rounds=(replace(run.rounds[0], seconds=30.0),))
    assert told(once, comparison)["rounds"] == "1 in 30.0 s; stopped at the time limit, 30.0 s"


def test_receipts_are_summed_and_invalid_rows_named(run: Run, comparison: Comparison, doubtful_rows: list[Row]) -> None:
    assert told(run, comparison)["receipts"] == "all 2,850 receipts match"
    doubtful = told(run, replace(comparison, rows=tuple(doubtful_rows)))
    assert doubtful["receipts"] == "2,849 receipts match; 2 rows have no figures, see the notes"
    assert doubtful["disturbed"] == "3 slices with over 2 % more wall than processor time"


def test_no_receipt_is_told_apart_from_none_that_is_right(run: Run, comparison: Comparison, rows: list[Row]) -> None:
    def receipts(*shown: Row) -> str:
        return told(run, replace(comparison, rows=shown))["receipts"]

    none = [replace(row, receipts=0) for row in rows[:2]]
    assert receipts(*none) == "none was checked"
    assert receipts(none[0], replace(none[1], valid=False)) == "none matches"
    one = receipts(rows[0], replace(rows[1], valid=False, receipts=0))
    assert one == "150 receipts match; 1 row has no figures, see the notes"


def test_disturbed_rounds_are_counted_with_their_causes(
    run: Run, comparison: Comparison, doubtful_rows: list[Row]
) -> None:
    assert "disturbed" not in told(run, comparison)
    loud = replace(run.rounds[0].host, pressure=0.5, steal=0.1)
    stopped = replace(run.rounds[0].host, steal=0.1)
    rounds = (
        tuple(replace(each, host=host) for each, host in zip(run.rounds, (loud, loud, stopped), strict=False))
        + run.rounds[3:]
    )
    noisy = replace(run, rounds=rounds)
    assert told(noisy, comparison)["disturbed"] == "3 of 50 rounds (3 by steal, 2 by pressure)"
    both = told(noisy, replace(comparison, rows=tuple(doubtful_rows)))["disturbed"]
    assert both == ("3 of 50 rounds (3 by steal, 2 by pressure); 3 slices with over 2 % more wall than processor time")


def test_a_host_that_was_looked_at_before_says_so(run: Run, comparison: Comparison) -> None:
    assert "before" not in told(run, comparison)
    looked = told(replace(run, before=run.rounds[0].host), comparison)["before"]
    assert looked == "load 0.4, pressure 1.2 %, steal 0.3 %; quiet, as --require-quiet asks"


def test_slices_that_waited_are_counted_over_all_rows(run: Run, comparison: Comparison, rows: list[Row]) -> None:
    waited = tuple(replace(row, disturbed=2) for row in rows if row.contestant == "c")
    disturbed = told(run, replace(comparison, rows=waited))["disturbed"]
    assert disturbed == "2 slices with over 2 % more wall than processor time"


def test_rounds_needed_by_the_sign_test_and_holm() -> None:
    assert [rounds_needed(rows) for rows in (2, 8, 18)] == [6, 11, 13]


def test_the_resolution_is_told_or_the_rounds_that_it_needs(
    run: Run, comparison: Comparison, few_rows: list[Row]
) -> None:
    assert told(run, comparison)["resolution"] == "smallest difference that this run could see: 1.8 %, of 19 rows"
    few = told(run, Comparison(rows=tuple(few_rows[:10]), resolution={}, warnings=()))
    assert few["resolution"] == "too few rounds to rank rows (6 rows need 10)"


def test_only_rows_that_could_be_ranked_ask_for_rounds(run: Run, comparison: Comparison, few_rows: list[Row]) -> None:
    def resolution(*rows: Row) -> str:
        return told(run, Comparison(rows=rows, resolution={}, warnings=())).get("resolution", "")

    assert resolution(few_rows[0]) == resolution(few_rows[0], few_rows[2]) == ""  # each alone in its block
    needed = "too few rounds to rank rows (2 rows need 6)"
    assert resolution(*few_rows[2:4]) == needed
    assert resolution(*few_rows[2:4], replace(few_rows[4], valid=False, gross_ns=None)) == needed
    assert resolution(*(replace(row, rounds=5) for row in few_rows[2:4])) == needed
    assert resolution(*(replace(row, rounds=6) for row in few_rows[2:4])) == "not known"


def test_cases_of_the_same_words_are_told_together(run: Run, comparison: Comparison, few_rows: list[Row]) -> None:
    cases = tuple(
        PlannedCase(name=name, operation=name, iterations=count, receipt={})
        for name, count in (("echo", 1000), ("add", 2000), ("sum", 3000))
    )
    rows = tuple(replace(row, case=case.name) for case in cases for row in few_rows[:6])
    several = told(
        replace(run, plan=replace(run.plan, cases=cases)),
        Comparison(rows=rows, resolution={"sum": 0.05}, warnings=()),
    )
    assert several["iterations"].startswith("echo 1,000, add 2,000, sum 3,000 a slice;")
    texts = [
        fact.text
        for fact in facts(
            replace(run, plan=replace(run.plan, cases=cases)),
            Comparison(rows=rows, resolution={"sum": 0.05}, warnings=()),
        )
        if fact.label == "resolution"
    ]
    assert texts == [
        f"echo, add: too few rounds to rank rows (4 rows need {rounds_needed(4)})",
        "sum: smallest difference that this run could see: 5.0 %, of 6 rows",
    ]


@pytest.mark.parametrize(("count", "listed"), [(4, True), (5, False)])
def test_of_more_than_four_cases_the_range_is_given(run: Run, comparison: Comparison, count: int, listed: bool) -> None:
    names = "abcde"[:count]
    cases = tuple(
        PlannedCase(name=name, operation=name, iterations=1000 * number, receipt={})
        for number, name in enumerate(names, 1)
    )
    many = replace(run, plan=replace(run.plan, cases=cases, slices=1))
    fine = {name: number / 100 for number, name in enumerate(names, 1)}
    every = facts(many, replace(comparison, resolution=fine))
    iterations = next(fact.text for fact in every if fact.label == "iterations")
    resolutions = [fact.text for fact in every if fact.label == "resolution"]
    if listed:
        assert iterations.startswith("a 1,000, b 2,000, c 3,000, d 4,000 a slice; 1 timed slice in every process")
        assert resolutions[-1] == "d: smallest difference that this run could see: 4.0 %"
        assert len(resolutions) == 4
    else:
        assert iterations.startswith("1,000 to 5,000 a slice; 1 timed slice in every process")
        assert resolutions == ["smallest difference that this run could see: 1.0 % (a) to 5.0 % (e)"]


def test_the_library_is_named_by_path_version_and_whole_sha256(
    run: Run, comparison: Comparison, render: Callable[..., str]
) -> None:
    text = render(drawn_facts(facts(run, comparison)), 80)
    assert run.plan.library.sha256 in text
    assert told(run, comparison)["version"] == "4.3.5, reported by the process of c"
    assert "version" not in told(replace(run, rounds=()), comparison)
    others = tuple(replace(record, versions={"library": "4.2.0"}) for record in reversed(run.rounds[0].records[1:]))
    mixed = replace(run.rounds[0], records=(*others, run.rounds[0].records[0]))
    assert told(replace(run, rounds=(mixed,)), comparison)["version"].startswith("4.3.5")


def test_the_verdicts_of_the_audit_are_counted(run: Run, comparison: Comparison) -> None:
    verdicts: tuple[AuditVerdict, ...] = ("invalid", "accepted", "not auditable", "accepted", "not judged")
    audits = tuple(
        Audit(key=worker.key, case="send", operations=1, functions=(), verdict=verdict)
        for worker, verdict in zip(run.plan.workers, verdicts, strict=False)
    )
    assert told(replace(run, audits=audits), comparison)["audit"] == (
        "native calls counted from outside: 2 match, 1 counted and not judged, 1 not auditable, 1 invalid"
    )
    assert told(run, comparison)["audit"] == "native calls counted from outside: none"
    without = replace(run, plan=replace(run.plan, audited=False))
    assert told(without, comparison)["audit"] == "none (--no-audit): native calls were not counted"


def test_the_order_says_where_the_baseline_stands(run: Run, comparison: Comparison) -> None:
    seed = f"seed {run.plan.seed}"
    assert told(run, comparison)["order"] == f"random in every round, {seed}"
    beside = replace(run, plan=replace(run.plan, baseline_every=2))
    assert told(beside, comparison)["order"] == f"random in every round, c beside every 2 contestants, {seed}"


def test_what_the_host_does_not_say_is_left_out(run: Run, comparison: Comparison) -> None:
    assert told(run, comparison)["host"].endswith("2 processors, pinned to processor 1, under kvm")
    host = replace(run.host, pinned_to=None, virtualisation=None, governor="performance", processors=1)
    assert told(replace(run, host=host), comparison)["host"].endswith("1 processor, not pinned, governor performance")
    unpinned = replace(run, plan=replace(run.plan, pinned=False))
    assert ", not pinned, " in told(unpinned, comparison)["host"]
    placed = replace(unpinned, plan=replace(unpinned.plan, placement="apart: each on a CPU of its own"))
    assert told(placed, comparison)["placement"] == "apart: each on a CPU of its own"
    assert "pinned" not in told(placed, comparison)["host"]
    assert "placement" not in told(run, comparison)
    assert "noise" not in told(replace(run, rounds=()), comparison)


def test_what_runs_the_contestants_is_told_apart_from_what_compiled_the_baseline(
    run: Run, comparison: Comparison
) -> None:
    every = told(run, comparison)
    assert (every["compiler"], every["interpreters"]) == ("gcc 12.2.0", "CPython 3.11.7; perl 5.36.0")
    python = told(run, replace(comparison, rows=comparison.rows[:3]))
    assert (python["compiler"], python["interpreter"]) == ("gcc 12.2.0", "CPython 3.11.7")
