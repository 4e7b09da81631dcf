r"""The worker contract, which every kit keeps: its tests, and the worker that they start.

A language's tests have a fixture `worker`, a small program with the kit, and a class that inherits from `Contract`.
Beside what is its own language's, the program has these cases:

| case | what its loop does | its receipt |
| --- | --- | --- |
| `sum` | adds the iterations to a total | `{"calls": iterations, "total": total}` |
| `around` | the same; before it the total becomes 100, after it 1 more | the same; its figures: `{"first_ns": 7}` |
| `lowest`, `highest`, `odd`, `text` | nothing | `{"value": ...}`, those of `VALUES` |
| `never` | cannot be run: "it has no such call" | |
| `dies` | ends the worker: "it went wrong" | |

The version of its library is `1.2 "x"`. Where its argument `binding` is `waiting`, its endpoint is `tcp://here`.
The last that it does is to write `torn down` to standard error.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, ClassVar

import pytest

GO = "go\n"
VALUES = {
    "lowest": -(2**63),
    "highest": 2**64 - 1,
    "odd": 2**53 + 1,  # the first whole number that a floating-point number cannot hold
    "text": 'a"b\\c\n\t\x01ä😀',
}


def compile_without_warning(folder: Path, *command: object, **environment: str) -> None:
    """Run a compiler in a folder; it must have nothing to say."""
    answer = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=600,
    )
    assert answer.stdout == ""
    assert answer.returncode == 0


class Worker:
    """A worker by its command, to which the arguments of the contract are added."""

    def __init__(self, *command: str | Path) -> None:
        self.command = [str(word) for word in command]

    def with_arguments(self, *more: str, **changes: str | None) -> list[str]:
        """Its command with those of the contract; `changes` differ, None is left out; `more` come after them."""
        options = {"binding": "stub", "slices": "2", "warmup": "1", "cases": "sum:10", **changes}
        return [*self.command, *(f"{name}={value}" for name, value in options.items() if value is not None), *more]

    def run(self, *more: str, told: str = GO, **changes: str | None) -> subprocess.CompletedProcess[str]:
        """Run it to its end, with all that it is told on standard input."""
        command = self.with_arguments(*more, **changes)
        return subprocess.run(command, input=told, capture_output=True, encoding="utf-8", check=False, timeout=120)

    def lines(self, **changes: str) -> list[dict[str, Any]]:
        """What it prints where all goes well, with the ready line before the slices."""
        answer = self.run(**changes)
        assert (answer.returncode, answer.stderr) == (0, "torn down\n")
        return [json.loads(line) for line in answer.stdout.splitlines()]

    def receipt(self, case: str) -> Any:  # noqa: ANN401
        """What it says of one iteration of a case."""
        _, timed, _ = self.lines(cases=f"{case}:1", slices="1", warmup="0")
        return timed["receipt"]

    def complaint(self, *more: str, told: str = GO, **changes: str | None) -> str:
        """The last line of what it says where it ends with a mistake, and has run nothing."""
        answer = self.run(*more, told=told, **changes)
        assert answer.returncode > 0
        assert "wall_ns" not in answer.stdout
        assert "torn down" not in answer.stderr
        return answer.stderr.splitlines()[-1]


class Contract:
    """The tests that every kit passes."""

    told_besides: ClassVar[set[str]] = set()
    """What the ready line has beside the version of the library."""

    def test_ready_then_a_line_a_slice_then_the_end(self, worker: Worker) -> None:
        ready, *slices = worker.lines()
        assert ready["ready"].keys() == {"library", *self.told_besides}
        assert ready["ready"]["library"] == '1.2 "x"'
        assert [(each["case"], each["kind"], each["slice"]) for each in slices] == [
            ("sum", "warmup", 0),
            ("sum", "timed", 0),
            ("sum", "timed", 1),
            ("sum", "empty", 0),
            ("sum", "empty", 1),
        ]
        receipts = [each.get("receipt") for each in slices]
        assert receipts == [*({"calls": 10, "total": total} for total in (10, 20, 30)), None, None]
        assert not any("around_ns" in each or "figures" in each for each in slices)

    def test_a_cold_slice_comes_first_where_it_is_asked_for(self, worker: Worker) -> None:
        _, first, second, *_ = worker.lines(cold="3")
        assert (first["kind"], first["slice"], first["receipt"]) == ("cold", 0, {"calls": 3, "total": 3})
        assert (second["kind"], second["receipt"]) == ("warmup", {"calls": 10, "total": 13})
        assert "cold" not in {each.get("kind") for each in worker.lines(cold="0")}

    def test_no_slice_where_none_is_asked_for(self, worker: Worker) -> None:
        assert len(worker.lines(slices="0", warmup="0")) == 1

    def test_what_is_around_a_slice_is_told_and_is_not_around_an_empty_one(self, worker: Worker) -> None:
        slices = worker.lines(cases="around:5,sum:1", warmup="0")[1:]
        timed, empty, sums = slices[:2], slices[2:4], slices[4:]
        assert [each["receipt"] for each in timed] == [{"calls": 5, "total": 106}] * 2
        assert [each["figures"] for each in timed] == [{"first_ns": 7}] * 2
        assert [type(each["around_ns"]) for each in timed] == [int] * 2
        assert [each.keys() & {"receipt", "figures", "around_ns"} for each in empty] == [set()] * 2
        assert sums[0]["receipt"] == {"calls": 1, "total": 107}

    def test_its_clocks_run(self, worker: Worker) -> None:
        slices = worker.lines(cases="sum:1000000")[1:]
        assert all(type(each[clock]) is int for each in slices for clock in ("wall_ns", "cpu_ns"))
        assert all(each[clock] > 0 for each in slices[:3] for clock in ("wall_ns", "cpu_ns"))

    @pytest.mark.parametrize("case", VALUES)
    def test_numbers_are_exact_to_64_bits_and_texts_are_as_they_were(self, worker: Worker, case: str) -> None:
        assert worker.receipt(case) == {"value": VALUES[case]}

    def test_a_case_that_it_cannot_run_is_told_once(self, worker: Worker) -> None:
        unknown = 'a:b "c"\\ä'
        first, *slices, last = worker.lines(cases=f"never:5,sum:1,{unknown}:5")[1:]
        assert first == {"case": "never", "unsupported": "it has no such call"}
        assert [each["case"] for each in slices] == ["sum"] * 5
        assert last == {"case": unknown, "unsupported": f"stub has no case {unknown}"}

    def test_it_tells_where_others_connect_to(self, worker: Worker) -> None:
        ready = worker.lines(binding="waiting")[0]["ready"]
        assert ready.keys() == {"library", "endpoint", *self.told_besides}
        assert ready["endpoint"] == "tcp://here"

    @pytest.mark.parametrize("told", ["stop\n", ""])
    def test_nothing_runs_before_go(self, worker: Worker, told: str) -> None:
        assert worker.complaint(told=told) == "ffibench worker: expected go on standard input"

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"cases": "sum:ten"}, "not a number: ten"),
            ({"cases": "sum"}, "not of the form NAME:ITERATIONS: sum"),
            ({"slices": "-1"}, "not a number: -1"),
            ({"slices": "1_0"}, "not a number: 1_0"),
            ({"slices": ""}, "not a number: "),
            ({"warmup": "18446744073709551616"}, "not a number: 18446744073709551616"),
            ({"cold": "few"}, "not a number: few"),
            ({"warmup": None}, "missing argument: warmup"),
            ({"binding": None}, "missing argument: binding"),
        ],
    )
    def test_a_mistake_is_told_with_a_status(self, worker: Worker, changes: dict[str, Any], said: str) -> None:
        assert worker.complaint(**changes) == f"ffibench worker: {said}"

    def test_an_argument_has_a_name(self, worker: Worker) -> None:
        assert worker.complaint("nameless") == "ffibench worker: not of the form NAME=VALUE: nameless"

    def test_a_loop_that_goes_wrong_ends_it(self, worker: Worker) -> None:
        assert "it went wrong" in worker.complaint(cases="dies:1")

    def test_it_stays_until_its_input_closes(self, worker: Worker) -> None:
        command, pipe = worker.with_arguments(slices="1", warmup="0"), subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, pipesize=4096) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            assert "ready" in process.stdout.readline()
            process.stdin.write(GO)
            process.stdin.flush()
            assert '"timed"' in process.stdout.readline()
            assert '"empty"' in process.stdout.readline()
            process.stdin.write("stay\n" * 4096)  # more than a pipe holds, which breaks where the worker has left
            process.stdin.flush()
            _, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (0, "torn down\n")
