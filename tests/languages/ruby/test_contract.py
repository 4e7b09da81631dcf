"""The worker contract in Ruby: the kit in a process of its own, with a stub in place of a shim."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.anywhere import runtime_or_skip
from support.contract import Contract, Worker

from ffibench.languages.ruby import LANGUAGE

PROGRAM = r"""
require 'ffibench'

class Sum
  def initialize(total)
    @total = total
  end

  def run(iterations)
    iterations.times { @total[0] = Native.add(@total[0], 1) }
    { calls: iterations, total: @total[0] }
  end

  def empty(iterations)
    iterations.times {}
  end
end

class Around < Sum
  def before(_iterations)
    @total[0] = 100
  end

  def run(iterations) = super.slice(:calls)

  def after(_iterations) = { total: @total[0] += 1 }

  def figures = { first_ns: 7 }
end

Says = Struct.new(:value) do
  def run(_iterations) = { value: value }

  def empty(_iterations) = nil
end

class Dies < Sum
  def run(_iterations) = raise('it went wrong')
end

class Silent < Sum
  def run(_iterations) = nil
end

total = [0]
FFIBench.serve(
  library: '1.2 "x"',
  endpoint: FFIBench.option('binding') == 'waiting' ? 'tcp://here' : nil,
  cases: { 'sum' => Sum.new(total), 'around' => Around.new(total), 'lowest' => Says.new(-2**63),
           'highest' => Says.new(2**64 - 1), 'odd' => Says.new(2**53 + 1),
           'text' => Says.new("a\"b\\c\n\t\x01ä😀"), 'half' => Says.new(1.5), 'dies' => Dies.new(total),
           'silent' => Silent.new(total), 'never' => 'it has no such call' }
)
warn 'torn down'
"""
STUB = "module Native\n  def self.add(one, other) = one + other\nend\n"
Script = Callable[..., Worker]


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """A worker from a text and a stub of a shim."""
    ruby = runtime_or_skip("ruby")

    def worker(text: str, shim: str = STUB) -> Worker:
        source, stub = tmp_path / "ruby.rb", tmp_path / "stub.rb"
        source.write_text(text, encoding="utf-8")
        stub.write_text(shim, encoding="utf-8")
        return Worker(*LANGUAGE.command(ruby, source, stub))

    return worker


@pytest.fixture
def worker(script: Script) -> Worker:
    return script(PROGRAM)


class TestContract(Contract):
    @pytest.mark.parametrize(
        ("case", "said"),
        [
            ("silent", "a loop returned no receipt, a Hash"),
            ("half", "a receipt with value, neither an integer nor a string"),
        ],
    )
    def test_a_receipt_is_made_of_whole_numbers_and_strings(self, worker: Worker, case: str, said: str) -> None:
        assert worker.complaint(cases=f"{case}:1") == f"ffibench worker: {said}"

    def test_the_message_comes_after_the_lines_that_led_there(self, worker: Worker) -> None:
        assert worker.complaint(cases="dies:1").endswith("it went wrong (RuntimeError)")


def test_a_shim_that_cannot_be_loaded_is_told(script: Script) -> None:
    assert script(PROGRAM, "abort('cannot load the library')").complaint() == "cannot load the library"


def test_arguments_are_bytes_in_any_locale(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    text = "require 'ffibench'; message = FFIBench.option('message'); print message.bytesize, message.unpack1('H*')"
    answer = script(text).run(message="ä\n")
    assert (answer.stdout, answer.stderr) == ("3c3a40a", "")


def test_answers_of_generated_loops_are_exact_text(script: Script) -> None:
    text = r"""
    require 'ffibench'
    long = (0...1000).map { |each| each % 251 }.pack('C*')
    print JSON.generate([FFIBench.real(-0.0), FFIBench.real(0.1), FFIBench.text(nil), FFIBench.text("a\xff"),
                         FFIBench.integer(true), FFIBench.integer(false), FFIBench.memory("\0\x7f".b),
                         FFIBench.memory(long).size, FFIBench.memory(long)[-2..], FFIBench.buffer(3).bytes])
    """
    assert json.loads(script(text).run().stdout) == [
        *("8000000000000000", "3fb999999999999a", "NULL", "61ff", 1, 0, "007f", 128, f"{999 % 251:02x}", [0, 0, 0])
    ]
