"""The promise: each thread of a worker in C does its share for itself, and one whose receipt differs is not counted."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.compiled import compiled
from support.fanout import receipts, run_driver
from support.kit import Answer

from ffibench.paths import asset

SOURCE = Path(__file__).parent / "data/odd_threads.c"
STRICT = ("-std=gnu11", "-pthread", "-Wall", "-Wextra", "-Werror")
THREADS = 3
SHARE = 10


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = SOURCE.read_text(encoding="utf-8")
    return compiled(tmp_path_factory.mktemp("threads") / "worker", source, *STRICT, f"-I{asset('native/kits/c')}")


def run(program: Path, odd: int, iterations: int = SHARE * THREADS) -> Answer:
    """Run three slices; so many threads differ in the second one."""
    return run_driver([program, f"odd={odd}"], {"addition": iterations}, threads=THREADS, slices=3)


def test_threads_that_agree_are_all_counted(program: Path) -> None:
    answer = run(program, odd=0)
    assert answer.status == 0
    assert receipts(answer, "addition") == [{"operations": SHARE, "additions": SHARE, "threads": THREADS}] * 3
    assert answer.errors.splitlines() == ["torn down"] * THREADS


@pytest.mark.parametrize("odd", [1, 2])
def test_a_thread_that_differs_lowers_the_count_of_its_slice(program: Path, odd: int) -> None:
    """The receipt is that of the first thread, and which one differs is chance: either way it is not the oracle's."""
    right = {"operations": SHARE, "additions": SHARE, "threads": THREADS}
    before, differing, after = receipts(run(program, odd), "addition")
    assert differing in (
        {**right, "threads": THREADS - odd},
        {**right, "additions": SHARE - 1, "threads": odd},
    )
    assert before == after == right


def test_threads_that_differ_alike_are_told_by_what_they_say(program: Path) -> None:
    _, differing, _ = receipts(run(program, odd=THREADS), "addition")
    assert differing == {"operations": SHARE, "additions": SHARE - 1, "threads": THREADS}


def test_iterations_that_are_not_the_same_for_each_are_refused(program: Path) -> None:
    answer = run(program, odd=0, iterations=SHARE * THREADS + 1)
    assert answer.status == 1
    assert answer.errors == "ffibench worker: iterations are not the same for each thread in case: addition\n"
    assert receipts(answer, "addition") == []
