"""The weather station with a language at each end: everyone publishes to everyone else, and nothing is lost."""

from __future__ import annotations

import pytest
from support.anywhere import missing, skip_without

from ffibench.catalog import find_experiment
from ffibench.workflow import RunOptions, run

PLAYERS = (
    *("go/cgo", "java/ffm", "nim/importc", "node/napi", "perl/xs", "perl/zmq-ffi", "python/cffi-api"),
    *("ruby/ffi", "rust/extern"),
)
"""One of each file of the experiment."""


def test_every_language_that_has_a_file_is_here() -> None:
    files = find_experiment("weather").path.iterdir()
    suffixes = {".go", ".java", ".mjs", ".nim", ".rb", ".rs"}
    languages = {path.stem for path in files if path.suffix in suffixes}
    assert languages == {each.partition("/")[0] for each in PLAYERS} - {"perl", "python"}


@pytest.mark.parametrize("publisher", PLAYERS)
def test_publishes_to_all_others(publisher: str) -> None:
    skip_without("weather", publisher)
    subscribers = [each for each in PLAYERS if missing("weather", each) is None]
    options = RunOptions(
        contestants=subscribers,
        roles={"publisher": publisher},
        parameters={"matches": 20, "zipcodes": 5},
        rounds=1,
    )
    result = run("weather", options)
    rows = {row.contestant: row for row in result.comparison.rows}
    assert set(subscribers) <= rows.keys()
    assert {name: row.reason for name, row in rows.items() if not row.valid} == {}
