"""Perl in `codec`: every slice is verified, a view is a view, and a message that is not as it should be is refused."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import pytest
from support.anywhere import missing, runtime_or_skip, skip_if_missing, skip_without
from support.codec_blocks import as_lines, bad, good

from ffibench.languages.perl import LANGUAGE
from ffibench.paths import asset
from ffibench.workflow import Result, RunOptions, run

BINDINGS = ("perl/xs", "perl/platypus", "perl/platypus-method")
VIEWS = ("payload struct decode view", "payload struct total view")
COPIED = "It cannot run this case: Perl copies the bytes that it takes out of a string."
SHAPES = asset("experiments/codec/_shapes.pl")
DECODES = r"""
use strict;
use warnings;

require shift;
while (my $line = readline STDIN) {
    my ($shape, $way, $hex, $length) = split ' ', $line;
    my %coders = Shapes::coders($shape);
    my $memory = pack 'H*', $hex;
    my $taken  = eval {
        $way eq 'struct' ? $coders{from_block}->(\$memory, $length) : $coders{cbor}->decode(substr $memory, 0, $length);
        1;
    };
    print $taken ? "taken\n" : "refused\n";
}
"""
STUB = """\
package stub;
our @EXPORT = qw(
    codec_answer_cbor codec_answer_block codec_check codec_warm_heap codec_version codec_digest CODEC_REQUEST
    CODEC_RESPONSE CODEC_COMPLEX
);
eval "sub $_ { 1 }" for @EXPORT;
1;
"""
WINDOW = r"""
use FFI::Platypus::Buffer;
require shift;
my $block = pack 'VVa*', 8, 3, 'abc';
my $view  = Shapes::block_window(\$block, length $block);
substr $block, 9, 1, 'X';
print $view->[0], length Shapes::block_window(\pack('VVa*', 8, 0, 'abc'), 11)->[0];
"""


@cache
def measured(names: tuple[str, ...]) -> Result:
    options = RunOptions(contestants=names, iterations=9, rounds=1, slices=1, warmup=1, parameters={"size": 1000})
    return run("codec", options)


@pytest.mark.parametrize("name", BINDINGS)
def test_every_slice_is_verified(name: str) -> None:
    skip_without("codec", name)
    result = measured(tuple(each for each in BINDINGS if missing("codec", each) is None))
    rows = [row for row in result.comparison.rows if row.contestant == name]
    lacking = {row.case: row.reason for row in rows if not row.valid}
    assert lacking == (dict.fromkeys(VIEWS, COPIED) if name == "perl/xs" else {})
    assert {row.audit for row in rows if row.valid} == {"accepted"}


def test_perl_has_nothing_to_warn_of(tmp_path: Path) -> None:
    perl = runtime_or_skip("perl")
    skip_if_missing(LANGUAGE.package(perl, "CBOR::XS"))
    stub, source = tmp_path / "stub.pm", SHAPES.with_name("perl.pl")
    stub.write_text(STUB, encoding="ascii")
    command = [perl.executable, "-wc", f"-I{asset('native/kits/perl')}", str(source), f"shim={stub}"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.stderr == f"{source} syntax OK\n"


def answered(script: str, lines: str = "") -> str:
    perl = runtime_or_skip("perl")
    skip_if_missing(LANGUAGE.package(perl, "CBOR::XS"))
    command = [perl.executable, "-e", script, "--", str(SHAPES)]
    answer = subprocess.run(command, input=lines, capture_output=True, text=True, check=False, timeout=60)
    assert answer.stderr == ""
    return answer.stdout


def test_bad_messages_are_refused_and_good_ones_taken() -> None:
    assert set(answered(DECODES, as_lines(good())).split()) == {"taken"}
    lines = as_lines(bad())
    told = zip(answered(DECODES, lines).split(), lines.splitlines(), strict=True)
    assert [line for word, line in told if word != "refused"] == []


def test_a_view_changes_with_the_answer() -> None:
    skip_if_missing(LANGUAGE.package(runtime_or_skip("perl"), "FFI::Platypus"))
    assert answered(WINDOW) == "aXc0"
