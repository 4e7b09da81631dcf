"""The promise: a worker starts with what an interpreter has loaded anyway, and its lines are JSON all the same."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.kit import Serve

from ffibench.paths import asset
from ffibench.worker.contract import to_json

SLOW = ("json", "re", "enum", "typing", "functools", "contextlib", "threading", "importlib.util", "dataclasses")
"""Each takes about as long to import as a bare interpreter does to start, some through others of them."""

LOADED = """
import sys
from ffibench.worker.load import import_contestant
import ffibench.worker.contract, ffibench.worker.thread_team
import_contestant(sys.argv[1])
print(*sys.modules)
"""

scalars = st.integers() | st.text(alphabet=st.characters(categories=None))
lines = st.dictionaries(st.text(), scalars | st.dictionaries(st.text(), scalars))


@pytest.mark.parametrize("source", ["fanout/python.py", "weather/python.py", "xsub/python.py"])
def test_nothing_slow_is_imported(source: str) -> None:
    environment = {"PYTHONPATH": str(asset("ffibench").parent)}
    command = [sys.executable, "-S", "-c", LOADED, str(asset("experiments") / source)]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert not set(SLOW) & set(answer.stdout.split())


@given(lines)
def test_a_line_is_the_json_that_it_says(line: dict[str, Any]) -> None:
    text = to_json(line)
    assert text.isascii()
    assert "\n" not in text
    assert json.loads(text) == line


def test_plain_ascii_is_written_as_it_is_within_a_text_that_is_not() -> None:
    """A letter that is not ASCII has all characters looked at, one by one."""
    for text in (f"a{chr(code)}z" for code in range(128)):
        plain = to_json(text)
        assert json.loads(plain) == text
        assert to_json(f"{text}é") == plain[:-1] + r'\u00e9"'


@pytest.mark.parametrize("value", [1.5, True, None, [1, "two"]])
def test_what_the_contract_does_not_have_is_json_too(value: object) -> None:
    assert json.loads(to_json({"receipt": value})) == {"receipt": value}


def test_a_text_of_a_contestant_arrives_as_it_is(serve: Serve, tmp_path: Path) -> None:
    reason = 'no "peer" at C:\\temp,\n\tsaid Zoë 🙂'
    answer = serve(f"def contestant(native, options):\n    yield Work(cases={{'send': {reason!r}}})\n")
    assert (answer.status, answer.errors) == (0, "")
    assert answer.lines[1] == {"case": "send", "unsupported": reason}
