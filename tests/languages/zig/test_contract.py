"""The worker contract in Zig: the kit in a program of its own, and what it refuses."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.anywhere import runtime_or_skip
from support.contract import Contract, Worker, compile_without_warning

from ffibench.paths import asset

PROGRAM = r"""
const std = @import("std");
const kit = @import("ffibench");

var total: u64 = 0;
var memory = [_]u8{ 1, 2, 255 };
var spread: [6301]u8 = undefined;

fn add(iterations: u64) void {
    for (0..iterations) |_| {
        kit.barrier();
        total += 1;
    }
}

fn empty(iterations: u64) void {
    for (0..iterations) |_| kit.barrier();
}

fn counted(iterations: u64, said: *kit.Line) void {
    said.integer("calls", iterations);
    said.integer("total", total);
}

fn begin(_: u64) void {
    total = 100;
}

fn end(_: u64) void {
    total += 1;
}

fn figures(said: *kit.Line) void {
    said.integer("first_ns", @as(u32, 7));
}

fn die(_: u64) void {
    kit.fail("it went {s}", .{"wrong"});
}

fn text(_: u64, said: *kit.Line) void {
    said.string("value", "a\"b\\c\n\t\x01ä😀");
}

fn exact(_: u64, said: *kit.Line) void {
    said.integer("small", @as(u8, 200));
    said.integer("true", true);
}

fn bits(_: u64, said: *kit.Line) void {
    kit.calls.sayReal(said, "real", @as(f32, -0.0));
    kit.calls.sayText(said, "text", "a\xff");
    kit.calls.sayText(said, "none", null);
    kit.calls.sayAddress(said, "null", null);
    kit.calls.sayAddress(said, "address", &memory);
    kit.calls.sayMemory(said, "memory", &memory);
    kit.calls.sayMemory(said, "spread", &spread);
}

fn nothing(_: u64, _: *kit.Line) void {}

fn number(comptime value: anytype) fn (u64, *kit.Line) void {
    return struct {
        fn receipt(_: u64, said: *kit.Line) void {
            said.integer("value", value);
        }
    }.receipt;
}

fn says(name: []const u8, receipt: *const fn (u64, *kit.Line) void) kit.Case {
    return .{ .name = name, .run = empty, .empty = empty, .receipt = receipt };
}

pub export fn main(argc: c_int, argv: [*]const [*:0]const u8) c_int {
    kit.open(argc, argv);
    kit.calls.count(&spread);
    const waits = std.mem.eql(u8, kit.option("binding"), "waiting");
    const sum = kit.Case{ .name = "sum", .run = add, .empty = empty, .receipt = counted };
    var around = sum;
    around.name = "around";
    around.before = begin;
    around.after = end;
    around.figures = figures;
    var never = says("never", nothing);
    never.unsupported = "it has no such call";
    kit.serve(&.{
        sum,
        around,
        says("lowest", number(@as(i64, -9223372036854775808))),
        says("highest", number(@as(u64, 18446744073709551615))),
        says("odd", number(@as(c_long, 9007199254740993))),
        says("text", text),
        says("exact", exact),
        says("bits", bits),
        says("none", nothing),
        .{ .name = "dies", .run = die, .empty = empty, .receipt = nothing },
        never,
    }, .{ .library = "1.2 \"x\"", .endpoint = if (waits) "tcp://here" else null });
    std.debug.print("torn down\n", .{});
    return 0;
}
"""
REAL = r"""
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


def command(folder: Path, text: str) -> list[str]:
    """That compiles a text as a contestant is."""
    (folder / "program.zig").write_text(text, encoding="utf-8")
    modules = ["--dep", "ffibench", "-Mroot=program.zig", f"-Mffibench={asset('native/kits/zig/ffibench.zig')}"]
    zig = [runtime_or_skip("zig").executable, "build-exe", "-OReleaseFast", "-lc"]
    return [*zig, *modules, "--cache-dir", "cache", "-femit-bin=program"]


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Worker:
    folder = tmp_path_factory.mktemp("zig")
    compile_without_warning(folder, *command(folder, PROGRAM))
    return Worker(folder / "program")


class TestContract(Contract):
    def test_further_numbers_are_exact(self, worker: Worker) -> None:
        assert worker.receipt("exact") == {"small": 200, "true": 1}

    def test_answers_are_written_as_c_writes_them(self, worker: Worker) -> None:
        assert worker.receipt("bits") == {
            "real": "8000000000000000",
            "text": "61ff",
            "none": "NULL",
            "null": "NULL",
            "address": "not NULL",
            "memory": "0102ff",
            "spread": bytes(each * 100 % 256 for each in range(64)).hex(),
        }

    def test_an_empty_receipt_is_an_object(self, worker: Worker) -> None:
        assert worker.receipt("none") == {}


def test_a_receipt_that_is_no_whole_number_does_not_compile(tmp_path: Path) -> None:
    answer = subprocess.run(command(tmp_path, REAL), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert answer.returncode != 0
    assert "error: a receipt with f64, no whole number" in answer.stderr
