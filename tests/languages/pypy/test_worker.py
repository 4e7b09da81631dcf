"""The worker of Python under PyPy, whose Python may be older than that of the tool."""

from __future__ import annotations

import ast
import json
import subprocess
from pathlib import Path

import pytest
from support.anywhere import runtime_or_skip

from ffibench.languages.pypy import LANGUAGE, OLDEST
from ffibench.model.runtime import Runtime
from ffibench.paths import PACKAGE

CONTESTANT = """\
from ffibench.worker.contract import Loops, Work

def contestant(native, options):
    text = {"text": '"\\u00e4'}
    cases = {"text": Loops(lambda n: {"n": n, **text}, lambda n: None, figures=lambda: {"first_match_ns": 7})}
    cases["exact"] = Loops(lambda n: {"top": 2**64 - 1, "low": -2**63}, lambda n: None, after=lambda n: {"more": n})
    yield Work(cases, library_version="1.2")
    print("torn down", file=__import__("sys").stderr)
"""


@pytest.fixture
def pypy() -> Runtime:
    return runtime_or_skip("pypy")


@pytest.mark.parametrize("file", sorted((PACKAGE / "worker").glob("*.py")), ids=lambda file: file.name)
def test_the_worker_is_written_for_the_oldest_python(file: Path) -> None:
    ast.parse(file.read_text(encoding="utf-8"), feature_version=OLDEST)


def test_the_worker_keeps_the_contract(pypy: Runtime, tmp_path: Path) -> None:
    source = tmp_path / "pypy.py"
    source.write_text(CONTESTANT, encoding="ascii")
    arguments = ["binding=stub", "slices=1", "warmup=1", "cases=text:3,exact:5,other:7"]
    command = [*LANGUAGE.command(pypy, source, None), *arguments]
    answer = subprocess.run(command, input="go\n", capture_output=True, text=True, check=False, timeout=60)
    ready, *lines = [json.loads(line) for line in answer.stdout.splitlines()]
    assert ready == {"ready": {"library": "1.2"}}
    kinds = ["warmup", "timed", "empty"]
    assert [(each["case"], each.get("kind")) for each in lines] == [
        *(("text", kind) for kind in kinds),
        *(("exact", kind) for kind in kinds),
        ("other", None),
    ]
    assert [each.get("receipt") for each in lines[1:6]] == [
        {"n": 3, "text": '"ä'},
        None,
        *[{"top": 2**64 - 1, "low": -(2**63), "more": 5}] * 2,
        None,
    ]
    assert [each.get("figures") for each in lines[:3]] == [{"first_match_ns": 7}] * 2 + [None]
    assert lines[6]["unsupported"] == "stub has no case other"
    assert (answer.returncode, answer.stderr) == (0, "torn down\n")
