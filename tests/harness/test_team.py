"""The promise: whatever a worker says or does, a record comes back, with what was wrong in a sentence."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.contestants import ITERATIONS, planned_case, scripted_plan
from support.measured import Measure, failure

from ffibench.harness import member
from ffibench.harness.team import run_worker
from ffibench.host.maps import mapped_libraries
from ffibench.model import LibraryIdentity, Plan, WorkerRecord


def test_a_worker_that_keeps_to_the_contract_gives_its_slices(measure: Measure, folder: Path) -> None:
    record = measure(gross=27, empty=2, busy=0.5)
    assert record.failure is None
    assert record.key == "c [gcc 12.2.0]"
    assert record.versions["library"] == "4.3.5"
    assert [(each.kind, each.slice, each.wall_ns, each.cpu_ns) for each in record.slices] == [
        ("warmup", 0, 27_000, 13_500),
        ("timed", 0, 27_000, 13_500),
        ("timed", 1, 27_000, 13_500),
        ("empty", 0, 2_000, 1_000),
        ("empty", 1, 2_000, 1_000),
    ]
    assert [each.receipt for each in record.slices] == [{"sends": ITERATIONS}] * 3 + [{}] * 2
    assert record.libraries is not None
    assert [each.path for each in record.libraries] == [str(folder / "libwork-0123abcd.so.5")]
    assert record.usage is not None


def test_cases_follow_one_another(measure: Measure) -> None:
    cases = (planned_case("send"), planned_case("receive"))
    record = measure({"cases": cases, "warmup": 0, "slices": 1})
    assert record.failure is None
    assert [(each.case, each.kind) for each in record.slices] == [
        ("send", "timed"),
        ("send", "empty"),
        ("receive", "timed"),
        ("receive", "empty"),
    ]


def test_a_case_that_a_worker_cannot_run_is_no_failure(measure: Measure) -> None:
    record = measure({"cases": (planned_case("send"), planned_case("receive"))}, unsupported="no structs here")
    assert record.failure is None
    assert record.unsupported == {"send": "no structs here", "receive": "no structs here"}
    assert record.slices == ()


def test_an_endpoint_is_handed_on(folder: Path) -> None:
    plan = scripted_plan(folder, {"c": {"trouble": "exit:words@start"}})
    # The last argument wins in a dictionary, so this one shows that it has come.
    record = run_worker(plan.workers[0], plan, endpoint="ipc:///tmp/x", cpu=None)
    assert record.failure == "ended with status 3, saying 'words'"


@pytest.mark.parametrize("point", ["start", "slice", "end", "closed"])
@pytest.mark.parametrize(
    ("trouble", "sentence"),
    [
        ("exit:the queue is full", "ended with status 3, saying 'the queue is full'"),
        ("kill:9", "was killed by SIGKILL"),
        ("kill:11", "was killed by SIGSEGV"),
        ("kill:64", "was killed by SIGRTMAX"),
    ],
)
def test_a_worker_that_ends_badly(trouble: str, sentence: str, point: str, measure: Measure) -> None:
    record = measure(trouble=f"{trouble}@{point}")
    assert record.failure == sentence
    assert record.usage is None
    assert len(record.slices) == {"start": 0, "slice": 1, "end": 5, "closed": 5}[point]  # what was seen is kept


@pytest.mark.parametrize("trouble", ["child", "daemon"])
@pytest.mark.parametrize("point", ["start", "slice", "end", "closed"])
def test_what_a_worker_leaves_behind_is_ended_and_named(trouble: str, point: str, measure: Measure) -> None:
    record = measure(trouble=f"{trouble}@{point}")
    assert record.failure is None
    assert record.left_behind == (f"'{Path(sys.executable).name}'",)


@pytest.mark.parametrize("point", ["start", "slice"])
def test_a_worker_that_is_done_too_early(point: str, measure: Measure) -> None:
    assert measure(trouble=f"leave@{point}").failure == "ended with status 0"


def test_a_worker_that_does_not_stay_cannot_be_looked_into(measure: Measure, monkeypatch: pytest.MonkeyPatch) -> None:
    def look_late(pid: int, library: str) -> tuple[LibraryIdentity, ...] | None:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        return mapped_libraries(pid, library)

    monkeypatch.setattr(member, "mapped_libraries", look_late)
    said = failure(measure(trouble="leave@end"))
    assert said == "ended before its standard input was closed, so that its memory map could not be read"


def test_a_worker_whose_memory_map_may_not_be_read(measure: Measure, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(pid: int, library: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(member, "mapped_libraries", refuse)
    assert measure().failure == "has a memory map that cannot be read: Permission denied"


class TestLibrary:
    """Every contestant loads the one file, and what says so is the memory map of its live process."""

    @pytest.fixture
    def plan(self, folder: Path) -> Callable[..., Plan]:
        return lambda **script: scripted_plan(folder, {"c": 27, "python/a": script})

    def run(self, plan: Plan) -> WorkerRecord:
        return run_worker(plan.workers[1], plan, endpoint=None, cpu=None)

    def test_it_was_not_loaded(self, plan: Callable[..., Plan], folder: Path) -> None:
        record = self.run(plan(loads=""))
        assert record.failure == f"did not load the library under test, {folder}/libwork-0123abcd.so.5"
        assert record.libraries == ()

    def test_another_file_was_loaded(self, plan: Callable[..., Plan], folder: Path) -> None:
        (folder / "libwork.so.4").write_bytes(b"another")
        record = self.run(plan(loads=folder / "libwork.so.4"))
        assert record.failure == f"loaded another file than the library under test: {folder}/libwork.so.4"

    def test_another_file_was_loaded_beside_it(self, plan: Callable[..., Plan], folder: Path) -> None:
        (folder / "libwork.so.4").write_bytes(b"another")
        record = self.run(plan(loads=f"{folder}/libwork-0123abcd.so.5,{folder}/libwork.so.4"))
        assert record.failure == f"loaded another file than the library under test: {folder}/libwork.so.4"

    def test_a_copy_is_the_same_library(self, plan: Callable[..., Plan], folder: Path) -> None:
        (folder / "libwork.so.4").write_bytes(b"the library under test")
        assert self.run(plan(loads=folder / "libwork.so.4")).failure is None

    def test_a_contestant_may_bring_its_own(self, plan: Callable[..., Plan], folder: Path) -> None:
        """It is not ranked, which is for the comparison to say."""
        (folder / "libwork.so.4").write_bytes(b"another")
        record = self.run(plan(loads=folder / "libwork.so.4", own_library=True))
        assert record.failure is None
        assert record.libraries is not None
        assert [each.path for each in record.libraries] == [f"{folder}/libwork.so.4"]

    def test_where_no_map_can_be_read_nothing_is_said(
        self, plan: Callable[..., Plan], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(member, "mapped_libraries", lambda pid, library: None)
        record = self.run(plan())
        assert record.failure is None
        assert record.libraries is None
