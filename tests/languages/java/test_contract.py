"""The worker contract in Java: the kit with a clock of Java's own in place of a binding's, compiled once."""

from __future__ import annotations

import sys
from typing import ClassVar

import pytest
from support.anywhere import runtime_or_skip
from support.contract import Contract, Worker, compile_without_warning

from ffibench.builds.project import BuildError, build
from ffibench.languages.java import LANGUAGE
from ffibench.model.runtime import Runtime
from ffibench.paths import asset
from ffibench.shims.shim import core_project
from ffibench.shims.technology import technologies

KIT = asset("native/kits/java")
CLOCK = "package ffibench; final class Clock { static long read(int id) { return System.nanoTime(); } }"
PROGRAM = r"""
import ffibench.Answers;
import ffibench.Known;
import ffibench.Loops;
import ffibench.Struct;
import ffibench.Worker;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;

final class Contestant {
    private static long total;

    private static long added(long iterations) {
        var one = Known.integer(1);
        for (long i = 0; i < iterations; i++)
            total += one.integer;
        return iterations;
    }

    private static Loops says(Object value) {
        var receipt = new HashMap<String, Object>();
        receipt.put("value", value);
        return new Loops(iterations -> receipt, iterations -> { });
    }

    private static String struct() {
        var inner = new Struct().field("low", "unsigned char").field("high", "double");
        var outer = new Struct().field("flag", "_Bool").field("deep", inner).field("items", Struct.item("short"), 3);
        var made = outer.with("flag", 1L, "deep.low", 200L, "deep.high", 0.5, "items[2]", -3L);
        return outer.size() + " " + outer.exact(made, "deep.low") + " " + outer.real(made, "deep.high") + " "
            + outer.exact(made, "items[2]") + " " + outer.exact(made, "items[0]") + " " + outer.exact(made, "flag");
    }

    public static void main(String[] arguments) throws Exception {
        var worker = new Worker(arguments).library("1.2 \"x\"");
        var endpoint = worker.option("binding").equals("waiting") ? "tcp://here" : null;
        var cases = new HashMap<String, Loops>();
        cases.put("sum", new Loops(n -> Map.of("calls", added(n), "total", total), n -> { }));
        cases.put("around", new Loops(n -> Map.of("calls", added(n)), n -> { }).before(n -> total = 100)
            .after(n -> Map.of("total", ++total)).figures(n -> Map.of("first_ns", 7)));
        cases.put("dies", new Loops(n -> {
            throw new IllegalStateException("it went wrong");
        }, n -> { }));
        cases.put("never", Loops.unsupported("it has no such call"));
        cases.put("lowest", says(Long.MIN_VALUE));
        cases.put("highest", says(Answers.unsigned(-1)));
        cases.put("odd", says(9007199254740993L));
        cases.put("large", says(new BigInteger("100000000000000000000")));
        cases.put("text", says("a\"b\\c\n\t\001ä😀"));
        cases.put("real", says(1.5));
        cases.put("nothing", says(null));
        cases.put("struct", says(struct()));
        if (worker.option("binding").equals("bytes"))
            cases.put("message", says(worker.option("message") + " " + worker.bytes("message").length));
        worker.serve(endpoint, cases);
        System.err.println("torn down");
    }
}
"""


def compiler(java: Runtime) -> list[str]:
    """That of the JDK, or the one that is built for a Java without."""
    if java.context["javac"]:
        return [java.context["javac"], "-Xlint:all"]
    (technology,) = (each for each in technologies() if each.language == "java" and each.name == "ffm")
    core = core_project(technology, java, {})
    assert core is not None
    try:
        ecj = build(core).with_name("ecj.jar")
    except BuildError as error:
        pytest.skip(str(error))
    return [java.executable, "-jar", str(ecj), "-proc:none", "-source", "17", "-target", "17"]


@pytest.fixture(scope="module")
def worker(private_folders: None, tmp_path_factory: pytest.TempPathFactory) -> Worker:
    java = runtime_or_skip("java")
    folder = tmp_path_factory.mktemp("java")
    (folder / "Clock.java").write_text(CLOCK, encoding="utf-8")
    (folder / "Contestant.java").write_text(PROGRAM, encoding="utf-8")
    sources = [*folder.glob("*.java"), *sorted(KIT.glob("*.java"))]
    program = folder / "program.jar"
    command = [sys.executable, "-I", KIT / "compile.py", program, "", *compiler(java), "--", *sources]
    compile_without_warning(folder, *command)
    return Worker(*LANGUAGE.command(java, program, program))


class TestContract(Contract):
    told_besides: ClassVar[set[str]] = {"thread"}

    def test_the_thread_that_is_told_is_a_number(self, worker: Worker) -> None:
        assert type(worker.lines()[0]["ready"]["thread"]) is int

    @pytest.mark.parametrize(("case", "value"), [("large", 10**20), ("struct", "32 200 0.5 -3 0 1")])
    def test_further_receipts_are_exact(self, worker: Worker, case: str, value: int | str) -> None:
        assert worker.receipt(case) == {"value": value}

    @pytest.mark.parametrize(("case", "value"), [("real", "1.5"), ("nothing", "null")])
    def test_a_receipt_is_made_of_whole_numbers_and_texts(self, worker: Worker, case: str, value: str) -> None:
        assert worker.complaint(cases=f"{case}:1") == f"ffibench worker: a receipt with {value}, no whole number"

    def test_arguments_are_bytes_whatever_the_locale_says(
        self, worker: Worker, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("LC_ALL", "C")
        answer = worker.lines(binding="bytes", message="ä=€", cases="message:1")[1]["receipt"]["value"]
        assert answer == "ä=€ 6"
