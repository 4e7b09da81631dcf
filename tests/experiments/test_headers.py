"""A user's own header in one command: zlib and SQLite as they are installed, through every binding, verified."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.headers import installed

from ffibench.model import Call
from ffibench.workflow import Result, RunOptions, run

ZLIB = (
    Call(expression="crc32(0, bytes(64), 64)"),
    Call(expression="adler32(1, bytes(1000), 1000)"),
    Call(expression="zlibVersion()"),
    Call(expression="zError(Z_DATA_ERROR)"),
    Call(expression="compressBound(1000)"),
    Call(expression='compress2(buffer(200), inout("unsigned long", 200), bytes(64), 64, 1)'),
    Call(expression='uncompress(buffer(9), inout("uLongf", 9), b"not deflated", 12)'),
)

OPENED = (
    'sqlite3_open(":memory:", out(db)) == 0',
    "sqlite3_prepare_v2(db, \"select 4711, 2.5, 'text'\", -1, out(query), NULL) == SQLITE_OK",
    "sqlite3_step(query) == SQLITE_ROW",
)
CLOSED = ("sqlite3_finalize(query) == 0", "sqlite3_close(db) == 0")
SQLITE = tuple(
    Call(expression=expression, setup=OPENED, teardown=CLOSED)
    for expression in (
        "sqlite3_column_int(query, 0)",
        "sqlite3_column_double(query, 1)",
        "sqlite3_errmsg(db)",
        "sqlite3_reset(query); sqlite3_step(query)",
        'sqlite3_prepare_v2(db, "select 1", -1, out(other), NULL); sqlite3_finalize(other)',
        'sqlite3_exec(db, "select 1 union select 2", callback(), NULL, NULL)',
        "sqlite3_libversion_number()",
    )
)

BINDINGS = ("ctypes", "ctypes-pydll", "cffi-abi", "cffi-api", "pybind11", "nanobind", "cython", "capi")


def measured(header: Path, library: str, calls: tuple[Call, ...]) -> Result:
    return run(str(header), RunOptions(calls=calls, library=library, rounds=1, slices=1, warmup=0, iterations=20))


def assert_all_valid(result: Result, calls: tuple[Call, ...]) -> None:
    wrong = [(row.contestant, row.case, row.reason) for row in result.comparison.rows if not row.valid]
    assert [each for each in wrong if not each[0].startswith("perl/")] == []
    valid = {(row.contestant, row.case) for row in result.comparison.rows if row.valid}
    cases = [case.name for case in result.run.plan.cases]
    assert len(cases) == len(calls)
    assert {(f"python/{binding}", case) for binding in BINDINGS for case in cases} <= valid
    verdicts = {audit.verdict for audit in result.run.all_audits if not audit.key.startswith("perl/")}
    assert verdicts == {"accepted"}


def test_zlib_runs_from_its_header() -> None:
    assert_all_valid(measured(installed("zlib.h", "zlib1g-dev"), "libz.so.1", ZLIB), ZLIB)


@pytest.fixture(scope="module")
def sqlite() -> Result:
    """SQLite's run."""
    return measured(installed("sqlite3.h", "libsqlite3-dev"), "libsqlite3.so.0", SQLITE)


def test_sqlite_runs_from_its_header_with_out_handles_and_callbacks(sqlite: Result) -> None:
    assert_all_valid(sqlite, SQLITE)
    called = next(case for case in sqlite.run.plan.cases if "callback" in case.name)
    assert called.receipt["callback"] == 2 * called.iterations


def test_what_perl_cannot_do_is_said_of_the_case_alone(sqlite: Result) -> None:
    rows = [row for row in sqlite.comparison.rows if row.contestant == "perl/xs"]
    if not rows:
        pytest.skip("no Perl here: apt-get install perl")
    assert {row.valid for row in rows if "callback" not in row.case} == {True}
    (lacking,) = [row for row in rows if "callback" in row.case]
    assert "xs renders no callback" in (lacking.reason or "")
