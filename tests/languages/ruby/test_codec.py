"""Ruby in `codec`: every slice is verified, a view is a view, and a message that is not as it should be is refused."""

from __future__ import annotations

import subprocess
from functools import cache

import pytest
from support.anywhere import check, missing, runtime_or_skip, skip_if_missing, skip_without
from support.codec_blocks import as_lines, bad, good

from ffibench.languages.ruby import LANGUAGE
from ffibench.paths import asset
from ffibench.workflow import Result, RunOptions, run

BINDINGS = ("ruby/cext", "ruby/cext~nogvl", "ruby/ffi", "ruby/ffi~blocking", "ruby/fiddle", "ruby/fiddle~gvl")
CODERS = asset("experiments/codec/_coders.rb")
DECODES = r"""
require ARGV[0]
$stdin.each_line do |line|
  shape, way, hex, length = line.split
  _, coder = Codec.coder(shape, way, 1)
  coder.decode([hex].pack('H*'), Integer(length))
  puts 'taken'
rescue Codec::BadMessage, CBOR::UnpackError, EOFError
  puts 'refused'
end
"""
VIEW = r"""
require 'fiddle'
require ARGV[0]
block = [8, 3, 'abc'].pack('VVa*')
shape, coder = Codec.coder('payload', 'struct', 1, view: true)
view = coder.decode(block, block.bytesize)
block.setbyte(10, 0xFF)
print shape.light(view), shape.fields(view) == ["ab\xFF".b]
"""
COPIES = r"""
require ARGV[0]
require 'fiddle'
%w[cbor struct].each do |way|
  _, coder = Codec.coder('payload', way, 1)
  answer = coder.encode(['x'.b * 1000])
  length = answer.bytesize
  answer << "\0" * 8
  bytes, = coder.decode(answer, length)
  Fiddle::Pointer[answer][0, length] = "\xFF".b * length # as a function of C would
  print bytes == 'x' * 1000
end
"""


@cache
def measured(names: tuple[str, ...]) -> Result:
    options = RunOptions(contestants=names, iterations=9, rounds=1, slices=1, warmup=1, parameters={"size": 1000})
    return run("codec", options)


@pytest.mark.parametrize("name", BINDINGS)
def test_every_slice_is_verified(name: str) -> None:
    skip_without("codec", name)
    check(measured(tuple(each for each in BINDINGS if missing("codec", each) is None)), name)


def answered(script: str, lines: str = "") -> str:
    ruby = runtime_or_skip("ruby")
    skip_if_missing(LANGUAGE.package(ruby, "cbor"))
    command = [ruby.executable, "-w", "-e", script, str(CODERS)]
    answer = subprocess.run(command, input=lines, capture_output=True, text=True, check=False, timeout=60)
    assert answer.stderr == ""
    return answer.stdout


def test_bad_messages_are_refused_and_good_ones_taken() -> None:
    assert set(answered(DECODES, as_lines(good())).split()) == {"taken"}
    lines = as_lines(bad())
    told = zip(answered(DECODES, lines).split(), lines.splitlines(), strict=True)
    assert [line for word, line in told if word != "refused"] == []


def test_a_view_changes_with_the_answer() -> None:
    assert answered(VIEW) == "255true"


def test_what_is_copied_does_not_change_with_what_c_writes() -> None:
    assert answered(COPIES) == "truetrue"
