"""Runs made up for the tables: no clock of a machine takes part."""

from __future__ import annotations

import io
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.console import Console, RenderableType

from ffibench.model import (
    Comparison,
    Contestant,
    Host,
    HostSample,
    LibraryIdentity,
    Lock,
    Plan,
    PlannedCase,
    PlannedWorker,
    Round,
    Row,
    Run,
    RunWarning,
    Slice,
    WorkerRecord,
)

GOLDEN = Path(__file__).parent / "golden"
ITERATIONS = 50_000
SHA256 = "9f2c1d7c5a0e4b3f8e6d5c4b3a29181706f5e4d3c2b1a09f8e7d6c5b4a392817"
LIBRARY = "/home/user/.venv/lib/python3.11/site-packages/pyzmq.libs/libzmq-6f4c0a3b.so.5.2.5"
CPYTHON, PERL, GCC = "CPython 3.11.7", "perl 5.36.0", "gcc 12.2.0"

XSUB: tuple[tuple[str, str, str, float, str | None], ...] = (
    ("c", "baseline", "12.2.0", 22.41, None),
    ("control", "baseline", "12.2.0", 22.44, None),
    ("python/cython", "lock held", "3.3.1", 47.62, "a"),
    ("python/capi", "lock held", "", 49.53, "ab"),
    ("python/nanobind~method", "lock held", "3.1.0", 50.21, "b"),
    ("python/nanobind", "lock held", "3.1.0", 55.94, "c"),
    ("python/pybind11", "lock held", "3.1.0", 83.06, "d"),
    ("python/ctypes-pydll", "lock held", "", 360.4, "e"),
    ("python/cython~nogil", "lock released", "3.3.1", 76.33, "a"),
    ("python/capi~nogil", "lock released", "", 77.12, "a"),
    ("python/nanobind~nogil", "lock released", "3.1.0", 86.65, "b"),
    ("python/pyzmq-raw", "lock released", "27.3.0", 107.2, "c"),
    ("python/pybind11~nogil", "lock released", "3.1.0", 113.9, "d"),
    ("python/cffi-api", "lock released", "2.1.1", 138.3, "e"),
    ("python/pyzmq", "lock released", "27.3.0", 235.2, "f"),
    ("python/cffi-abi", "lock released", "2.1.1", 262.4, "g"),
    ("python/ctypes", "lock released", "", 400.1, "h"),
    ("perl/xs", "no lock", "3.45", 58.11, "a"),
    ("perl/platypus", "no lock", "2.08", 120.3, "b"),
)
EMPTY_NS = {"c": 0.31, "python": 11.82, "perl": 24.47}
INTERPRETERS = {"c": GCC, "python": CPYTHON, "perl": PERL}


def language(contestant: str) -> str:
    return "c" if contestant == "control" else contestant.partition("/")[0]


def make_row(contestant: str, block: str, version: str, gross_ns: float, tie: str | None, **changes: object) -> Row:
    gils: dict[str, Lock] = {"lock held": "held", "lock released": "released"}
    ratio = gross_ns / 22.41
    row = Row(
        contestant=contestant,
        role="worker",
        interpreter=INTERPRETERS[language(contestant)],
        case="send",
        version=version,
        block=block,
        lock=gils.get(block),
        iterations=ITERATIONS,
        rounds=50,
        gross_ns=gross_ns,
        net_ns=gross_ns - EMPTY_NS[language(contestant)],
        added_ns=gross_ns - 22.41,
        ratio=ratio,
        ratio_low=ratio * 0.991,
        ratio_high=ratio * 1.012,
        tie=tie,
        receipts=150,
        disturbed=0,
        real_s=0.04 + gross_ns * 2e-4,
        user_s=0.03 + gross_ns * 1.9e-4,
        system_s=0.008,
        audit="accepted",
        native_calls=7.0 if "pyzmq" in contestant else 1.0,
        valid=True,
    )
    return replace(row, **changes)


def slices_of(gross_ns: float) -> tuple[Slice, ...]:
    """One timed slice and one empty loop."""
    timed, empty = (round(ns * ITERATIONS) for ns in (gross_ns, 0.3))
    return (
        Slice(case="send", slice=0, kind="timed", wall_ns=timed, cpu_ns=timed),
        Slice(case="send", slice=0, kind="empty", wall_ns=empty, cpu_ns=empty),
    )


@pytest.fixture
def rows() -> list[Row]:
    return [make_row(*values) for values in XSUB]


@pytest.fixture
def doubtful_rows(rows: list[Row]) -> list[Row]:
    """A row with wrong receipts, one with too few calls, one unseen, one on another file, one that never settled."""
    wrong = "Slice 2 of round 4: 'sent' was 49,999 and had to be 50,000; no figure of this row can be trusted."
    other = "It loaded another library file, /usr/lib/x86_64-linux-gnu/libzmq.so.5.2.4, and cannot be told to."
    halved = "It called zmq_send 50,000 times in 100,000 operations, expected 100,000."
    unseen = "It is not auditable and not ranked: it is linked statically."
    changes: dict[str, dict[str, object]] = {
        "python/capi": {"valid": False, "reason": wrong, "receipts": 149},
        "python/capi~nogil": {"valid": False, "reason": halved, "rounds": 0, "audit": "invalid", "native_calls": 0.5},
        "perl/xs": {"reason": unseen, "tie": None, "audit": "not auditable", "native_calls": None},
        "python/cffi-abi": {"reason": other, "tie": None},
        "python/ctypes": {"settled": False, "disturbed": 3},
    }
    return [replace(row, **changes.get(row.contestant, {})) for row in rows]


@pytest.fixture
def few_rows(rows: list[Row]) -> list[Row]:
    """Three rounds: too few for intervals and ties."""
    nothing = {"ratio_low": None, "ratio_high": None, "tie": None}
    return [replace(row, **nothing, rounds=3, receipts=9) for row in rows]


@pytest.fixture
def several_rows(rows: list[Row]) -> list[Row]:
    """Three Pythons, two of which share a version."""
    pythons = ("CPython 3.12.1 (GCC 12.2.0)", "CPython 3.12.1 (Clang 17.0.6)", "CPython 3.14.0t")
    several = []
    for row in (*rows[:5], *rows[8:11], *rows[-2:]):
        interpreters = pythons if row.contestant.startswith("python") else (row.interpreter,)
        several += [replace(row, interpreter=interpreter) for interpreter in interpreters]
    return several


@pytest.fixture
def run(rows: list[Row]) -> Run:
    keys = list(dict.fromkeys((row.contestant, row.interpreter) for row in rows))
    workers = tuple(
        PlannedWorker(
            contestant=Contestant(name=name, language=language(name), interpreter=interpreter),
            role="worker",
            command=(),
        )
        for name, interpreter in keys
    )
    library = LibraryIdentity(path=LIBRARY, sha256=SHA256)
    times = {(row.contestant, row.interpreter): row.gross_ns or 1.0 for row in rows}

    def records(number: int) -> tuple[WorkerRecord, ...]:
        """Around the figure of each row, half a percent up or down, the same in every run of the tests."""
        return tuple(
            WorkerRecord(
                key=worker.key,
                versions={"library": "4.3.5"},
                slices=slices_of(times[key] * (1 + random.Random(f"{key} {number}").uniform(-0.005, 0.005))),
            )
            for worker, key in zip(workers, keys, strict=True)
        )

    return Run(
        started="2025-11-20T08:13:00Z",
        plan=Plan(
            experiment="xsub",
            title="sending small messages through ZeroMQ",
            cases=(
                PlannedCase(
                    name="send",
                    operation="zmq_send of 5 bytes to an XSUB socket",
                    iterations=ITERATIONS,
                    receipt={},
                ),
            ),
            parameters={"size": 5},
            workers=workers,
            library=library,
            slices=3,
            warmup=1,
            mode="default",
            rounds_min=6,
            rounds_max=50,
            seconds_max=60.0,
            precision=0.02,
            seed=20251120,
            worker_seconds_max=30.0,
        ),
        host=Host(
            system="Linux 6.1.0",
            machine="x86_64",
            processor="Intel Xeon Processor (Skylake, IBRS)",
            processors=2,
            pinned_to=1,
            governor=None,
            virtualisation="kvm",
            tool="ffibench 0.1.0 on CPython 3.11.7",
        ),
        rounds=tuple(
            Round(
                number=number,
                seconds=0.944,
                records=records(number),
                host=HostSample(load1=0.4 + number / 100, pressure=0.012, steal=0.003),
            )
            for number in range(50)
        ),
        ending="precision",
    )


@pytest.fixture
def comparison(rows: list[Row]) -> Comparison:
    warning = RunWarning(
        code="steal",
        text="The hypervisor took up to 0.3 % of a processor's time during the rounds.",
        fix="Run again on a quieter machine, or with --rigorous for more rounds.",
    )
    return Comparison(rows=tuple(rows), resolution={"send": 0.0183}, warnings=(warning,))


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def render() -> Callable[..., str]:
    """Text of a renderable as a pipe would get it."""

    def as_text(renderable: RenderableType, width: int = 100) -> str:
        file = io.StringIO()
        Console(file=file, width=width, highlight=False, markup=False).print(renderable)
        return file.getvalue()

    return as_text


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compare a text with a file of `golden`; `FFIBENCH_GOLDEN=write` writes the files anew."""

    def check(name: str, text: str) -> None:
        path = GOLDEN / name
        if os.environ.get("FFIBENCH_GOLDEN") == "write":
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")

    return check
