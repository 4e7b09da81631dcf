"""The worker contract in PHP: the kit in a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.contract import Contract, Worker

from ffibench.languages.php import LANGUAGE
from ffibench.model.runtime import Runtime
from ffibench.paths import asset

CALLS = asset("native/kits/php/calls.php")
PROGRAM = rf"""<?php
require '{CALLS}';

function says(mixed $value): array
{{
    return ['run' => fn () => ['value' => $value], 'empty' => fn () => null];
}}

$total = 0;
$add = function (int $n) use (&$total) {{ for ($i = 0; $i < $n; $i++) $total++; }};
$empty = fn () => null;
FFIBench::serve(
    library: '1.2 "x"',
    endpoint: FFIBench::option('binding') === 'waiting' ? 'tcp://here' : '',
    cases: [
        'sum' => [
            'run' => function (int $n) use ($add, &$total) {{ $add($n); return ['calls' => $n, 'total' => $total]; }},
            'empty' => $empty,
        ],
        'around' => [
            'before' => function () use (&$total) {{ $total = 100; }},
            'run' => function (int $n) use ($add) {{ $add($n); return ['calls' => $n]; }},
            'after' => function () use (&$total) {{ return ['total' => ++$total]; }},
            'figures' => fn () => ['first_ns' => 7],
            'empty' => $empty,
        ],
        'lowest' => says(PHP_INT_MIN),
        'highest' => says(new Unsigned(-1)),
        'odd' => says(9007199254740993),
        'text' => says("a\"b\\c\n\t\x01ä😀"),
        'dies' => ['run' => fn () => throw new Exception('it went wrong'), 'empty' => $empty],
        'warns' => ['run' => fn () => [][1], 'empty' => $empty],
        'silent' => ['run' => function () {{ }}, 'empty' => $empty],
        'never' => 'it has no such call',
    ],
);
fwrite(STDERR, "torn down\n");
"""
SAYS = """<?php
FFIBench::serve(['sum' => ['run' => fn () => ['value' => {}], 'empty' => fn () => null]]);
fwrite(STDERR, "torn down\\n");
"""
Script = Callable[[str], Worker]


@pytest.fixture
def script(php: Runtime, tmp_path: Path) -> Script:
    """A worker from a text."""

    def worker(text: str) -> Worker:
        source = tmp_path / "php.php"
        source.write_text(text, encoding="utf-8")
        return Worker(*LANGUAGE.command(php, source, None))

    return worker


@pytest.fixture
def worker(script: Script) -> Worker:
    return script(PROGRAM)


class TestContract(Contract):
    @pytest.mark.parametrize(
        ("case", "said"), [("dies", "it went wrong"), ("warns", "Undefined array key 1"), ("silent", "a loop returned")]
    )
    def test_what_is_thrown_is_told_in_one_line(self, worker: Worker, case: str, said: str) -> None:
        answer = worker.run(cases=f"{case}:1")
        assert answer.returncode == 1
        assert answer.stderr.startswith(f"ffibench worker: {said}")
        assert len(answer.stderr.splitlines()) == 1

    @pytest.mark.parametrize(
        ("text", "said"),
        [("<?php FFIBench::native();", "missing argument: shim"), ("<?php this is no PHP", "syntax error")],
    )
    def test_a_source_that_cannot_be_run(self, script: Script, text: str, said: str) -> None:
        assert script(text).complaint().startswith(f"ffibench worker: {said}")

    @pytest.mark.parametrize(
        ("value", "read"), [("PHP_INT_MAX", 2**63 - 1), ("'0042'", "0042"), (r'"a\0"', "a\0"), ("''", "")]
    )
    def test_numbers_stay_numbers_and_strings_strings(self, script: Script, value: str, read: int | str) -> None:
        assert script(SAYS.format(value)).receipt("sum") == {"value": read}

    @pytest.mark.parametrize("value", ["1.5", "1e15", "NAN", "true", "null", "new stdClass"])
    def test_a_receipt_is_made_of_whole_numbers_and_strings(self, script: Script, value: str) -> None:
        assert script(SAYS.format(value)).complaint().startswith("ffibench worker: a receipt with")
