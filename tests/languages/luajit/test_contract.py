"""The worker contract in LuaJIT: the kit in a process of its own, by luajit and by the wheel."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.contract import Contract, Worker

from ffibench.languages.luajit import LANGUAGE
from ffibench.model.runtime import Runtime

PROGRAM = r"""
local ffibench = require "ffibench"
local endpoint = ffibench.option "binding" == "waiting" and "tcp://here" or nil
local total = 0

local function add(n)
  for _ = 1, n do total = total + 1 end
end

local function empty() end

local function says(value)
  return { run = function() return { value = value } end, empty = empty }
end

ffibench.serve {
  library = '1.2 "x"',
  endpoint = endpoint,
  cases = {
    sum = { run = function(n) add(n) return { calls = n, total = total } end, empty = empty },
    around = {
      run = function(n) add(n) return { calls = n } end,
      empty = empty,
      before = function() total = 100 end,
      after = function() total = total + 1 return { total = total } end,
      figures = function() return { first_ns = 7 } end,
    },
    lowest = says(-9223372036854775808LL),
    highest = says(18446744073709551615ULL),
    odd = says(9007199254740993LL),
    text = says 'a"b\\c\n\t\1ä😀',
    dies = { run = function() error "it went wrong" end, empty = empty },
    silent = { run = function() end, empty = empty },
    never = "it has no such call",
  },
}
io.stderr:write("torn down\n")
"""
SAYS = """\
local run = function() return {{ value = {} }} end
require("ffibench").serve {{ cases = {{ sum = {{ run = run, empty = function() end }} }} }}
io.stderr:write("torn down\\n")
"""
Script = Callable[[str], Worker]


@pytest.fixture
def script(luajit: Runtime, tmp_path: Path) -> Script:
    """A worker from a text."""

    def worker(text: str) -> Worker:
        source = tmp_path / "luajit.lua"
        source.write_text(text, encoding="utf-8")
        return Worker(*LANGUAGE.command(luajit, source, None))

    return worker


@pytest.fixture
def worker(script: Script) -> Worker:
    return script(PROGRAM)


class TestContract(Contract):
    def test_a_loop_returns_a_receipt(self, worker: Worker) -> None:
        assert worker.complaint(cases="silent:1") == "ffibench worker: a loop returned no receipt, a table"

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("require('ffibench').native()", "missing argument: shim"),
            ("this is no Lua", "'=' expected near 'is'"),
        ],
    )
    def test_a_source_that_cannot_be_run(self, script: Script, text: str, said: str) -> None:
        complaint = script(text).complaint()
        assert complaint.startswith("ffibench worker: ")
        assert complaint.endswith(said)

    @pytest.mark.parametrize(
        ("value", "read"),
        [
            ("9007199254740992", 2**53),
            ("-3", -3),
            ("1e20", 10**20),
            ("9223372036854775807LL", 2**63 - 1),
            ("'0042'", "0042"),
            (r"'a\0'", "a\0"),
        ],
    )
    def test_numbers_stay_numbers_and_strings_strings(self, script: Script, value: str, read: int | str) -> None:
        assert script(SAYS.format(value)).receipt("sum") == {"value": read}

    @pytest.mark.parametrize("value", ["1.5", "0/0", "1/0", "true", "{}", "require('ffi').new('int[1]')"])
    def test_a_receipt_is_made_of_whole_numbers_and_strings(self, script: Script, value: str) -> None:
        assert script(SAYS.format(value)).complaint().startswith("ffibench worker: a receipt with ")
