"""The promise: the baseline of `fanout` proves every slice in every cell, and tells what it cannot do."""

from __future__ import annotations

import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from support.compiled import compiled
from support.fanout import cases, compiled_driver, library_sources, receipts, run_driver

from ffibench.paths import asset

DATA = Path(__file__).parent / "data"
MakeDriver = Callable[..., Path]


@pytest.mark.parametrize("callback", ["count", "host"])
@pytest.mark.parametrize("threads", [1, 2, 4, 8])
def test_every_cell_gives_the_oracles_receipt(driver: Path, threads: int, callback: str) -> None:
    asked = cases(threads=threads, per_thread=250, callback=callback, placement="all")
    assert len(asked) == 21
    answer = run_driver([driver], {case.name: case.iterations for case in asked}, threads=threads, callback=callback)
    assert (answer.status, answer.errors) == (0, "")
    for case in asked:
        assert receipts(answer, case.name) == [case.receipt(250 * threads)] * 2
        empty = [line for line in answer.lines if (line.get("case"), line.get("kind")) == (case.name, "empty")]
        assert len(empty) == 2
        assert not any("receipt" in line for line in empty)


@pytest.mark.parametrize("wake", ["every", "edge"])
def test_no_wake_is_lost_where_few_requests_come_at_a_time(driver: Path, wake: str) -> None:
    """Each slice ends with the consumer asleep, and begins with a fresh one that may not sleep yet."""
    asked = cases(threads=4, per_thread=3, wakes=wake)
    answer = run_driver([driver], {case.name: case.iterations for case in asked}, threads=4, slices=200)
    assert (answer.status, answer.errors) == (0, "")
    for case in asked:
        assert receipts(answer, case.name) == [case.receipt(12)] * 200


@pytest.mark.parametrize("wake", ["every", "edge"])
def test_a_put_that_is_half_done_is_not_slept_over(tmp_path: Path, wake: str) -> None:
    """Those behind it in the list did not find it empty, and have not rung."""
    driver = compiled_driver(tmp_path, "-DAWAIT_SECONDS_MAX=5", seed=("mpsc.c", DATA / "slow_link.h"))
    (case,) = cases(threads=4, per_thread=50, queues="mpsc", wakes=wake)
    answer = run_driver([driver], {case.name: case.iterations}, threads=4, slices=5)
    assert (answer.status, answer.errors) == (0, "")
    assert receipts(answer, case.name) == [case.receipt(200)] * 5


@pytest.fixture
def preloaded(tmp_path: Path) -> Callable[[str], dict[str, str]]:
    """Return the environment in which a source of the tests' data stands between driver and library."""

    def environment(source: str) -> dict[str, str]:
        text = (DATA / source).read_text(encoding="utf-8")
        return {"LD_PRELOAD": str(compiled(tmp_path / "between.so", text, "-shared", "-fPIC", "-ldl"))}

    return environment


def test_a_lost_and_a_doubled_request_show_in_the_receipt(
    driver: Path, preloaded: Callable[[str], dict[str, str]]
) -> None:
    (case,) = cases(threads=2, per_thread=10, queues="sharded", wakes="edge")
    answer = run_driver([driver], {case.name: 20}, threads=2, environment=preloaded("lossy.c"))
    assert receipts(answer, case.name) == [{**case.receipt(20), "duplicates": 2, "missing": 2}] * 2


def test_a_request_that_never_comes_is_not_awaited_for_ever(
    make_driver: MakeDriver, preloaded: Callable[[str], dict[str, str]]
) -> None:
    driver = make_driver("-DAWAIT_SECONDS_MAX=1")
    answer = run_driver([driver], {"mpsc-edge": 20}, threads=2, environment=preloaded("losing.c"))
    assert answer.status == 1
    assert answer.errors == "ffibench worker: nothing was delivered for 1 s: 18 of 20 requests were\n"


@pytest.mark.parametrize(
    ("threads", "iterations", "told"),
    [
        (0, 10, "not a number of threads: 0"),
        (3, 10, "the threads cannot share the iterations of case: mutex-edge"),
    ],
)
def test_what_cannot_be_is_told(driver: Path, threads: int, iterations: int, told: str) -> None:
    answer = run_driver([driver], {"mutex-edge": iterations}, threads=threads)
    assert (answer.status, answer.errors) == (1, f"ffibench worker: {told}\n")


def test_more_threads_than_the_system_allows(driver: Path) -> None:
    """Each has a stack of its own, and the program not the room for so many."""

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (2**28, 2**28))

    arguments = ["cases=mutex-edge:1000", "slices=1", "warmup=0", "threads=1000", "callback=count"]
    answer = subprocess.run(
        [driver, *arguments], input="go\n", capture_output=True, text=True, check=False, preexec_fn=little_room
    )
    assert answer.returncode == 1
    assert answer.stdout == ""
    assert answer.stderr.startswith("ffibench worker: cannot start thread ")
    assert answer.stderr.endswith(" of 1000: Resource temporarily unavailable\n")


def test_the_build_for_sanitizers_has_the_sources_of_the_experiment() -> None:
    build = asset("native/meson.build").read_text(encoding="utf-8")
    folder = asset("native/lib")
    assert [path for path in sorted(folder.rglob("*.c")) if f"'lib/{path.relative_to(folder)}'" in build] == sorted(
        library_sources()
    )
