"""The worker contract in Rust: the kit in a program that calls nothing."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from support.rust import compiled, rust_or_skip

SCRIPT = r"""
use ffibench::{address, bytes, kept, opaque, real, text, Case, Fields, Memory, Outcome, Worker};
use std::process::ExitCode;

fn main() -> ExitCode {
    ffibench::main(work)
}

fn work(worker: &Worker) -> Outcome {
    let sum = kept(0_u64);
    let count = move |iterations| {
        for _ in 0..iterations {
            sum.set(opaque(sum.get()) + 1);
        }
        Ok(())
    };
    let values = move |_| {
        Fields::new()
            .integer("sum", sum.get())
            .integer("highest", u64::MAX)
            .integer("lowest", i64::MIN)
            .text("quoted", "a\"b\\\t\u{e4}\u{1}")
    };
    let memory = bytes(b"ab", 3);
    let long = Memory::of((0..=255_u8).cycle().take(1000).collect());
    let forms = move |_| {
        Fields::new()
            .text("memory", &memory.hex(3))
            .text("long", &long.hex(1000))
            .text("real", &real(-0.0))
            .text("text", &unsafe { text(memory.as_ptr()) })
            .text("nothing", &unsafe { text(std::ptr::null::<u8>()) })
            .text("address", address(memory.as_ptr()))
            .integer("flag", opaque(true))
            .integer("byte", opaque(-3_i8))
            .integer("real_kept", (opaque(1.5_f32) == 1.5 && opaque(2.5_f64) == 2.5) as u8)
    };
    let nothing = |_| Ok(());
    let none = |_| Fields::new();
    let cases = vec![
        ("sum", Case::new(count, nothing, values).figures(|done| Fields::new().integer("done", done))),
        ("forms", Case::new(nothing, nothing, forms)),
        ("around", Case::new(nothing, nothing, none).around(nothing, move |_| Ok(sum.set(0)))),
        ("dies", Case::new(|_| Err("add: it went wrong".into()), nothing, none)),
        ("ends", Case::new(nothing, nothing, none).around(nothing, |_| Err("it does not end".into()))),
    ];
    worker.serve("1.2 \"x\"", worker.option("endpoint").ok(), cases)?;
    eprintln!("torn down");
    Ok(())
}
"""
GO = "go\n"


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(rust_or_skip(), tmp_path_factory.mktemp("worker"), SCRIPT)


def run(worker: Path, *, told: str = GO, **changes: str | None) -> subprocess.CompletedProcess[str]:
    options = {"binding": "stub", "slices": "2", "warmup": "1", "cases": "sum:10", **changes}
    arguments = [f"{name}={value}" for name, value in options.items() if value is not None]
    return subprocess.run([worker, *arguments], input=told, capture_output=True, text=True, check=False, timeout=60)


def lines(answer: subprocess.CompletedProcess[str]) -> list[dict[str, object]]:
    assert (answer.returncode, answer.stderr) == (0, "torn down\n")
    return [json.loads(line) for line in answer.stdout.splitlines()]


def test_ready_then_a_line_a_slice_then_the_end(worker: Path) -> None:
    ready, *slices = lines(run(worker))
    assert ready == {"ready": {"library": '1.2 "x"'}}
    assert [(each["case"], each["kind"], each["slice"]) for each in slices] == [
        ("sum", "warmup", 0),
        ("sum", "timed", 0),
        ("sum", "timed", 1),
        ("sum", "empty", 0),
        ("sum", "empty", 1),
    ]
    fixed = {"highest": 2**64 - 1, "lowest": -(2**63), "quoted": 'a"b\\\tä\x01'}
    assert [each.get("receipt") for each in slices] == [
        {"sum": 10, **fixed},
        {"sum": 20, **fixed},
        {"sum": 30, **fixed},
        None,
        None,
    ]
    assert [each.get("figures") for each in slices] == [{"done": 10}] * 3 + [None] * 2
    for each in slices:
        assert all(type(each[clock]) is int and each[clock] > 0 for clock in ("wall_ns", "cpu_ns"))  # type: ignore[operator]
        assert "around_ns" not in each


def test_a_cold_slice_comes_first_where_it_is_asked_for(worker: Path) -> None:
    _, first, second, *_ = lines(run(worker, cold="3"))
    assert (first["kind"], first["slice"], second["kind"]) == ("cold", 0, "warmup")
    assert first["receipt"]["sum"] == 3  # type: ignore[index]
    assert "cold" not in {each.get("kind") for each in lines(run(worker, cold="0"))}


def test_what_is_around_a_loop_is_told_and_is_not_around_an_empty_one(worker: Path) -> None:
    _, *slices = lines(run(worker, cases="around:1"))
    assert [type(each.get("around_ns")) for each in slices] == [int] * 3 + [type(None)] * 2


def test_answers_are_written_as_the_kit_of_c_writes_them(worker: Path) -> None:
    _, first, *_ = lines(run(worker, cases="forms:1"))
    assert first["receipt"] == {
        "memory": "616261",
        "long": bytes(each * 999 // 63 % 256 for each in range(64)).hex(),
        "real": "8000000000000000",
        "text": "616261",
        "nothing": "NULL",
        "address": "not NULL",
        "flag": 1,
        "byte": -3,
        "real_kept": 1,
    }


def test_a_role_tells_where_it_waits(worker: Path) -> None:
    assert lines(run(worker, endpoint="tcp://x"))[0] == {"ready": {"library": '1.2 "x"', "endpoint": "tcp://x"}}


def test_a_case_that_it_lacks_is_told_once(worker: Path) -> None:
    _, only = lines(run(worker, cases="a:b:5"))
    assert only == {"case": "a:b", "unsupported": "stub has no case a:b"}


@pytest.mark.parametrize(
    ("told", "changes", "said"),
    [
        ("stop\n", {}, "expected go on standard input"),
        ("", {}, "expected go on standard input"),
        (GO, {"cases": "sum:ten"}, "not a number: ten"),
        (GO, {"cases": "sum"}, "not of the form NAME:COUNT: sum"),
        (GO, {"slices": "-1"}, "not a number: -1"),
        (GO, {"warmup": "18446744073709551616"}, "not a number: 18446744073709551616"),
        (GO, {"slices": None}, "missing argument: slices"),
        (GO, {"cases": "dies:1"}, "add: it went wrong"),
        (GO, {"cases": "ends:1"}, "it does not end"),
    ],
)
def test_a_mistake_is_told_with_a_status(worker: Path, told: str, changes: dict[str, str | None], said: str) -> None:
    answer = run(worker, told=told, **changes)
    assert answer.returncode == 1
    assert answer.stderr == f"ffibench worker: {said}\n"


def test_an_argument_without_a_name_is_refused(worker: Path) -> None:
    answer = subprocess.run([worker, "stub"], capture_output=True, text=True, check=False, timeout=60)
    assert (answer.returncode, answer.stderr) == (1, "ffibench worker: not of the form NAME=VALUE: stub\n")


def test_it_stays_until_its_input_closes(worker: Path) -> None:
    arguments = ["binding=stub", "slices=1", "warmup=0", "cases=sum:3"]
    pipe = subprocess.PIPE
    with subprocess.Popen([worker, *arguments], stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert "ready" in process.stdout.readline()
        process.stdin.write(GO)
        process.stdin.flush()
        assert '"timed"' in process.stdout.readline()
        assert '"empty"' in process.stdout.readline()
        assert process.poll() is None
        _, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (0, "torn down\n")
