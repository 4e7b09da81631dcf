"""The worker contract in Ruby: the kit in a process of its own, with a stub in place of a shim."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from support.ruby import ruby_or_skip

from ffibench.languages.ruby import LANGUAGE
from ffibench.model.runtime import Runtime

STUB = "module Native\n  LIMIT = 7\n  def self.add(one, other) = one + other\nend\n"
SCRIPT = """\
require 'ffibench'

class Sum
  def initialize
    @sum = 0
  end

  def run(iterations)
    iterations.times { @sum = Native.add(@sum, 1) }
    { sum: @sum, text: "12\\n\\"", highest: 2**64 - 1, lowest: -2**63 }
  end

  def empty(iterations)
    iterations.times {}
  end
end

class Around < Sum
  def before(iterations)
    @sum = iterations
  end

  def after(iterations) = { more: @sum + iterations }

  def figures = { first_match_ns: 1 }
end

class Dies < Sum
  def run(_iterations) = raise('add: it went wrong')
end

class Silent < Sum
  def run(_iterations) = nil
end

class Half < Sum
  def run(_iterations) = { value: 1.5 }
end

FFIBench.serve(
  library: '1.2 "x"',
  cases: { 'sum' => Sum.new, 'around' => Around.new, 'dies' => Dies.new, 'silent' => Silent.new, 'half' => Half.new,
           'never' => 'it has no such call' }
)
warn 'torn down'
"""
GO = "go\n"


class Scripted:
    """A worker in Ruby, from a text and a stub of a shim."""

    def __init__(self, ruby: Runtime, folder: Path) -> None:
        self.ruby, self.folder = ruby, folder

    def command(self, script: str = SCRIPT, *, shim: str | None = STUB, **changes: str) -> list[str]:
        source = self.folder / "ruby.rb"
        source.write_text(script, encoding="utf-8")
        artifact = None if shim is None else self.folder / "stub.rb"
        if artifact is not None:
            artifact.write_text(shim or "", encoding="utf-8")
        options = {"binding": "stub", "slices": "2", "warmup": "1", "cases": "sum:10", **changes}
        return [*LANGUAGE.command(self.ruby, source, artifact), *(f"{name}={value}" for name, value in options.items())]

    def run(
        self, script: str = SCRIPT, *, told: str = GO, shim: str | None = STUB, **changes: str
    ) -> subprocess.CompletedProcess[str]:
        command = self.command(script, shim=shim, **changes)
        return subprocess.run(command, input=told, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def scripted(tmp_path: Path) -> Scripted:
    return Scripted(ruby_or_skip(), tmp_path)


def test_ready_then_a_line_a_slice_then_the_end(scripted: Scripted) -> None:
    answer = scripted.run(cold="3")
    ready, *slices = [json.loads(line) for line in answer.stdout.splitlines()]
    assert ready == {"ready": {"library": '1.2 "x"'}}
    assert [(each["case"], each["kind"], each["slice"]) for each in slices] == [
        ("sum", "cold", 0),
        ("sum", "warmup", 0),
        ("sum", "timed", 0),
        ("sum", "timed", 1),
        ("sum", "empty", 0),
        ("sum", "empty", 1),
    ]
    exact = {"text": '12\n"', "highest": 2**64 - 1, "lowest": -(2**63)}
    receipts = [{"sum": each, **exact} for each in (3, 13, 23, 33)]
    assert [each.get("receipt") for each in slices] == [*receipts, None, None]
    assert all(type(each[clock]) is int and each[clock] > 0 for each in slices for clock in ("wall_ns", "cpu_ns"))
    assert all("around_ns" not in each for each in slices)
    assert (answer.returncode, answer.stderr) == (0, "torn down\n")


def test_what_is_done_around_a_slice_is_told(scripted: Scripted) -> None:
    answer = scripted.run(cases="around:5")
    warmup, *_, empty = [json.loads(line) for line in answer.stdout.splitlines()[1:]]
    assert (warmup["receipt"]["sum"], warmup["receipt"]["more"]) == (10, 15)
    assert warmup["figures"] == {"first_match_ns": 1}
    assert warmup["around_ns"] > 0
    assert not {"around_ns", "figures", "receipt"} & empty.keys()


def test_it_waits_for_go_and_stays_until_its_input_closes(scripted: Scripted) -> None:
    pipe = subprocess.PIPE
    command = scripted.command(slices="1", warmup="0", cases="sum:3")
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        assert "ready" in worker.stdout.readline()
        worker.stdin.write(GO)
        worker.stdin.flush()
        assert '"timed"' in worker.stdout.readline()
        assert '"empty"' in worker.stdout.readline()
        assert worker.poll() is None
        _, errors = worker.communicate(timeout=60)
        assert (worker.returncode, errors) == (0, "torn down\n")


@pytest.mark.parametrize(
    ("cases", "line"),
    [
        ("never:5", {"case": "never", "unsupported": "it has no such call"}),
        ("other:5", {"case": "other", "unsupported": "stub has no case other"}),
        ("a:b:5", {"case": "a:b", "unsupported": "stub has no case a:b"}),
    ],
)
def test_a_case_that_it_cannot_run_is_told_once(scripted: Scripted, cases: str, line: dict[str, str]) -> None:
    answer = scripted.run(cases=cases)
    assert [json.loads(each) for each in answer.stdout.splitlines()[1:]] == [line]
    assert answer.returncode == 0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"told": "stop\n"}, "ffibench worker: expected go on standard input"),
        ({"told": ""}, "ffibench worker: expected go on standard input"),
        ({"cases": "sum:ten"}, "ffibench worker: not a number: ten"),
        ({"cases": "sum"}, "ffibench worker: not of the form NAME:ITERATIONS: sum"),
        ({"slices": "-1"}, "ffibench worker: not a number: -1"),
        ({"cases": "dies:1"}, "add: it went wrong (RuntimeError)"),
        ({"cases": "silent:1"}, "ffibench worker: a loop returned no receipt, a Hash"),
        ({"cases": "half:1"}, "ffibench worker: a receipt with value, neither an integer nor a string"),
        ({"shim": "abort('cannot load the library')"}, "cannot load the library"),
        ({"script": "require 'ffibench'; FFIBench.option('message')"}, "ffibench worker: missing argument: message"),
    ],
)
def test_a_mistake_is_told_in_the_last_line_with_a_status(
    scripted: Scripted, changes: dict[str, str], said: str
) -> None:
    answer = scripted.run(**changes)
    assert answer.returncode != 0
    assert answer.stderr.splitlines()[-1].endswith(said)


def test_arguments_are_bytes_in_any_locale(scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    script = "require 'ffibench'; message = FFIBench.option('message'); print message.bytesize, message.unpack1('H*')"
    answer = scripted.run(script, message="ä\n")
    assert (answer.stdout, answer.stderr) == ("3c3a40a", "")


def test_answers_of_generated_loops_are_exact_text(scripted: Scripted) -> None:
    script = """
    require 'ffibench'
    long = (0...1000).map { |each| each % 251 }.pack('C*')
    print JSON.generate([FFIBench.real(-0.0), FFIBench.real(0.1), FFIBench.text(nil), FFIBench.text("a\\xff"),
                         FFIBench.integer(true), FFIBench.integer(false), FFIBench.memory("\\0\\x7f".b),
                         FFIBench.memory(long).size, FFIBench.memory(long)[-2..], FFIBench.buffer(3).bytes])
    """
    assert json.loads(scripted.run(script).stdout) == [
        *("8000000000000000", "3fb999999999999a", "NULL", "61ff", 1, 0, "007f", 128, f"{999 % 251:02x}", [0, 0, 0])
    ]
