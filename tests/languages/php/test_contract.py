"""The worker contract in PHP: the kit in a process of its own."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from ffibench.languages.php import LANGUAGE
from ffibench.model.runtime import Runtime
from ffibench.paths import asset

KIT = asset("native/kits/php")
SCRIPT = """\
<?php
$sum = 0;
FFIBench::serve(
    library: '1.2 "x"',
    cases: [
        'sum' => [
            'run' => function (int $n) use (&$sum) { $sum += $n; return ['sum' => $sum, 'text' => "12\\n"]; },
            'empty' => function () { },
            'before' => function () { },
            'after' => fn (int $n) => ['more' => $n],
            'figures' => fn () => ['first_match_ns' => 7],
        ],
        'plain' => ['run' => fn (int $n) => ['sum' => $n], 'empty' => function () { }],
        'fails' => ['run' => fn () => throw new Exception('add: it went wrong'), 'empty' => function () { }],
        'warns' => ['run' => fn () => [][1], 'empty' => function () { }],
        'silent' => ['run' => function () { }, 'empty' => function () { }],
        'never' => 'it has no such call',
    ],
);
fwrite(STDERR, "torn down\\n");
"""


class Scripted:
    """A worker from a text."""

    def __init__(self, php: Runtime, folder: Path) -> None:
        self.php, self.folder = php, folder

    def run(self, script: str = SCRIPT, *, told: str = "go\n", **changes: str) -> subprocess.CompletedProcess[str]:
        source = self.folder / "php.php"
        source.write_text(script, encoding="utf-8")
        options = {"binding": "stub", "slices": "2", "warmup": "1", "cases": "sum:10", **changes}
        command = LANGUAGE.command(self.php, source, None)
        arguments = [f"{name}={value}" for name, value in options.items() if value]
        return subprocess.run(
            [*command, *arguments], input=told, capture_output=True, text=True, check=False, timeout=60
        )

    def receipt(self, value: str) -> subprocess.CompletedProcess[str]:
        case = f"['run' => fn () => ['value' => {value}], 'empty' => fn () => null]"
        helpers = f"require '{KIT}/calls.php';"
        return self.run(f"<?php {helpers} FFIBench::serve(['sum' => {case}]);", slices="1", warmup="0")


@pytest.fixture
def scripted(php: Runtime, tmp_path: Path) -> Scripted:
    return Scripted(php, tmp_path)


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
        ({"told": "stop\n"}, "expected go on standard input"),
        ({"told": ""}, "expected go on standard input"),
        ({"cases": "sum:ten"}, "not a number: ten"),
        ({"cases": "sum"}, "not of the form NAME:ITERATIONS: sum"),
        ({"slices": "-1"}, "not a number: -1"),
        ({"warmup": ""}, "missing argument: warmup"),
        ({"cases": "fails:1"}, "add: it went wrong"),
        ({"cases": "warns:1"}, "Undefined array key 1"),
        ({"cases": "silent:1"}, "a loop returned no receipt, an array"),
        ({"script": "<?php FFIBench::native();"}, "missing argument: shim"),
        ({"script": "<?php this is no PHP"}, "syntax error"),
    ],
)
def test_a_mistake_is_told_in_one_line_with_a_status(scripted: Scripted, changes: dict[str, str], said: str) -> None:
    answer = scripted.run(**changes)
    assert answer.returncode != 0
    assert answer.stderr.startswith(f"ffibench worker: {said}")
    assert len(answer.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("PHP_INT_MAX", 2**63 - 1),
        ("PHP_INT_MIN", -(2**63)),
        ("new Unsigned(-1)", 2**64 - 1),
        ("'0042'", "0042"),
        (r'"a\"b\\\t\0"', 'a"b\\\t\0'),
        ("'ä'", "ä"),
    ],
)
def test_integers_are_exact_and_strings_stay_strings(scripted: Scripted, value: str, read: int | str) -> None:
    answer = scripted.receipt(value)
    assert answer.stderr == ""
    assert json.loads(answer.stdout.splitlines()[1])["receipt"] == {"value": read}


@pytest.mark.parametrize("value", ["1.5", "1e15", "NAN", "true", "null", "new stdClass"])
def test_a_receipt_is_made_of_whole_numbers_and_strings(scripted: Scripted, value: str) -> None:
    answer = scripted.receipt(value)
    assert answer.returncode != 0
    assert "ffibench worker: a receipt with" in answer.stderr
