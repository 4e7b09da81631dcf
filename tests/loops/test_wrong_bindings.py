"""A binding that answers otherwise than C is caught, however small the difference is."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from support.expressed import Prepare

from ffibench.audit.teams import audit_team
from ffibench.harness.cases import asked
from ffibench.harness.team import run_worker
from ffibench.model import Audit, Experiment, Plan, PlannedWorker, WorkerRecord
from ffibench.plan.make import make_plan
from ffibench.plan.options import PlanOptions

IN_THE_LOOP = "gave another answer than C"

WRONG = {
    "no fault at all": ("same_u64(2**64 - 1)", "", ""),
    "64 bits are truncated to 32": (
        "same_u64(2**64 - 1)",
        "def same_u64(value): return real.same_u64(value) & 0xffffffff",
        IN_THE_LOOP,
    ),
    "the sign of a 64-bit number is lost": (
        "same_i64(-2**63)",
        "def same_i64(value): return real.same_i64(value) & 2**64 - 1",
        IN_THE_LOOP,
    ),
    "an integer passes through a double": (
        "same_i64(2**63 - 1)",
        "def same_i64(value): return int(float(real.same_i64(value)))",
        IN_THE_LOOP,
    ),
    "a double passes through a float": (
        "same_double(0.1)",
        "from struct import pack, unpack\ndef same_double(value): return unpack('f', pack('f', value))[0]",
        IN_THE_LOOP,
    ),
    "minus zero loses its sign": (
        "same_double(-0.0)",
        "def same_double(value): return 0.0",
        "same_double = '0000000000000000'",
    ),
    "NaN gets another sign": ("nan_of(1, 7)", "def nan_of(*_): return -real.nan_of(1, 7)", "7ff8000000000007"),
    "NaN gets another value": ("nan_of(1, 7)", "def nan_of(*_): return real.nan_of(1, 8)", "fff8000000000008"),
    "NaN becomes a number": ("nan_of(0, 0)", "def nan_of(*_): return 0.0", IN_THE_LOOP),
    "the last byte of a buffer is dropped": (
        "fill(buffer(3), 3, 7)",
        "def fill(out, size, first): return real.fill(out, size - 1, first)",
        "070800",
    ),
    "the last byte of a long buffer is dropped": (
        "fill(buffer(5000), 5000, 9)",
        "def fill(out, size, first): return real.fill(out, size - 1, first)",
        "expected",
    ),
    "the last byte that is read is dropped": (
        "sum_of(bytes(300), 300)",
        "def sum_of(data, size): return real.sum_of(data, size - 1)",
        IN_THE_LOOP,
    ),
    "a text ends early": ("name_of(2)", "def name_of(index): return real.name_of(index)[:3]", "636166"),
    "an empty text is none": ("name_of(1)", "def name_of(index): return None", IN_THE_LOOP),
    "no text is an empty one": ("name_of(9)", "def name_of(index): return b''", IN_THE_LOOP),
    "a text of an earlier call is kept": (
        "latest(3); latest(4)",
        "old = real.latest(3)\ndef latest(number): real.latest(number); return old",
        "latest_2",
    ),
    "truth is a number": ("inverted(True)", "def inverted(value): return 1", IN_THE_LOOP),
    "a cell is not written": (
        "divide(17, 5, out(q), out(r))",
        "def divide(number, by, q, r): return real.divide(number, by, q, real.cell('int'))",
        "reported r_cell = 0",
    ),
    "a field of a struct is not written": (
        "point_move(point(1, 2), 3.5)",
        "def point_move(point, by): real.point_move(point, by); point.y = 2.0",
        "point.y",
    ),
    "a field of a result is another": (
        "point_of(0.1, -0.0)",
        "def point_of(x, y): return real.point_of(x, 0.0)",
        "point_of.y",
    ),
    "a callback is called once less": (
        "each_of(3, callback(), NULL)",
        "def each_of(count, visit, data): return real.each_of(count - 1, visit, data)",
        "reported visit = 40",
    ),
    "a handle is NULL": (
        "c = counter_new(5); counter_next(c); counter_free(c)",
        "def counter_new(start): return real.NULL",
        IN_THE_LOOP,
    ),
    "an out handle is NULL": (
        'counter_open("abc", out(c)); counter_name(c); counter_free(c)',
        "def counter_open(name, out): return 0",
        "gave another address than C",
    ),
    "an array is copied": (
        'count_up(array("i", 100), 100)',
        "def count_up(items, count): return real.count_up(items[:], count)",
        "expected",
    ),
    "the set-up does not hold": (
        "with set-up",
        "def counter_open(name, out): real.counter_open(name, out); return 3",
        "in the set-up another answer was expected of counter_open",
    ),
}

SHIM = """
import sys
from ffibench.worker.load import import_file
real = import_file({path!r})
globals().update({{name: getattr(real, name) for name in dir(real) if not name.startswith("__")}})
{fault}
"""


def spoiled(prepared: Prepare, folder: Path, case: str, fault: str) -> tuple[PlannedWorker, Plan, Experiment]:
    """One worker of ctypes with one case, whose shim has a fault."""
    ready = prepared("python/ctypes")
    shim = folder / "shim.py"
    chosen = []
    for candidate, artifact in ready.chosen:
        own = artifact
        if candidate.contestant.name == "python/ctypes":
            shim.write_text(SHIM.format(path=str(artifact), fault=fault), encoding="utf-8")
            own = shim
        chosen.append((candidate, own))
    plan = make_plan(ready.folder, chosen, (), ready.library, PlanOptions(rounds=1, slices=1, warmup=0, seed=1))
    single = replace(plan, cases=tuple(each for each in plan.cases if each.name == case))
    worker = next(each for each in single.workers if each.contestant.name == "python/ctypes")
    return asked(worker, single), single, ready.folder.experiment


def measured(prepared: Prepare, folder: Path, case: str, fault: str) -> WorkerRecord:
    worker, plan, _ = spoiled(prepared, folder, case, fault)
    return run_worker(worker, plan, endpoint=None, cpu=None)


@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_answer_is_caught(prepared: Prepare, tmp_path: Path, fault: str) -> None:
    case, source, told = WRONG[fault]
    failure = measured(prepared, tmp_path, case, source).failure
    if not source:
        assert failure is None
        return
    assert failure is not None
    assert told in failure, failure


def audited(prepared: Prepare, folder: Path, case: str, fault: str) -> Audit:
    worker, plan, experiment = spoiled(prepared, folder, case, fault)
    (audit,) = audit_team([worker], plan, experiment, None, None)
    return audit


def test_an_answer_that_is_remembered_is_no_call(prepared: Prepare, tmp_path: Path) -> None:
    remembers = "def same_i32(value): return value"
    assert measured(prepared, tmp_path, "same_i32(SHAPES_ANSWER)", remembers).failure is None
    audit = audited(prepared, tmp_path, "same_i32(SHAPES_ANSWER)", remembers)
    assert audit.verdict == "invalid"
    assert "never called same_i32 in 20 operations" in (audit.reason or "")


def test_another_function_that_answers_the_same_is_no_equal_work(prepared: Prepare, tmp_path: Path) -> None:
    other = "def same_i32(value): return real.same_i64(value)"
    audit = audited(prepared, tmp_path, "same_i32(SHAPES_ANSWER)", other)
    assert audit.verdict == "invalid"


def test_a_text_that_is_not_freed_is_seen(prepared: Prepare, tmp_path: Path) -> None:
    leaks = "import ctypes\nplain = ctypes.CDLL(real._library._name).owned_of\nplain.restype = ctypes.c_char_p\n"
    leaks += "def owned_of(number): return plain(number)"
    assert measured(prepared, tmp_path, "owned_of(12)", leaks).failure is None
    audit = audited(prepared, tmp_path, "owned_of(12)", leaks)
    assert audit.verdict == "invalid"
    assert "owned_free" in (audit.reason or "")
