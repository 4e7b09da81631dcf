"""The worker contract in LuaJIT: the kit in a process of its own, by luajit and by the wheel."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from ffibench.languages.luajit import LANGUAGE
from ffibench.model.runtime import Runtime

SCRIPT = """\
local ffibench = require "ffibench"
local sum = 0
ffibench.serve {
  library = '1.2 "x"',
  cases = {
    sum = {
      run = function(n) sum = sum + n return { sum = sum, text = "12\\n" } end,
      empty = function() end,
      before = function() end,
      after = function(n) return { more = n } end,
      figures = function() return { first_match_ns = 7 } end,
    },
    plain = { run = function(n) return { sum = n } end, empty = function() end },
    fails = { run = function() error("add: it went wrong") end, empty = function() end },
    silent = { run = function() end, empty = function() end },
    never = "it has no such call",
  },
}
io.stderr:write("torn down\\n")
"""


class Scripted:
    """A worker from a text."""

    def __init__(self, luajit: Runtime, folder: Path) -> None:
        self.luajit, self.folder = luajit, folder

    def run(self, script: str = SCRIPT, *, told: str = "go\n", **changes: str) -> subprocess.CompletedProcess[str]:
        source = self.folder / "luajit.lua"
        source.write_text(script, encoding="utf-8")
        options = {"binding": "stub", "slices": "2", "warmup": "1", "cases": "sum:10", **changes}
        command = LANGUAGE.command(self.luajit, source, None)
        arguments = [f"{name}={value}" for name, value in options.items() if value]
        return subprocess.run(
            [*command, *arguments], input=told, capture_output=True, text=True, check=False, timeout=60
        )

    def receipt(self, value: str) -> subprocess.CompletedProcess[str]:
        run = f"function() return {{ value = {value} }} end"
        cases = f"{{ sum = {{ run = {run}, empty = function() end }} }}"
        return self.run(f'require("ffibench").serve {{ cases = {cases} }}', slices="1", warmup="0")


@pytest.fixture
def scripted(luajit: Runtime, tmp_path: Path) -> Scripted:
    return Scripted(luajit, tmp_path)


def test_ready_then_a_line_a_slice_then_the_end(scripted: Scripted) -> None:
    answer = scripted.run(cold="3")
    ready, *slices = [json.loads(line) for line in answer.stdout.splitlines()]
    assert ready == {"ready": {"library": '1.2 "x"'}}
    kinds = [("cold", 0), ("warmup", 0), ("timed", 0), ("timed", 1), ("empty", 0), ("empty", 1)]
    assert [(each["kind"], each["slice"]) for each in slices] == kinds
    receipts = [{"sum": total, "text": "12\n", "more": n} for total, n in ((3, 3), (13, 10), (23, 10), (33, 10))]
    assert [each.get("receipt") for each in slices] == [*receipts, None, None]
    assert [each.get("figures") for each in slices] == [*[{"first_match_ns": 7}] * 4, None, None]
    assert ["around_ns" in each for each in slices] == [True] * 4 + [False] * 2
    assert all(type(each[clock]) is int and each[clock] >= 0 for each in slices for clock in ("wall_ns", "cpu_ns"))
    assert (answer.returncode, answer.stderr) == (0, "torn down\n")


def test_cases_that_it_cannot_run_are_told(scripted: Scripted) -> None:
    answer = scripted.run(cases="never:5,other:5,plain:1", slices="0", warmup="0")
    assert [json.loads(line) for line in answer.stdout.splitlines()[1:]] == [
        {"case": "never", "unsupported": "it has no such call"},
        {"case": "other", "unsupported": "stub has no case other"},
    ]
    assert answer.returncode == 0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"told": "stop\n"}, "ffibench worker: expected go on standard input"),
        ({"told": ""}, "ffibench worker: expected go on standard input"),
        ({"cases": "sum:ten"}, "ffibench worker: not a number: ten"),
        ({"cases": "sum"}, "ffibench worker: not of the form NAME:ITERATIONS: sum"),
        ({"slices": "-1"}, "ffibench worker: not a number: -1"),
        ({"warmup": ""}, "ffibench worker: missing argument: warmup"),
        ({"cases": "fails:1"}, "add: it went wrong"),
        ({"cases": "silent:1"}, "ffibench worker: a loop returned no receipt, a table"),
        ({"script": "require('ffibench').native()"}, "ffibench worker: missing argument: shim"),
        ({"script": "this is no Lua"}, "luajit: "),
    ],
)
def test_a_mistake_is_told_with_a_status(scripted: Scripted, changes: dict[str, str], said: str) -> None:
    answer = scripted.run(**changes)
    assert answer.returncode != 0
    assert said in answer.stderr


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("9007199254740992", 2**53),
        ("-3", -3),
        ("1e20", 10**20),
        ("9223372036854775807LL", 2**63 - 1),
        ("-9223372036854775808LL", -(2**63)),
        ("18446744073709551615ULL", 2**64 - 1),
        ("'0042'", "0042"),
        (r"'a\"b\\\t\0'", 'a"b\\\t\0'),
        ("'ä'", "ä"),
    ],
)
def test_integers_are_exact_and_strings_stay_strings(scripted: Scripted, value: str, read: int | str) -> None:
    answer = scripted.receipt(value)
    assert answer.stderr == ""
    assert json.loads(answer.stdout.splitlines()[1])["receipt"] == {"value": read}


@pytest.mark.parametrize("value", ["1.5", "0/0", "1/0", "true", "{}", "require('ffi').new('int[1]')"])
def test_a_receipt_is_made_of_whole_numbers_and_strings(scripted: Scripted, value: str) -> None:
    answer = scripted.receipt(value)
    assert answer.returncode != 0
    assert "ffibench worker: a receipt with" in answer.stderr
