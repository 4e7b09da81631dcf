"""The worker contract in D: the kit in a program of its own."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from ffibench.languages.d import LANGUAGE
from ffibench.model.runtime import Missing
from ffibench.paths import asset

PROGRAM = """\
import ffibench;
import ffibench_calls : wrong;
import std.stdio : stderr;

void main()
{
    ulong sum;

    void add(ulong iterations) { foreach (i; 0 .. iterations) sum++; }
    Receipt counted(ulong) { return Receipt().put("sum", sum); }
    Receipt edges(ulong)
    {
        return Receipt().put("highest", ulong.max).put("lowest", long.min).put("text", "a\\"b\\n\\\\");
    }
    void nothing(ulong) { }
    void fails(ulong) { wrong("plusone"); }
    Receipt first() { return Receipt().put("first_ns", 7); }

    auto around = Loops(&nothing, &nothing, &counted, () { sum = 100; }, () { sum++; }, &first);
    serve([
        "sum": Loops(&add, &add, &counted), "edges": Loops(&nothing, &nothing, &edges), "around": around,
        "fails": Loops(&fails, &nothing, &counted),
    ], `1.2 "x"`);
    stderr.writeln("torn down");
}
"""
HALF = "import ffibench : Receipt; void main() { Receipt().put(`value`, 0.5); }"
Run = Callable[..., subprocess.CompletedProcess[str]]


def compile_program(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    (found,) = LANGUAGE.runtimes((), ())
    if isinstance(found, Missing):
        pytest.skip(f"{found.reason}; {found.fix}")
    (folder / "program.d").write_text(text, encoding="utf-8")
    kit = asset("native/kits/d")
    command = [found.executable, "-Wall", "-Wextra", "-Werror", f"-I{kit}", "-o", "program", "program.d"]
    kits = map(str, sorted(kit.glob("*.d")))
    return subprocess.run([*command, *kits], cwd=folder, capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("program")
    answer = compile_program(folder, PROGRAM)
    assert (answer.returncode, answer.stderr) == (0, "")
    return folder / "program"


@pytest.fixture
def run(program: Path) -> Run:
    def started(told: str = "go\n", without: str = "", **changes: str) -> subprocess.CompletedProcess[str]:
        options = {"binding": "stub", "slices": "2", "warmup": "1", "cases": "sum:10", **changes}
        arguments = [f"{name}={value}" for name, value in options.items() if name != without]
        return subprocess.run(
            [str(program), *arguments], input=told, capture_output=True, text=True, check=False, timeout=60
        )

    return started


def test_ready_then_a_line_a_slice_then_the_end(run: Run) -> None:
    answer = run(cold="3")
    ready, *slices = [json.loads(line) for line in answer.stdout.splitlines()]
    assert ready == {"ready": {"library": '1.2 "x"'}}
    assert [(each["case"], each["kind"], each["slice"]) for each in slices] == [
        ("sum", "cold", 0),
        ("sum", "warmup", 0),
        ("sum", "timed", 0),
        ("sum", "timed", 1),
        ("sum", "empty", 0),
        ("sum", "empty", 1),
    ]
    assert [each.get("receipt") for each in slices] == [{"sum": 3}, {"sum": 13}, {"sum": 23}, {"sum": 33}, None, None]
    assert all(type(each[clock]) is int and each[clock] > 0 for each in slices for clock in ("wall_ns", "cpu_ns"))
    assert not any("around_ns" in each for each in slices)
    assert (answer.returncode, answer.stderr) == (0, "torn down\n")


def test_what_is_around_the_loop_is_told(run: Run) -> None:
    timed, empty = [json.loads(line) for line in run(cases="around:5", slices="1", warmup="0").stdout.splitlines()[1:]]
    assert timed["receipt"] == {"sum": 101}
    assert timed["figures"] == {"first_ns": 7}
    assert timed["around_ns"] > 0
    assert "around_ns" not in empty


def test_a_receipt_is_exact(run: Run) -> None:
    answer = run(cases="edges:1", slices="1", warmup="0")
    receipt = json.loads(answer.stdout.splitlines()[1])["receipt"]
    assert receipt == {"highest": 2**64 - 1, "lowest": -(2**63), "text": 'a"b\n\\'}


def test_a_receipt_that_is_no_whole_number_does_not_compile(tmp_path: Path) -> None:
    answer = compile_program(tmp_path, HALF)
    assert answer.returncode != 0
    assert "isIntegral" in answer.stderr


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"told": "stop\n"}, "ffibench worker: expected go on standard input"),
        ({"told": ""}, "ffibench worker: expected go on standard input"),
        ({"cases": "sum:ten"}, "ffibench worker: not a number: ten"),
        ({"cases": "sum"}, "ffibench worker: not of the form NAME:ITERATIONS: sum"),
        ({"slices": "-1"}, "ffibench worker: not a number: -1"),
        ({"cold": "few"}, "ffibench worker: not a number: few"),
        ({"without": "warmup"}, "ffibench worker: missing argument: warmup"),
        ({"cases": "fails:1"}, "plusone gave another answer than C"),
    ],
)
def test_a_mistake_is_told_with_a_status(run: Run, changes: dict[str, str], said: str) -> None:
    answer = run(**changes)
    assert answer.returncode == 1
    assert answer.stderr.splitlines()[0] == said


def test_a_case_that_it_does_not_have_is_told_once(run: Run) -> None:
    answer = run(cases="other:5")
    assert [json.loads(line) for line in answer.stdout.splitlines()[1:]] == [
        {"case": "other", "unsupported": "stub has no case other"}
    ]
    assert answer.returncode == 0
