"""The worker contract in Java: the kit with a clock of Java's own in place of a binding's, compiled once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.java import java_or_skip

from ffibench.builds.project import BuildError, build
from ffibench.languages.java import LANGUAGE
from ffibench.model.runtime import Runtime
from ffibench.paths import asset
from ffibench.shims.shim import core_project
from ffibench.shims.technology import technologies

KIT = asset("native/kits/java")
GO = "go\n"
SOURCES = {
    "Clock.java": "package ffibench; final class Clock { static long read(int id) { return System.nanoTime(); } }",
    "Contestant.java": """
import ffibench.Answers;
import ffibench.Known;
import ffibench.Loops;
import ffibench.Struct;
import ffibench.Worker;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;

final class Contestant {
    static Loops of(Object value) {
        var receipt = new HashMap<String, Object>();
        receipt.put("value", value);
        return new Loops(iterations -> receipt, iterations -> { });
    }

    public static void main(String[] arguments) throws Exception {
        var worker = new Worker(arguments);
        var cases = new HashMap<String, Loops>();
        var sum = new long[2];
        var known = Known.integer(1);
        cases.put("sum", new Loops(iterations -> {
            for (long i = 0; i < iterations; i++)
                sum[0] += known.integer;
            return Map.of("sum", sum[0], "text", "12\\n");
        }, iterations -> sum[1]++).before(iterations -> sum[1] = 7)
            .after(iterations -> Map.of("before", sum[1])).figures(iterations -> Map.of("figure", iterations)));
        cases.put("dies", new Loops(iterations -> {
            throw new IllegalStateException("add: it went wrong");
        }, iterations -> { }));
        cases.put("never", Loops.unsupported("it has no such call"));
        cases.put("lowest", of(Long.MIN_VALUE));
        cases.put("highest", of(Long.MAX_VALUE));
        cases.put("unsigned", of(Answers.unsigned(-1)));
        cases.put("large", of(new BigInteger("100000000000000000000")));
        cases.put("text", of("a\\"b\\\\\\t\\u00e4\\u20ac\\ud83d\\ude00"));
        cases.put("real", of(1.5));
        cases.put("nothing", of(null));
        var inner = new Struct().field("low", "unsigned char").field("high", "double");
        var outer = new Struct().field("flag", "_Bool").field("deep", inner).field("items", Struct.item("short"), 3);
        var made = outer.with("flag", 1L, "deep.low", 200L, "deep.high", 0.5, "items[2]", -3L);
        var told = outer.size() + " " + outer.exact(made, "deep.low") + " " + outer.real(made, "deep.high") + " "
            + outer.exact(made, "items[2]") + " " + outer.exact(made, "items[0]") + " " + outer.exact(made, "flag");
        cases.put("struct", of(told));
        if (worker.option("binding").equals("told"))
            System.err.print(worker.option("message") + " " + worker.bytes("message").length);
        worker.serve(cases);
        System.err.println("torn down");
    }
}
""",
}


@pytest.fixture(scope="module")
def java() -> Runtime:
    return java_or_skip()


@pytest.fixture(scope="module")
def program(java: Runtime, private_folders: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The kit with a contestant, in a jar."""
    folder = tmp_path_factory.mktemp("program")
    for name, text in SOURCES.items():
        (folder / name).write_text(text, encoding="utf-8")
    sources = [*(folder / name for name in SOURCES), *sorted(KIT.glob("*.java"))]
    command = [sys.executable, "-I", str(KIT / "compile.py"), str(folder / "program.jar"), "", *compiler(java), "--"]
    answer = subprocess.run([*command, *map(str, sources)], capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", ""), "the compiler has nothing to say"
    return folder / "program.jar"


def compiler(java: Runtime) -> list[str]:
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


def run(java: Runtime, program: Path, told: str = GO, **changes: str) -> subprocess.CompletedProcess[str]:
    options = {"binding": "stub", "slices": "2", "warmup": "1", "cases": "sum:10", **changes}
    arguments = [f"{name}={value}" for name, value in options.items() if value != "-"]
    command = [*LANGUAGE.command(java, program, program), *arguments]
    return subprocess.run(command, input=told, capture_output=True, text=True, check=False, timeout=300)


def test_ready_then_a_line_a_slice_then_the_end(java: Runtime, program: Path) -> None:
    answer = run(java, program, cold="3")
    ready, *slices = [json.loads(line) for line in answer.stdout.splitlines()]
    assert set(ready["ready"]) == {"library", "thread"}
    assert [(each["kind"], each["slice"]) for each in slices] == [
        *[("cold", 0), ("warmup", 0), ("timed", 0), ("timed", 1)],
        *[("empty", 0), ("empty", 1)],
    ]
    assert [each.get("receipt") for each in slices] == [
        *({"sum": 3 + 10 * number, "text": "12\n", "before": 7} for number in range(4)),
        *(None, None),
    ]
    assert [each.get("figures") for each in slices] == [{"figure": 3}, *[{"figure": 10}] * 3, None, None]
    assert ["around_ns" in each for each in slices] == [True] * 4 + [False] * 2
    assert all(type(each[clock]) is int and each[clock] >= 0 for each in slices for clock in ("wall_ns", "cpu_ns"))
    assert (answer.returncode, answer.stderr) == (0, "torn down\n")


VALUES = {
    "lowest": -(2**63),
    "highest": 2**63 - 1,
    "unsigned": 2**64 - 1,
    "large": 10**20,
    "text": 'a"b\\\tä€😀',
    "struct": "32 200 0.5 -3 0 1",
}


def test_receipts_are_exact_and_cases_in_the_order_that_is_asked_for(java: Runtime, program: Path) -> None:
    cases = ",".join(f"{name}:1" for name in [*VALUES, "never", "a:b"])
    answer = run(java, program, cases=cases, slices="1", warmup="0")
    lines = [json.loads(line) for line in answer.stdout.splitlines()[1:]]
    assert {each["case"]: each["receipt"]["value"] for each in lines if "receipt" in each} == VALUES
    assert lines[-2:] == [
        {"case": "never", "unsupported": "it has no such call"},
        {"case": "a:b", "unsupported": "stub has no case a:b"},
    ]


def test_arguments_are_bytes_whatever_the_locale_says(
    java: Runtime, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    answer = run(java, program, binding="told", message="ä=€")
    assert answer.stderr.endswith(" 6torn down\n")
    assert answer.returncode == 0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"told": "stop\n"}, "expected go on standard input"),
        ({"told": ""}, "expected go on standard input"),
        ({"cases": "sum:ten"}, "not a number: ten, of cases"),
        ({"cases": "sum"}, "not of the form NAME:ITERATIONS: sum"),
        ({"slices": "-1"}, "not a number: -1, of slices"),
        ({"warmup": "-"}, "missing argument: warmup"),
        ({"cases": "dies:1"}, "add: it went wrong"),
        ({"cases": "real:1"}, "a receipt with 1.5, no whole number"),
        ({"cases": "nothing:1"}, "a receipt with null, no whole number"),
    ],
)
def test_a_mistake_is_told_in_the_last_line_with_a_status(
    java: Runtime, program: Path, changes: dict[str, str], said: str
) -> None:
    answer = run(java, program, **changes)
    assert answer.returncode == 1
    assert answer.stderr.splitlines()[-1] == f"ffibench worker: {said}"
