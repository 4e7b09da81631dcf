"""The worker contract in Nim: the kit in a program of its own, and what it refuses."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ffibench.languages.nim import LANGUAGE
from ffibench.model.runtime import Missing, Runtime
from ffibench.paths import asset

KIT = asset("native/kits/nim")
SCRIPT = """\
import std/json
import ffibench, ffibench_calls

var sum, begun, ended: int

proc work(receipt: proc (): JsonNode {.nimcall.}): Loops =
  Loops(
    run: proc (iterations: int) = sum += iterations,
    empty: proc (iterations: int) = (for _ in 1 .. iterations: barrier()),
    receipt: proc (iterations: int): JsonNode = receipt())

var around = work(proc (): JsonNode = %*{"begun": begun, "ended": ended})
around.before = proc (iterations: int) = begun += iterations
around.after = proc (iterations: int) = ended += iterations
around.figures = proc (iterations: int): JsonNode = %*{"first_ns": iterations}

var dies = work(proc (): JsonNode = newJObject())
dies.run = proc (iterations: int) = raise newException(IOError, "it went wrong")

var memory = [1'u8, 2, 255]
let spread = counting(6301)

serve({
  "sum": work(proc (): JsonNode = %*{"sum": sum, "text": "12 \\"x\\"\\n"}),
  "around": around,
  "exact": work(proc (): JsonNode =
    %{"lowest": exactInteger(low(int64)), "highest": exactInteger(high(uint64)), "small": exactInteger(200'u8),
      "true": exactInteger(true), "beyond a double": exactInteger(9007199254740993)}),
  "bits": work(proc (): JsonNode =
    %{"real": realBits(-0.0), "text": textBytes("a\\xFF".cstring), "none": textBytes(cstring(nil)),
      "null": addressSign(nil), "address": addressSign(addr memory), "memory": memoryBytes(addr memory, 3),
      "spread": memoryBytes(spread.cstring, 6301)}),
  "real": work(proc (): JsonNode = %*{"value": 1.5}),
  "none": work(proc (): JsonNode = nil),
  "dies": dies,
  "never": Loops(unsupported: "it has no such call"),
}, library = "1.2", endpoint = if option("binding") == "waiting": "tcp://here" else: "")
stderr.writeLine "torn down"
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The script, compiled as a contestant is."""
    (nim,) = LANGUAGE.runtimes((), ())
    if isinstance(nim, Missing):
        pytest.skip(f"{nim.reason}; {nim.fix}")
    assert isinstance(nim, Runtime)
    folder = tmp_path_factory.mktemp("nim")
    (folder / "script.nim").write_text(SCRIPT, encoding="utf-8")
    command = [nim.executable, "c", "-d:release", "--mm:orc", "--hints:off", f"--path:{KIT}"]
    answer = subprocess.run(
        [*command, f"--nimcache:{folder}/cache", f"--out:{folder}/script", str(folder / "script.nim")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "Warning" not in answer.stdout + answer.stderr
    return folder / "script"


def started(program: Path, *more: str, told: str = "go\n", **changes: str) -> subprocess.CompletedProcess[str]:
    options = {"binding": "stub", "slices": "2", "warmup": "1", "cases": "sum:10", **changes}
    command = [str(program), *(f"{name}={value}" for name, value in options.items()), *more]
    return subprocess.run(command, input=told, capture_output=True, text=True, check=False, timeout=60)


def lines(program: Path, **changes: str) -> list[dict[str, Any]]:
    answer = started(program, **changes)
    assert (answer.returncode, answer.stderr) == (0, "torn down\n")
    return [json.loads(line) for line in answer.stdout.splitlines()]


def test_ready_then_a_line_a_slice_then_the_end(program: Path) -> None:
    ready, *slices = lines(program)
    assert ready == {"ready": {"library": "1.2"}}
    assert [(each["case"], each["kind"], each["slice"]) for each in slices] == [
        ("sum", "warmup", 0),
        ("sum", "timed", 0),
        ("sum", "timed", 1),
        ("sum", "empty", 0),
        ("sum", "empty", 1),
    ]
    text = '12 "x"\n'
    receipts = [each.get("receipt") for each in slices]
    assert receipts == [*({"sum": each, "text": text} for each in (10, 20, 30)), None, None]
    assert all(type(each[clock]) is int and each[clock] > 0 for each in slices for clock in ("wall_ns", "cpu_ns"))
    assert not any("around_ns" in each or "figures" in each for each in slices)


def test_a_cold_slice_comes_first(program: Path) -> None:
    _, first, second, *_ = lines(program, cold="3")
    assert (first["kind"], first["slice"], first["receipt"]["sum"]) == ("cold", 0, 3)
    assert (second["kind"], second["receipt"]["sum"]) == ("warmup", 13)


def test_what_is_done_around_a_slice_is_outside_its_clocks(program: Path) -> None:
    ready, *slices = lines(program, cases="around:5", binding="waiting")
    assert ready == {"ready": {"library": "1.2", "endpoint": "tcp://here"}}
    done = [each for each in slices if each["kind"] != "empty"]
    assert [each["receipt"] for each in done] == [{"begun": each, "ended": each} for each in (5, 10, 15)]
    assert all(each["around_ns"] >= 0 and each["figures"] == {"first_ns": 5} for each in done)
    assert not any("figures" in each for each in slices if each["kind"] == "empty")


def test_integers_are_exact_to_64_bits(program: Path) -> None:
    assert lines(program, cases="exact:1")[1]["receipt"] == {
        "lowest": -(2**63),
        "highest": 2**64 - 1,
        "small": 200,
        "true": 1,
        "beyond a double": 9007199254740993,
    }


def test_answers_are_written_as_c_writes_them(program: Path) -> None:
    assert lines(program, cases="bits:1")[1]["receipt"] == {
        "real": "8000000000000000",
        "text": "61ff",
        "none": "NULL",
        "null": "NULL",
        "address": "not NULL",
        "memory": "0102ff",
        "spread": bytes(each * 100 % 256 for each in range(64)).hex(),
    }


@pytest.mark.parametrize(
    ("cases", "told"),
    [
        ("never:5", [{"case": "never", "unsupported": "it has no such call"}]),
        ("other:5", [{"case": "other", "unsupported": "stub has no case other"}]),
    ],
)
def test_a_case_that_it_cannot_run_is_told_once(program: Path, cases: str, told: list[dict[str, str]]) -> None:
    assert lines(program, cases=cases)[1:] == told


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"told": "stop\n"}, "ffibench worker: expected go on standard input"),
        ({"told": ""}, "ffibench worker: expected go on standard input"),
        ({"cases": "sum:ten"}, "ffibench worker: not a number: ten"),
        ({"cases": "sum:1_0"}, "ffibench worker: not a number: 1_0"),
        ({"cases": "sum:99999999999999999999"}, "ffibench worker: not a number: 99999999999999999999"),
        ({"cases": "sum"}, "ffibench worker: not of the form NAME:ITERATIONS: sum"),
        ({"slices": "-1"}, "ffibench worker: not a number: -1"),
        ({"cases": "real:1"}, "ffibench worker: a receipt with value 1.5, no whole number"),
        ({"cases": "none:1"}, "ffibench worker: a receipt that is no object"),
        ({"cases": "dies:1"}, "Error: unhandled exception: it went wrong [IOError]"),
    ],
)
def test_a_mistake_is_told_with_a_status(program: Path, changes: dict[str, str], said: str) -> None:
    answer = started(program, **changes)
    assert answer.returncode != 0
    assert said in answer.stderr


def test_arguments_have_names_and_are_all_there(program: Path) -> None:
    assert started(program, "nameless").stderr == "ffibench worker: not of the form NAME=VALUE: nameless\n"
    alone = subprocess.run([str(program), "slices=1"], capture_output=True, text=True, check=False)
    assert (alone.returncode, alone.stderr) == (1, "ffibench worker: missing argument: binding\n")
