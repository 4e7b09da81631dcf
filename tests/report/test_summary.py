"""The summary: what a run found, in sentences that need no table beside them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from support.runs import Along, Times, changed, run_of, swept_run

from ffibench.model import Audit, Run
from ffibench.report.facts import Fact
from ffibench.report.report import make_report
from ffibench.results.compare import compare

ROUNDS = 12


def steady(rounds: int = ROUNDS, **ns: float) -> Times:
    """Contestants of Python with the same time in each round, the baseline and its control at 20 ns."""
    own = {name: [20.0] * rounds for name in ("c", "control")}
    return {**own, **{f"python/{name}": [each] * rounds for name, each in ns.items()}}


def summary(run: Run) -> dict[str, Fact]:
    return {fact.label: fact for fact in make_report(run, compare(run)).summary}


def text(run: Run, label: str = "lock held") -> str:
    return summary(run)[label].text.replace("\N{EN DASH}", "-")


class TestRanking:
    def test_the_fastest_is_named_with_its_distance_to_c_to_the_next_and_to_the_slowest(self) -> None:
        assert text(run_of(steady(a=50.0, b=60.0, d=100.0))) == (
            "python/a is the fastest: 2.50x C (2.50-2.50), 30.0 ns/op over C; "
            "1.20x faster than python/b (1.20-1.20), 2.00x faster than python/d (2.00-2.00)"
        )

    def test_of_two_the_slower_is_told_once(self) -> None:
        assert text(run_of(steady(a=50.0, b=60.0))).endswith("over C; 1.20x faster than python/b (1.20-1.20)")

    def test_one_alone_is_not_called_the_fastest(self) -> None:
        assert text(run_of(steady(a=50.0))) == "python/a: 2.50x C (2.50-2.50), 30.0 ns/op over C"

    def test_one_that_is_faster_than_c_is_under_it(self) -> None:
        assert text(run_of(steady(a=19.0))) == "python/a: 0.95x C (0.95-0.95), 1.00 ns/op under C"

    def test_two_that_are_not_significantly_different_are_the_fastest_together(self) -> None:
        turns = [50.0, 51.0] * (ROUNDS // 2)
        run = run_of({**steady(d=101.0), "python/a": turns, "python/b": turns[::-1]})
        told = text(run)
        assert told.startswith("python/a and python/b are the fastest; the difference is not significant: ")
        assert told.endswith("; 2.00x faster than python/d (1.98-2.02)")
        assert summary(run)["lock held"].names == ("python/a", "python/b")

    def test_too_few_rounds_rank_nobody_and_say_how_many_it_takes(self) -> None:
        told = text(run_of(steady(6, a=50.0, b=60.0, d=100.0)))
        assert told == (
            "python/a has the lowest time: 2.50x C (2.50-2.50), 30.0 ns/op over C; not ranked (6 rounds, 3 rows need 7)"
        )

    def test_a_ratio_without_an_interval_is_in_parentheses(self) -> None:
        assert text(run_of(steady(3, a=50.0, b=60.0))) == (
            "python/a has the lowest time: (2.50x C), 30.0 ns/op over C; not ranked (3 rounds, 2 rows need 6)"
        )

    def test_several_cases_are_summed_up_by_who_leads_most(self) -> None:
        run = run_of(steady(a=50.0, b=60.0), cases={"peek": steady(a=80.0, b=90.0), "poke": steady(a=80.0, b=70.0)})
        assert text(run) == "python/a is the fastest, or not significantly slower, in 2 of 3 cases: 2.50x to 4.00x C"

    def test_of_a_sweep_the_last_point_is_told(self) -> None:
        along: dict[str, Along] = {
            "c": {1: [20.0] * ROUNDS, 8: [10.0] * ROUNDS},
            "python/a": {1: [30.0] * ROUNDS, 8: [30.0] * ROUNDS},
            "python/b": {1: [30.0] * ROUNDS, 8: [40.0] * ROUNDS},
        }
        run = swept_run({"send": along})
        assert text(run, "c") == "highest rate at threads=8: 100 M/s, 2.00x that at threads=1 (2.00-2.00)"
        assert text(run).startswith("at threads=8, python/a is the fastest: 3.00x C (3.00-3.00), 20.0 ns/op over C; ")


class TestVerified:
    def test_all_slices_and_audits_match(self) -> None:
        run = run_of(steady(a=50.0))
        audits = tuple(
            Audit(key=worker.key, case="send", operations=1, verdict="accepted") for worker in run.plan.workers
        )
        # A warm-up slice and two timed ones in every round of three rows.
        assert text(replace(run, audits=audits), "verified") == "all 108 slices and 3 audits match"
        other = (*audits[:2], replace(audits[2], verdict="not auditable", reason="linked statically"))
        assert text(replace(run, audits=other), "verified").endswith("and 2 audits match; 1 audit without a verdict")

    def test_native_calls_that_were_not_counted_are_said(self) -> None:
        told = text(run_of(steady(a=50.0), audited=False), "verified")
        assert told == "all 108 slices match; native calls were not counted (--no-audit)"

    def test_an_invalid_row_is_named_with_its_reason(self) -> None:
        run = changed(run_of(steady(a=50.0, b=60.0)), "python/b", lambda record: replace(record, failure="lied"))
        fact = summary(run)["not verified"]
        assert fact.text == "1 of 4 rows invalid: python/b: It lied"
        assert fact.bad
        assert "verified" not in summary(run)

    def test_what_cannot_run_a_case_is_not_invalid(self) -> None:
        along: dict[str, Along] = {"c": {1: [20.0] * 6, 2: [20.0] * 6}, "python/a": {1: [30.0] * 6, 2: None}}
        assert "not verified" not in summary(swept_run({"send": along}))


class TestDoubt:
    def test_a_quiet_host_is_quiet_with_its_figures(self) -> None:
        assert text(run_of(steady()), "host") == "quiet: load 0.1, pressure 0.0 %, steal 0.0 %"

    def test_a_host_that_had_to_be_quiet_says_so(self) -> None:
        run = run_of(steady())
        assert text(replace(run, before=run.rounds[0].host), "host").startswith("quiet, as --require-quiet asks: load")

    def test_a_few_disturbed_rounds_are_told_without_alarm(self) -> None:
        run = run_of(steady())
        loud = replace(run.rounds[0], host=replace(run.rounds[0].host, steal=0.5))
        told = summary(replace(run, rounds=(loud, *run.rounds[1:])))["host"]
        assert told.text.startswith("quiet but for 1 of 12 rounds: ")
        assert not told.bad

    def test_noise_is_told_in_one_line_with_one_advice(self) -> None:
        run = run_of(steady())
        rounds = tuple(replace(each, host=replace(each.host, steal=0.5, pressure=0.9)) for each in run.rounds)
        fact = summary(replace(run, rounds=rounds))["host"]
        assert fact.text == (
            "noisy: other programs waited for a processor in 12 of 12 rounds; "
            "the hypervisor took processor time away in 12 of 12 rounds"
        )
        assert fact.fix.count("--rigorous") == 1

    def test_the_same_kind_of_advice_comes_once_in_a_report(self) -> None:
        run = run_of({**steady(), "control": [22.0] * ROUNDS}, cases={"peek": {**steady(), "control": [22.0] * ROUNDS}})
        report = make_report(run, compare(run))
        assert [fact.text.rpartition(" in ")[2] for fact in report.warnings] == ["send.", "peek."]
        assert [bool(fact.fix) for fact in report.warnings] == [True, False]
        rounds = tuple(replace(each, host=replace(each.host, steal=0.5)) for each in run.rounds)
        noisy = replace(run, rounds=rounds)
        assert not any(fact.fix for fact in make_report(noisy, compare(noisy)).warnings)

    @pytest.mark.parametrize(("control", "gap"), [(20.2, "1.0 %"), (19.8, "1.0 %")])
    def test_where_control_differs_the_real_error_is_at_least_that(self, control: float, gap: str) -> None:
        told = text(run_of({**steady(), "control": [control] * ROUNDS}), "real error")
        assert told.startswith(f"at least {gap}: control, the same program as c, measured {control / 20:.3f}x c (")
        assert "real error" not in summary(run_of(steady()))

    def test_of_several_cases_the_worst_is_named(self) -> None:
        off = {**steady(), "control": [20.2] * ROUNDS}
        run = run_of(off, cases={"peek": {**off, "control": [20.3] * ROUNDS}})
        assert text(run, "real error").endswith(" in peek; it differs in 1 more case")

    def test_the_smallest_visible_difference_is_told_where_it_is_known(self) -> None:
        run = run_of(steady(a=50.0, b=60.0))
        comparison = replace(compare(run), resolution={"send": 0.0183})
        (fact,) = (each for each in make_report(run, comparison).summary if each.label == "resolution")
        assert fact.text == "smallest difference that this run could see: 1.8 %, of 4 rows"
        several = replace(comparison, resolution={"send": 0.0183, "peek": 0.031})
        (fact,) = (each for each in make_report(run, several).summary if each.label == "resolution")
        assert fact.text.endswith(": 1.8 % to 3.1 %, by case, of 4 rows")
        assert "resolution" not in summary(run_of(steady(5, a=50.0, b=60.0)))

    def test_the_resolution_counts_the_rows_that_it_speaks_of(self) -> None:
        """Those that are ranked with another of their block: not one that is invalid, nor one that is alone."""
        run = run_of(
            {**steady(a=50.0, b=60.0, d=70.0), "perl/xs": [80.0] * ROUNDS},
            cases={"peek": {**steady(a=50.0, b=60.0, d=70.0), "perl/xs": [80.0] * ROUNDS}},
        )
        comparison = compare(run)
        assert set(comparison.resolution) == {"send", "peek"}
        assert summary(run)["resolution"].text.endswith(", of 10 cells")
        rows = tuple(
            replace(row, reason="another library") if row.contestant == "python/d" else row for row in comparison.rows
        )
        (fact,) = (
            each for each in make_report(run, replace(comparison, rows=rows)).summary if each.label == "resolution"
        )
        assert fact.text.endswith(", of 8 cells")
        one = replace(comparison, resolution={"send": 0.01})
        (fact,) = (each for each in make_report(run, one).summary if each.label == "resolution")
        assert fact.text.endswith("1.0 %, of 5 rows")


def test_before_the_first_round_nothing_is_said() -> None:
    assert summary(replace(run_of(steady()), rounds=())) == {}


def test_the_provenance_is_few_facts() -> None:
    report = make_report(run_of(steady(a=50.0)), compare(run_of(steady(a=50.0))))
    labels = [fact.label for fact in report.provenance]
    assert labels == ["rounds", "parameters", "machine", "versions", "library", "sha256"]
    told = {fact.label: fact.text for fact in report.provenance}
    assert told["rounds"].endswith("; 1,000 iterations a slice")
    assert told["parameters"].endswith("order drawn from seed 1969")
    assert told["versions"] == "ffibench 0.1.0; CPython 3.11.7; gcc 12.2.0; library 4.3.5"
    assert told["machine"] == "a processor, 2 CPUs, pinned to CPU 1, Linux 6.1.0 x86_64"


def test_where_an_experiment_places_threads_stands_beside_the_machine() -> None:
    run = run_of(steady(a=50.0))
    placed = replace(run, plan=replace(run.plan, pinned=False, placement="apart: each on a CPU of its own"))
    told = {fact.label: fact.text for fact in make_report(placed, compare(placed)).provenance}
    assert told["placement"] == "apart: each on a CPU of its own"
    assert "pinned" not in told["machine"]
