"""The worker contract in Go: the kit in a program of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from ffibench.languages.go import LANGUAGE
from ffibench.model.runtime import Missing
from ffibench.paths import asset

PROGRAM = """\
package main

import (
	"ffibench"
	"fmt"
	"os"
)

func says(value any) ffibench.Loops {
	nothing := func(int) {}
	return ffibench.Loops{Run: nothing, Empty: nothing, Receipt: func(int) ffibench.Receipt {
		return ffibench.Receipt{"value": value}
	}}
}

func main() {
	sum := 0
	add := func(iterations int) {
		for i := 0; i < iterations; i++ {
			sum++
		}
	}
	counted := func(int) ffibench.Receipt { return ffibench.Receipt{"sum": sum} }
	around := says("text")
	around.Before = func(int) { sum = 100 }
	around.After = func(int) { sum++ }
	around.Receipt = counted
	around.Figures = func() ffibench.Receipt { return ffibench.Receipt{"first_ns": 7} }
	fails := says(0)
	fails.Run = func(int) { ffibench.Wrong("plusone") }
	ffibench.Option("binding")
	ffibench.Serve(ffibench.Work{Library: `1.2 "x"`, Cases: map[string]ffibench.Loops{
		"sum":      {Run: add, Empty: add, Receipt: counted},
		"around":   around,
		"a:b":      says(1),
		"highest":  says(^uint64(0)),
		"lowest":   says(int64(-1) << 63),
		"text":     says("a\\"b\\n<\\u00e4>"),
		"truth":    says(ffibench.Integer(true)),
		"half":     says(0.5),
		"nothing":  says(nil),
		"fails":    fails,
		"never":    {Cannot: "it has no such call"},
	}})
	fmt.Fprintln(os.Stderr, "torn down")
}
"""
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (found,) = LANGUAGE.runtimes((), ())
    if isinstance(found, Missing):
        pytest.skip(f"{found.reason}; {found.fix}")
    if shutil.which("gcc") is None:
        pytest.skip("no C compiler; apt-get install gcc g++")
    folder = tmp_path_factory.mktemp("program")
    (folder / "main.go").write_text(PROGRAM, encoding="utf-8")
    kit = asset("native/kits/go")
    (folder / "go.mod").write_text(
        f"module main\n\ngo 1.19\n\nrequire ffibench v0.0.0\n\nreplace ffibench v0.0.0 => {json.dumps(str(kit))}\n"
    )
    environment = {**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": "-buildvcs=false", "GOWORK": "off"}
    for command in (["vet", ".", "ffibench"], ["build", "-o", "program", "."]):
        subprocess.run([found.executable, *command], cwd=folder, env=environment, check=True, timeout=300)
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
    answer = run(cases="around:5", slices="1", warmup="0")
    timed, empty = [json.loads(line) for line in answer.stdout.splitlines()[1:]]
    assert timed["receipt"] == {"sum": 101}
    assert timed["figures"] == {"first_ns": 7}
    assert timed["around_ns"] > 0
    assert "around_ns" not in empty


@pytest.mark.parametrize(
    ("case", "value"),
    [
        ("highest", 2**64 - 1),
        ("lowest", -(2**63)),
        ("text", 'a"b\n<ä>'),
        ("truth", 1),
        ("a:b", 1),
    ],
)
def test_a_receipt_is_exact(run: Run, case: str, value: int | str) -> None:
    answer = run(cases=f"{case}:1", slices="1", warmup="0")
    assert answer.stderr == "torn down\n"
    assert json.loads(answer.stdout.splitlines()[1])["receipt"] == {"value": value}


@pytest.mark.parametrize(("case", "reason"), [("never", "it has no such call"), ("other", "stub has no case other")])
def test_a_case_that_it_cannot_run_is_told_once(run: Run, case: str, reason: str) -> None:
    answer = run(cases=f"{case}:5")
    assert [json.loads(line) for line in answer.stdout.splitlines()[1:]] == [{"case": case, "unsupported": reason}]
    assert answer.returncode == 0


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
        ({"cases": "half:1"}, "ffibench worker: a receipt with value = 0.5, neither a whole number nor a text"),
        ({"cases": "nothing:1"}, "ffibench worker: a receipt with value = <nil>, neither a whole number nor a text"),
        ({"cases": "fails:1"}, "plusone gave another answer than C"),
    ],
)
def test_a_mistake_is_told_with_a_status(run: Run, changes: dict[str, str], said: str) -> None:
    answer = run(**changes)
    assert answer.returncode == 1
    assert answer.stderr.splitlines()[0] == said


def test_it_stays_until_its_input_closes(program: Path) -> None:
    arguments = ["binding=stub", "slices=1", "warmup=0", "cases=sum:3"]
    pipe = subprocess.PIPE
    with subprocess.Popen([str(program), *arguments], stdin=pipe, stdout=pipe, stderr=pipe, text=True) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        assert "ready" in worker.stdout.readline()
        worker.stdin.write("go\n")
        worker.stdin.flush()
        assert '"timed"' in worker.stdout.readline()
        assert '"empty"' in worker.stdout.readline()
        assert worker.poll() is None
        _, errors = worker.communicate(timeout=60)
        assert (worker.returncode, errors) == (0, "torn down\n")
