"""The worker contract in C++: the kit in a program that calls nothing."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from ffibench.paths import asset

SCRIPT = r"""
#include "ffibench.hpp"

#include <limits>

static std::uint64_t total;

struct Sum : ffibench::Case {
    void run(std::uint64_t iterations) override
    {
        for (std::uint64_t i = 0; i < iterations; i++) {
            ffibench::opaque(total);
            total++;
        }
    }
    void empty(std::uint64_t) override {}
    ffibench::Fields receipt(std::uint64_t) override
    {
        ffibench::Fields fields;
        fields.integer("sum", total).integer("highest", std::numeric_limits<std::uint64_t>::max());
        fields.integer("lowest", std::numeric_limits<std::int64_t>::min()).integer("flag", true).integer("byte", 'a');
        return fields.text("quoted", "a\"b\\\t\u00e4\x01");
    }
    std::optional<ffibench::Fields> figures() override { return ffibench::Fields().integer("done", 1); }
};

enum class Colour : signed char { red = -3 };

struct Forms : ffibench::Case {
    void run(std::uint64_t) override {}
    void empty(std::uint64_t) override {}
    ffibench::Fields receipt(std::uint64_t) override
    {
        const auto memory = ffibench::bytes("ab", 2, 3);
        ffibench::Fields fields;
        double real = -0.0;
        auto colour = Colour::red;

        ffibench::opaque(real);
        ffibench::opaque(colour);
        fields.text("memory", ffibench::memory(memory, 3)).text("text", ffibench::text(memory.data()));
        fields.text("long", ffibench::memory(ffibench::counting<unsigned char>(1000), 1000));
        fields.text("nothing", ffibench::text(nullptr)).text("address", ffibench::address(&real));
        return fields.text("real", ffibench::real(real)).integer("colour", colour);
    }
    bool around() const override { return true; }
};

struct Dies : Forms {
    void run(std::uint64_t) override { ffibench::wrong("add: it went wrong"); }
};

static void work(const ffibench::Worker &worker)
{
    Sum sum;
    Forms forms;
    Dies dies;

    worker.serve("1.2 \"x\"", {{"sum", &sum}, {"forms", &forms}, {"dies", &dies}}, worker.find("endpoint"));
    std::cerr << "torn down\n";
}

int main(int argc, char **argv)
{
    return ffibench::main(argc, argv, work);
}
"""
GO = "go\n"


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program; warnings are errors."""
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("no C++ compiler; apt-get install gcc g++")
    folder = tmp_path_factory.mktemp("worker")
    source, program = folder / "cpp.cpp", folder / "worker"
    source.write_text(SCRIPT, encoding="utf-8")
    flags = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{asset('native/kits/cpp')}"]
    subprocess.run([compiler, *flags, source, "-o", program], check=True)
    return program


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
    fixed = {"highest": 2**64 - 1, "lowest": -(2**63), "flag": 1, "byte": 97, "quoted": 'a"b\\\tä\x01'}
    assert [each.get("receipt") for each in slices] == [
        {"sum": 10, **fixed},
        {"sum": 20, **fixed},
        {"sum": 30, **fixed},
        None,
        None,
    ]
    assert [each.get("figures") for each in slices] == [{"done": 1}] * 3 + [None] * 2
    assert all(type(each[clock]) is int for each in slices for clock in ("wall_ns", "cpu_ns"))
    assert not any("around_ns" in each for each in slices)


def test_a_cold_slice_comes_first_where_it_is_asked_for(worker: Path) -> None:
    _, first, second, *_ = lines(run(worker, cold="3"))
    assert (first["kind"], first["slice"], second["kind"]) == ("cold", 0, "warmup")
    assert first["receipt"]["sum"] == 3  # type: ignore[index]
    assert "cold" not in {each.get("kind") for each in lines(run(worker, cold="0"))}


def test_answers_are_written_as_the_kit_of_c_writes_them(worker: Path) -> None:
    ready, first, *others = lines(run(worker, cases="forms:1", endpoint="tcp://x"))
    assert ready == {"ready": {"library": '1.2 "x"', "endpoint": "tcp://x"}}
    assert first["receipt"] == {
        "memory": "616261",
        "text": "616261",
        "long": bytes(each * 999 // 63 % 256 for each in range(64)).hex(),
        "nothing": "NULL",
        "address": "not NULL",
        "real": "8000000000000000",
        "colour": -3,
    }
    assert [type(each.get("around_ns")) for each in (first, *others)] == [int] * 3 + [type(None)] * 2


def test_a_case_that_it_lacks_is_told_once(worker: Path) -> None:
    _, only = lines(run(worker, cases="a:b:5"))
    assert only == {"case": "a:b", "unsupported": "stub has no case a:b"}


@pytest.mark.parametrize(
    ("told", "changes", "said"),
    [
        ("stop\n", {}, "expected go on standard input"),
        ("", {}, "expected go on standard input"),
        (GO, {"cases": "sum:ten"}, "not a number: ten"),
        (GO, {"cases": "sum:"}, "not a number: "),
        (GO, {"cases": "sum"}, "not of the form NAME:COUNT: sum"),
        (GO, {"slices": "-1"}, "not a number: -1"),
        (GO, {"warmup": "18446744073709551616"}, "not a number: 18446744073709551616"),
        (GO, {"slices": None}, "missing argument: slices"),
        (GO, {"cases": "dies:1"}, "add: it went wrong"),
    ],
)
def test_a_mistake_is_told_with_a_status(worker: Path, told: str, changes: dict[str, str | None], said: str) -> None:
    answer = run(worker, told=told, **changes)
    assert answer.returncode == 1
    assert answer.stderr == f"ffibench worker: {said}\n"
