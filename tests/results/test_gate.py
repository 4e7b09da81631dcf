"""Gates: what scales passes, what does not fails, and where that cannot be told nothing passes."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from support.runs import Along, changed, run_of, swept_run

from ffibench.errors import FfibenchError
from ffibench.model import Run
from ffibench.results.compare import compare
from ffibench.results.gate import Judgement, check_gates, judge_all, parse_gate, require_gates


def along(*ns: float | None) -> Along:
    return {value: None if each is None else [each] * 8 for value, each in zip((1, 2, 4, 8), ns, strict=True)}


def queues(processors: int = 8) -> Run:
    return swept_run(
        {
            "lock": {"c": along(50, 55, 52, 51), "control": along(50, 55, 52, 51)},
            "sharded": {"c": along(50, 26, 14, 8)},
            "sharded-edge": {
                "c": along(48, 25, 13, 7),
                "python/capi": along(90, 80, 75, 30),
                "python/capi~nogil": along(90, 95, 98, 99),
            },
            "ring": {"c": along(10, None, None, None)},
        },
        processors=processors,
    )


def judged(run: Run, *texts: str) -> list[Judgement]:
    return judge_all(run, compare(run), [parse_gate(text) for text in texts])


def test_what_is_flat_fails_with_the_figure_and_its_interval() -> None:
    (lock,) = judged(queues(), "lock=1.5")
    assert lock.outcome == "failed"
    assert lock.text == (
        "lock=1.5 failed: lock of c does 0.980 times as much at threads=8 as at threads=1 "
        "(95 % CI 0.980\N{EN DASH}0.980), expected 1.5"
    )


def test_what_scales_passes_in_each_series_of_the_name() -> None:
    passed = judged(queues(), "sharded=1.5")
    assert [each.outcome for each in passed] == ["passed", "passed"]
    assert [each.text.partition(" of c")[0] for each in passed] == [
        "sharded=1.5 passed: sharded",
        "sharded=1.5 passed: sharded-edge",
    ]


def test_a_factor_alone_judges_all_series_of_the_baseline() -> None:
    assert [each.outcome for each in judged(queues(), "1.5")] == ["failed", "passed", "passed", "not applicable"]


def test_the_estimate_decides_and_meeting_the_factor_is_enough() -> None:
    run = swept_run({"lock": {"c": {1: [30.0] * 8, 2: [20.0] * 8}}})
    assert [judged(run, text)[0].outcome for text in ("1.5", "1.51")] == ["passed", "failed"]
    (exactly,) = judged(swept_run({"lock": {"c": {1: [30.0] * 8, 2: [30.0] * 8}}}), "1")
    assert exactly.outcome == "passed"


@pytest.mark.parametrize("processors", [1, 2, 3])
def test_fewer_than_four_processors_pass_and_fail_nothing(processors: int) -> None:
    for text in ("lock=1.5", "sharded=1.5", "1.5"):
        (said,) = judged(queues(processors), text)
        assert said.outcome == "not applicable"
        assert f"this machine has {processors} processor" in said.text
    require_gates(judged(queues(processors), "lock=1.5"))


def test_a_quota_counts_as_the_processors_that_it_leaves() -> None:
    run = queues()
    (said,) = judged(replace(run, host=replace(run.host, quota=1.5)), "lock=1.5")
    assert said.outcome == "not applicable"
    assert "may use 1.5 of 8 processors" in said.text
    (enough,) = judged(replace(run, host=replace(run.host, quota=4.0)), "lock=1.5")
    assert enough.outcome == "failed"


def test_work_on_one_thread_asks_for_no_second_processor() -> None:
    run = swept_run({"send": {"c": {64: [50.0] * 8, 4096: [100.0] * 8}}}, parameter="size", processors=2, pinned=True)
    (said,) = judged(run, "1.5")
    assert said.outcome == "failed"
    assert "at size=4096 as at size=64" in said.text


def test_producers_that_share_a_gil_are_not_judged() -> None:
    (held,) = judged(queues(), "python/capi:sharded=1.5")
    assert held.outcome == "not applicable"
    assert "share a lock" in held.text
    (released,) = judged(queues(), "python/capi~nogil:sharded=1.5")
    assert released.outcome == "failed"
    assert "sharded-edge of python/capi~nogil" in released.text


def test_a_series_that_cannot_run_at_the_last_point_is_not_applicable() -> None:
    (ring,) = judged(queues(), "ring=1.5")
    assert ring.outcome == "not applicable"
    assert ring.text.endswith("It cannot run this case: it serves one at a time")


def test_a_series_that_failed_at_one_end_fails_though_it_cannot_run_at_the_other() -> None:
    run = swept_run({"lock": {"c": along(50, 40, 30, 20), "perl/xs": along(90, 80, 70, None)}})
    (said,) = judged(changed(run, "perl/xs", lambda record: replace(record, failure="crashed")), "perl/xs:lock=1.5")
    assert said.outcome == "failed"
    assert "It crashed. It cannot run this case" in said.text


def test_a_series_is_meant_by_its_name_or_what_stands_before_a_hyphen() -> None:
    gate = parse_gate("lock=1.5")
    assert [name for name in ("lock", "lock-free", "locked", "spin-lock") if gate.means(name)] == ["lock", "lock-free"]


def test_a_series_whose_figures_are_not_valid_passes_nothing() -> None:
    run = changed(queues(), "c", lambda record: replace(record, failure="crashed"))
    lock, *_ = judged(run, "lock=1.5")
    assert lock.outcome == "failed"
    assert "It crashed" in lock.text
    (none,) = judged(replace(queues(), rounds=()), "lock=1.5")
    assert none.outcome == "failed"


def test_failed_gates_end_with_one_sentence_and_the_status() -> None:
    with pytest.raises(FfibenchError, match=r"^gate lock=1.5 failed: lock of c does 0.980 times") as caught:
        require_gates(judged(queues(), "sharded=1.5", "lock=1.5"))
    assert caught.value.status == 1
    with pytest.raises(FfibenchError) as interrupted:
        require_gates(judged(queues(), "lock=1.5"), 130)
    assert interrupted.value.status == 130
    require_gates(judged(queues(), "sharded=1.5"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("locks=1.5", r"c has no series 'locks' in this run \(did you mean lock\?\); use one of lock, sharded"),
        ("python/cap:lock=2", r"no contestant 'python/cap' in this run \(did you mean python/capi"),
        ("python/capi:lock=2", r"python/capi has no series 'lock' in this run; use one of sharded-edge"),
    ],
)
def test_a_name_that_the_run_has_not_is_told_with_the_nearest(text: str, words: str) -> None:
    with pytest.raises(FfibenchError, match=words):
        check_gates(queues().plan, [parse_gate(text)])
    with pytest.raises(FfibenchError, match=words):
        judged(queues(), text)


def test_without_a_sweep_the_option_that_makes_one_is_told() -> None:
    run = run_of({"c": [10.0] * 6})
    with pytest.raises(FfibenchError, match=r"nothing is swept in this run.*add --sweep NAME=1,2,4"):
        judged(run, "1.5")


@pytest.mark.parametrize(
    ("text", "contestant", "series", "factor"),
    [
        ("1.5", "c", "", 1.5),
        ("sharded=2", "c", "sharded", 2.0),
        ("python/capi~nogil:sharded=1e1", "python/capi~nogil", "sharded", 10.0),
        ("a=b=3", "c", "a=b", 3.0),
    ],
)
def test_a_gate_is_read(text: str, contestant: str, series: str, factor: float) -> None:
    gate = parse_gate(text)
    assert (gate.text, gate.contestant, gate.series, gate.factor) == (text, contestant, series, factor)


@pytest.mark.parametrize("text", ["", "sharded", "sharded=", "=1.5", "sharded=0", "sharded=-1", "1.5x", "nan", "inf"])
def test_what_is_no_gate_is_told(text: str) -> None:
    with pytest.raises(ValueError, match=r"factor|FACTOR"):
        parse_gate(text)
