"""The worker contract in Zig: the kit in a program of its own, and what it refuses."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ffibench.languages.zig import LANGUAGE
from ffibench.model.runtime import Missing, Runtime
from ffibench.paths import asset

KIT = asset("native/kits/zig")
SCRIPT = """\
const kit = @import("ffibench");

var sum: u64 = 0;
var begun: u64 = 0;
var ended: u64 = 0;
var memory = [_]u8{ 1, 2, 255 };
var spread: [6301]u8 = undefined;

fn run(iterations: u64) void {
    sum += iterations;
}

fn empty(iterations: u64) void {
    for (0..iterations) |_| kit.barrier();
}

fn begin(iterations: u64) void {
    begun += iterations;
}

fn end(iterations: u64) void {
    ended += iterations;
}

fn plain(_: u64, said: *kit.Line) void {
    said.integer("sum", sum);
    said.string("text", "12 \\"x\\"\\n");
}

fn around(_: u64, said: *kit.Line) void {
    said.integer("begun", begun);
    said.integer("ended", ended);
}

fn figures(said: *kit.Line) void {
    said.integer("first_ns", @as(u32, 5));
}

fn exact(_: u64, said: *kit.Line) void {
    said.integer("lowest", @as(i64, -9223372036854775808));
    said.integer("highest", @as(u64, 18446744073709551615));
    said.integer("small", @as(u8, 200));
    said.integer("true", true);
    said.integer("beyond a double", @as(c_long, 9007199254740993));
}

fn bits(_: u64, said: *kit.Line) void {
    kit.calls.sayReal(said, "real", @as(f32, -0.0));
    kit.calls.sayText(said, "text", "a\\xff");
    kit.calls.sayText(said, "none", null);
    kit.calls.sayAddress(said, "null", null);
    kit.calls.sayAddress(said, "address", &memory);
    kit.calls.sayMemory(said, "memory", &memory);
    kit.calls.sayMemory(said, "spread", &spread);
}

fn nothing(_: u64, _: *kit.Line) void {}

fn die(_: u64) void {
    kit.fail("it went {s}", .{"wrong"});
}

pub export fn main(argc: c_int, argv: [*]const [*:0]const u8) c_int {
    kit.open(argc, argv);
    kit.calls.count(&spread);
    const waits = kit.option("binding")[0] == 'w';
    kit.serve(&.{
        .{ .name = "sum", .run = run, .empty = empty, .receipt = plain },
        .{
            .name = "around",
            .run = run,
            .empty = empty,
            .receipt = around,
            .before = begin,
            .after = end,
            .figures = figures,
        },
        .{ .name = "exact", .run = run, .empty = empty, .receipt = exact },
        .{ .name = "bits", .run = run, .empty = empty, .receipt = bits },
        .{ .name = "none", .run = run, .empty = empty, .receipt = nothing },
        .{ .name = "dies", .run = die, .empty = empty, .receipt = nothing },
        .{ .name = "never", .run = run, .empty = empty, .receipt = nothing, .unsupported = "it has no such call" },
    }, .{ .library = "1.2", .endpoint = if (waits) "tcp://here" else null });
    @import("std").debug.print("torn down\\n", .{});
    return 0;
}
"""
REAL = """\
const kit = @import("ffibench");

fn loop(_: u64) void {}

fn receipt(_: u64, said: *kit.Line) void {
    said.integer("value", @as(f64, 1.5));
}

pub export fn main() c_int {
    kit.serve(&.{.{ .name = "real", .run = loop, .empty = loop, .receipt = receipt }}, .{});
    return 0;
}
"""


def compiled(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Compile a script as a contestant is."""
    (zig,) = LANGUAGE.runtimes((), ())
    if isinstance(zig, Missing):
        pytest.skip(f"{zig.reason}; {zig.fix}")
    assert isinstance(zig, Runtime)
    (folder / "script.zig").write_text(script, encoding="utf-8")
    modules = ["--dep", "ffibench", f"-Mroot={folder / 'script.zig'}", f"-Mffibench={KIT / 'ffibench.zig'}"]
    command = [zig.executable, "build-exe", "-OReleaseFast", "-lc", *modules]
    made = ["--cache-dir", str(folder / "cache"), f"-femit-bin={folder / 'script'}"]
    return subprocess.run([*command, *made], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The script as a program."""
    folder = tmp_path_factory.mktemp("zig")
    answer = compiled(folder, SCRIPT)
    assert (answer.returncode, answer.stderr) == (0, "")
    return folder / "script"


def test_a_receipt_that_is_no_whole_number_does_not_compile(tmp_path: Path) -> None:
    answer = compiled(tmp_path, REAL)
    assert answer.returncode != 0
    assert "error: a receipt with f64, no whole number" in answer.stderr


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


def test_an_empty_receipt_is_an_object(program: Path) -> None:
    assert lines(program, cases="none:1")[1]["receipt"] == {}


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
        ({"cases": "dies:1"}, "it went wrong"),
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
