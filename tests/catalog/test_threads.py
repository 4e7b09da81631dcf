"""The promise: `--threads` is for generated loops, sweeps as any parameter does, and says who cannot."""

from __future__ import annotations

import pytest

from ffibench.catalog import find_experiment
from ffibench.catalog.threads import threaded_case, with_threads
from ffibench.errors import FfibenchError
from ffibench.model import Case, Contestant
from ffibench.plan.make import plan_work
from ffibench.plan.options import PlanOptions

CASE = Case(name="add", operation="add(1, 2)", iterations=1000, receipt=lambda n: {"operations": n, "value": 7})


def test_the_calls_of_everybody_are_swept() -> None:
    folder = with_threads(find_experiment("calls"))
    work = plan_work(folder, PlanOptions(parameters={"threads": "1,2,4"}, cases=("int -> int",)))
    assert [point.where for point in work.points] == [{"threads": 1}, {"threads": 2}, {"threads": 4}]
    every = plan_work(folder, PlanOptions(parameters={"threads": "2"})).points[0].cases
    assert {case.name for case, _ in every} == {each.name for each in folder.experiment.calls}
    assert all(each.loop is None for each in folder.own)
    assert "method" not in {case.name for case, _ in every}  # an idiom, whose loop somebody wrote


@pytest.mark.parametrize(
    ("parameters", "sweep", "words"),
    [
        ({"threads": "0"}, None, "a process has 1 to 256 threads"),
        ({"threads": "257"}, None, "a process has 1 to 256 threads"),
        ({"threads": "two"}, None, "'two' is not a whole number"),
        ({"threads": "1,2"}, ("size", "16,32"), "one parameter can be swept at a time, not threads and size"),
    ],
)
def test_mistakes_are_told(parameters: dict[str, str], sweep: tuple[str, str] | None, words: str) -> None:
    with pytest.raises(FfibenchError, match=words):
        plan_work(with_threads(find_experiment("calls")), PlanOptions(parameters=parameters, sweep=sweep))


@pytest.mark.parametrize("name", ["xsub", "fanout"])
def test_an_experiment_without_generated_loops_stays_as_it_is(name: str) -> None:
    """One has no such parameter, as its user is told; the other has one of its own."""
    folder = find_experiment(name)
    assert with_threads(folder) is folder


def test_each_thread_does_its_share_and_all_say_the_same() -> None:
    case = threaded_case(CASE, 4, {"c", "python"})
    assert case.iterations % 4 == 0
    assert case.receipt(case.iterations) == {"operations": case.iterations // 4, "value": 7, "threads": 4}


def test_a_language_without_such_loops_says_so() -> None:
    case = threaded_case(CASE, 2, {"c", "python"})
    assert case.cannot is not None
    assert case.cannot(Contestant(name="perl/xs", language="perl")) == "its loop in perl has one thread"
    assert case.cannot(Contestant(name="python/capi", language="python")) is None
