"""The worker contract in Rust: the kit in a program that calls nothing."""

from __future__ import annotations

import pytest
from support.anywhere import runtime_or_skip
from support.contract import Contract, Worker, compile_without_warning

from ffibench.paths import asset

PROGRAM = r"""
use ffibench::{address, bytes, kept, opaque, real, text, Case, Fields, Memory, Outcome, Worker};
use std::process::ExitCode;

fn main() -> ExitCode {
    ffibench::main(work)
}

fn nothing(_: u64) -> Outcome {
    Ok(())
}

fn says(fields: fn() -> Fields) -> Case<'static> {
    Case::new(nothing, nothing, move |_| fields())
}

fn value(number: impl Into<i128> + Copy + 'static) -> Case<'static> {
    let receipt = move |_| Fields::new().integer("value", number);
    Case::new(nothing, nothing, receipt)
}

fn forms() -> Fields {
    let memory = bytes(b"ab", 3);
    let long = Memory::of((0..=255_u8).cycle().take(1000).collect());
    Fields::new()
        .text("memory", &memory.hex(3))
        .text("long", &long.hex(1000))
        .text("real", &real(-0.0))
        .text("text", &unsafe { text(memory.as_ptr()) })
        .text("nothing", &unsafe { text(std::ptr::null::<u8>()) })
        .text("address", address(memory.as_ptr()))
        .integer("flag", opaque(true))
        .integer("byte", opaque(-3_i8))
        .integer("single_kept", opaque(1.5_f32) == 1.5)
        .integer("double_kept", opaque(2.5_f64) == 2.5)
}

fn work(worker: &Worker) -> Outcome {
    let endpoint = match worker.option("binding")? {
        "waiting" => Some("tcp://here"),
        _ => None,
    };
    let total = kept(0_u64);
    let add = move |iterations| {
        for _ in 0..iterations {
            total.set(opaque(total.get()) + 1);
        }
        Ok(())
    };
    let counted = move |done: u64| {
        let fields = Fields::new().integer("calls", done);
        fields.integer("total", total.get())
    };
    let before = move |_| Ok(total.set(100));
    let after = move |_| Ok(total.set(total.get() + 1));
    let around = Case::new(add, nothing, counted)
        .around(before, after)
        .figures(|_| Fields::new().integer("first_ns", 7));
    let text = says(|| Fields::new().text("value", "a\"b\\c\n\t\u{1}ä😀"));
    let dies = Case::new(|_| Err("it went wrong".into()), nothing, counted);
    let ends = says(Fields::new).around(nothing, |_| Err("it does not end".into()));
    let cases = vec![
        ("sum", Case::new(add, nothing, counted)),
        ("around", around),
        ("lowest", value(i64::MIN)),
        ("highest", value(u64::MAX)),
        ("odd", value(9_007_199_254_740_993_i64)),
        ("text", text),
        ("forms", says(forms)),
        ("dies", dies),
        ("ends", ends),
        ("never", Case::unsupported("it has no such call")),
    ];
    worker.serve("1.2 \"x\"", endpoint, cases)?;
    eprintln!("torn down");
    Ok(())
}
"""


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Worker:
    rust = runtime_or_skip("rust").executable
    folder = tmp_path_factory.mktemp("rust")
    (folder / "program.rs").write_text(PROGRAM, encoding="utf-8")
    rustc = [rust, "--edition=2021", "-Copt-level=3", "-Dwarnings"]
    compile_without_warning(folder, *rustc, "--crate-type=rlib", asset("native/kits/rust/ffibench.rs"))
    compile_without_warning(folder, *rustc, "--extern=ffibench=libffibench.rlib", "program.rs")
    return Worker(folder / "program")


class TestContract(Contract):
    def test_answers_are_written_as_the_kit_of_c_writes_them(self, worker: Worker) -> None:
        assert worker.receipt("forms") == {
            "memory": "616261",
            "long": bytes(each * 999 // 63 % 256 for each in range(64)).hex(),
            "real": "8000000000000000",
            "text": "616261",
            "nothing": "NULL",
            "address": "not NULL",
            "flag": 1,
            "byte": -3,
            "single_kept": 1,
            "double_kept": 1,
        }

    def test_what_comes_after_a_loop_may_go_wrong(self, worker: Worker) -> None:
        assert worker.complaint(cases="ends:1") == "ffibench worker: it does not end"
