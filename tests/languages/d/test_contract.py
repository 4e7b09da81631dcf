"""The worker contract in D: the kit in a program of its own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.anywhere import runtime_or_skip
from support.contract import Contract, Worker, compile_without_warning

from ffibench.paths import asset

PROGRAM = r"""
import ffibench;
import ffibench_calls : wrong;
import std.stdio : stderr;

void main()
{
    immutable endpoint = option("binding") == "waiting" ? "tcp://here" : null;
    ulong total;

    void add(ulong iterations) { foreach (i; 0 .. iterations) total++; }
    Receipt counted(ulong iterations) { return Receipt().put("calls", iterations).put("total", total); }
    Receipt first() { return Receipt().put("first_ns", 7); }
    void nothing(ulong) { }
    void fails(ulong) { fail("it went wrong"); }
    void differs(ulong) { wrong("plusone"); }

    Loops says(T)(T value)
    {
        return Loops(&nothing, &nothing, (ulong) => Receipt().put("value", value));
    }

    Loops never = {unsupported: "it has no such call"};
    serve([
        "sum": Loops(&add, &add, &counted),
        "around": Loops(&add, &nothing, &counted, () { total = 100; }, () { total++; }, &first),
        "lowest": says(long.min),
        "highest": says(ulong.max),
        "odd": says(9_007_199_254_740_993),
        "text": says("a\"b\\c\n\t\1ä😀"),
        "dies": Loops(&fails, &nothing, &counted),
        "differs": Loops(&differs, &nothing, &counted),
        "never": never,
    ], `1.2 "x"`, endpoint);
    stderr.writeln("torn down");
}
"""
HALF = "import ffibench : Receipt; void main() { Receipt().put(`value`, 0.5); }"


def command(folder: Path, text: str) -> list[str]:
    """That compiles a text with the kit."""
    kit = asset("native/kits/d")
    (folder / "program.d").write_text(text, encoding="utf-8")
    flags = ["-Wall", "-Wextra", "-Werror", f"-I{kit}", "-o", "program"]
    return [runtime_or_skip("d").executable, *flags, "program.d", *map(str, sorted(kit.glob("*.d")))]


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Worker:
    folder = tmp_path_factory.mktemp("d")
    compile_without_warning(folder, *command(folder, PROGRAM))
    return Worker(folder / "program")


class TestContract(Contract):
    def test_a_call_that_does_not_answer_what_c_does_ends_it(self, worker: Worker) -> None:
        assert worker.complaint(cases="differs:1") == "plusone gave another answer than C"


def test_a_receipt_that_is_no_whole_number_does_not_compile(tmp_path: Path) -> None:
    answer = subprocess.run(command(tmp_path, HALF), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert answer.returncode != 0
    assert "isIntegral" in answer.stderr
