"""The promise: whatever a worker says or does, a record comes back, with what was wrong in a sentence."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.contestants import ITERATIONS, planned_case, scripted_plan

from ffibench.harness import session
from ffibench.harness.maps import mapped_libraries
from ffibench.harness.session import run_worker
from ffibench.model import LibraryIdentity, Plan, WorkerRecord

Measure = Callable[..., WorkerRecord]


@pytest.fixture
def measure(folder: Path) -> Measure:
    """Run the one worker of a plan; keyword arguments are its script's."""

    def run(changes: dict[str, Any] | None = None, **script: object) -> WorkerRecord:
        plan = scripted_plan(folder, {"c": script}, **(changes or {}))
        record = run_worker(plan.workers[0], plan, endpoint=None, cpu=None)
        # Whatever it said must go into the run file.
        assert msgspec.json.decode(msgspec.json.encode(record), type=WorkerRecord) == record
        return record

    return run


def failure(record: WorkerRecord) -> str:
    assert record.failure is not None
    return record.failure


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

    monkeypatch.setattr(session, "mapped_libraries", look_late)
    said = failure(measure(trouble="leave@end"))
    assert said == "ended before its standard input was closed, so that its memory map could not be read"


def test_a_worker_whose_memory_map_may_not_be_read(measure: Measure, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(pid: int, library: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(session, "mapped_libraries", refuse)
    assert measure().failure == "has a memory map that cannot be read: Permission denied"


NO_LINE = "printed what is not a line of the contract: "


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        pytest.param("hello", NO_LINE + "'hello'", id="words"),
        pytest.param("", NO_LINE + "''", id="nothing"),
        pytest.param("{", NO_LINE + "'{'", id="half an object"),
        pytest.param("[1, 2]", NO_LINE + "'[1, 2]'", id="no object"),
        pytest.param("null", NO_LINE + "'null'", id="null"),
        pytest.param(
            r"\x00\x7fELF\xff\xfe", NO_LINE + r"'\x00\x7fELF" + "\N{REPLACEMENT CHARACTER}" * 2 + "'", id="binary"
        ),
        pytest.param(r'{"a": "\xff"}', NO_LINE + '\'{"a": "\N{REPLACEMENT CHARACTER}"}\'', id="not UTF-8"),
        pytest.param('{"a": ' + "[" * 50_000, NO_LINE + '\'{"a": ' + "[" * 154 + "'...", id="nested without end"),
        pytest.param(r'{"a": "\\ud800"}', NO_LINE + r"""'{"a": "\\ud800"}'""", id="half a character"),
    ],
)
@pytest.mark.parametrize("point", ["start", "slice"])
def test_what_is_not_json(line: str, sentence: str, point: str, measure: Measure) -> None:
    assert measure(trouble=rf"say:{line}\n@{point}").failure == sentence


@pytest.mark.parametrize("line", ["{}", '{"ready": null}', '{"ready": "yes"}', '{"ready": [1]}', '{"case": "send"}'])
def test_what_is_not_ready(line: str, measure: Measure) -> None:
    assert measure(trouble=rf"say:{line}\n@start").failure == f"did not say that it is ready, but {line!r}"


@pytest.mark.parametrize("version", ["1" * 4000, "[" * 50 + "]" * 50, "1e300", "null"])
def test_a_version_may_be_anything(version: str, measure: Measure) -> None:
    """It is text for the table; an integer of any length must not upset its making."""
    plain = measure(trouble=rf'say:{{"ready": {{"library": {version}}}}}\n@start')
    assert "library" in plain.versions
    # The worker's own ready then stands where the first slice was due.
    assert failure(plain).startswith('printed what is not a line of the contract: \'{"ready"')


def line_of(**changes: object) -> str:
    right: dict[str, object] = {
        "case": "send",
        "slice": 0,
        "kind": "timed",
        "wall_ns": 27_000,
        "cpu_ns": 27_000,
        "receipt": {"sends": ITERATIONS},
    }
    return msgspec.json.encode({**right, **changes}).decode()


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(line_of(wall_ns="27"), id="a time in words"),
        pytest.param(line_of(wall_ns=1.5), id="a broken time"),
        pytest.param(line_of(wall_ns=None), id="no time"),
        pytest.param(line_of(wall_ns=True), id="yes for a time"),
        pytest.param(line_of().replace("27000", "NaN"), id="NaN"),
        pytest.param(line_of().replace("27000", "Infinity"), id="infinity"),
        pytest.param(line_of().replace("27000", "1e999"), id="too large for a number"),
        pytest.param(line_of(kind="cold"), id="an unknown kind"),
        pytest.param(line_of(receipt=[1]), id="a list for a receipt"),
        pytest.param(line_of(receipt={"sends": 1.5}), id="a fraction in a receipt"),
        pytest.param(line_of(figures={"first": "soon"}), id="a figure in words"),
        pytest.param('{"case": "send"}', id="nearly nothing"),
        pytest.param("{}", id="nothing"),
        pytest.param('{"case": "other", "unsupported": "no"}', id="a case that is not its turn"),
    ],
)
def test_a_line_of_a_wrong_shape(line: str, measure: Measure) -> None:
    said = failure(measure(trouble=rf"say:{line}\n@slice"))
    assert said == f"printed what is not a line of the contract: {line!r}"


@pytest.mark.parametrize(
    ("changes", "times"),
    [
        ({"wall_ns": 0}, "wall 0 ns, CPU 27,000 ns"),
        ({"wall_ns": -5}, "wall -5 ns, CPU 27,000 ns"),
        ({"cpu_ns": -1}, "wall 27,000 ns, CPU -1 ns"),
        ({"wall_ns": 10**400}, f"wall '1{'0' * 159}'... ns, CPU 27,000 ns"),
        ({"cpu_ns": 2**63}, "wall 27,000 ns, CPU 9,223,372,036,854,775,808 ns"),
    ],
)
def test_a_time_that_cannot_be(changes: dict[str, int], times: str, measure: Measure) -> None:
    """Zero has no logarithm, and a time beyond 64 bits does not fit into any figure made of it."""
    said = failure(measure(trouble=rf"say:{line_of(**changes)}\n@slice"))
    assert said == f"reported a time that cannot be: {times}"


@pytest.mark.parametrize(
    ("changes", "printed"),
    [
        ({"slice": 1}, "slice 1 of 'send' timed"),
        ({"kind": "empty"}, "slice 0 of 'send' empty"),
        ({"case": "receive"}, "slice 0 of 'receive' timed"),
        ({"case": "x" * 1000}, f"slice 0 of '{'x' * 160}'... timed"),
    ],
)
def test_a_slice_out_of_order(changes: dict[str, object], printed: str, measure: Measure) -> None:
    said = failure(measure(trouble=rf"say:{line_of(**changes)}\n@slice"))
    assert said == f"printed {printed} where slice 0 of send timed was next"


def test_a_slice_too_many(measure: Measure) -> None:
    said = failure(measure(trouble=rf"say:{line_of(kind='empty', slice=2)}\n@end"))
    assert said.startswith('printed more than the contract asks for: \'{"case":"send","slice":2')


def test_half_a_line(measure: Measure) -> None:
    assert measure(trouble='say:{"case": "se@closed').failure == (
        'printed more than the contract asks for: \'{"case": "se\''
    )


@pytest.mark.parametrize("point", ["start", "slice"])
def test_a_line_without_end(point: str, measure: Measure) -> None:
    assert measure(trouble=f"flood@{point}").failure == "printed a line of more than 65,536 bytes"


@pytest.mark.parametrize("point", ["end", "closed"])
def test_output_without_end(point: str, measure: Measure) -> None:
    assert failure(measure(trouble=f"flood@{point}")).startswith("printed more than the contract asks for: 'xxx")


@pytest.mark.parametrize(
    ("receipt", "sentence"),
    [
        ({"sends": 999}, "reported sends = 999 in warmup slice 0 of send, the oracle 1,000"),
        ({"sends": 10**30}, f"reported sends = {10**30:,} in warmup slice 0 of send, the oracle 1,000"),
        ({"sends": "1000"}, "reported sends = '1000' in warmup slice 0 of send, the oracle 1,000"),
        ({"sends": "\x1b[2J"}, r"reported sends = '\x1b[2J' in warmup slice 0 of send, the oracle 1,000"),
        ({"sends": "y" * 900}, f"reported sends = '{'y' * 160}'... in warmup slice 0 of send, the oracle 1,000"),
        ({}, "reported sends = nothing in warmup slice 0 of send, the oracle 1,000"),
        ({"sent": 1000}, "reported sends = nothing in warmup slice 0 of send, the oracle 1,000"),
        ({"sends": 1000, "lost": 3}, "reported more than the oracle knows in send: 'lost'"),
    ],
)
def test_another_receipt_than_the_oracles(receipt: dict[str, object], sentence: str, measure: Measure) -> None:
    record = measure(receipt=msgspec.json.encode(receipt).decode())
    assert record.failure == sentence
    assert len(record.slices) == 5


def test_one_wrong_receipt_is_one_too_many(measure: Measure) -> None:
    record = measure(receipt='{"sends": 0}', receipt_of="timed:1")
    assert failure(record) == "reported sends = 0 in timed slice 1 of send, the oracle 1,000"
    assert measure(receipt='{"sends": 0}', receipt_of="empty:1").failure is None  # an empty loop does nothing


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
        monkeypatch.setattr(session, "mapped_libraries", lambda pid, library: None)
        record = self.run(plan())
        assert record.failure is None
        assert record.libraries is None
