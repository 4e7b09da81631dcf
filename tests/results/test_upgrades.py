"""Run files that earlier versions wrote still load, and say what they said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from ffibench.errors import FfibenchError
from ffibench.model import SCHEMA_VERSION
from ffibench.results.compare import compare
from ffibench.results.store import load
from ffibench.results.upgrades import UPGRADES

FILES = sorted((Path(__file__).parent / "data").glob("*.json"))
FIGURES = (
    *("contestant", "role", "interpreter", "case", "clock", "version", "iterations", "rounds", "process", "series"),
    *("gross_ns", "net_ns", "added_ns", "ratio", "ratio_low", "ratio_high", "tie", "receipts", "disturbed", "settled"),
    *("real_s", "user_s", "system_s", "audit", "native_calls", "valid", "reason", "point"),
)
RENAMED = {"gil": "lock", "further": "extra_figures"}


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def file(request: pytest.FixtureRequest) -> Path:
    """Each file is an experiment and the schema that its version wrote: `xsub-1.json`."""
    return Path(request.param)


def test_there_is_a_file_of_every_schema_that_is_still_read() -> None:
    assert {int(path.stem.rpartition("-")[2]) for path in FILES} == set(UPGRADES) == set(range(1, SCHEMA_VERSION))


def test_it_loads_and_its_rows_have_the_figures_that_were_printed(file: Path) -> None:
    written: dict[str, Any] = msgspec.json.decode(file.read_bytes())
    run = load(file)
    assert run.schema == SCHEMA_VERSION
    rows = msgspec.to_builtins(compare(run).rows)
    assert len(rows) == len(written["summary"]) > 0
    for row, before in zip(rows, written["summary"], strict=True):
        assert {name: row[name] for name in FIGURES} == {name: before[name] for name in FIGURES}
        for old, new in RENAMED.items():
            assert row[new] == before[old]


def test_what_it_says_of_workers_is_kept_under_the_new_names(file: Path) -> None:
    written: dict[str, Any] = msgspec.json.decode(file.read_bytes())
    workers = load(file).plan.workers
    assert [each.label for each in workers] == [each.get("mark", "") for each in written["plan"]["workers"]]
    assert [each.contestant.lock for each in workers] == [
        each["contestant"].get("gil") for each in written["plan"]["workers"]
    ]
    assert [each.supporting for each in workers] == [each.get("beside", False) for each in written["plan"]["workers"]]


def test_the_names_of_cases_in_the_worker_contract_are_kept(file: Path) -> None:
    written: dict[str, Any] = msgspec.json.decode(file.read_bytes())
    cases = load(file).plan.cases
    assert [each.alias for each in cases] == [each.get("told", "") for each in written["plan"]["cases"]]


@pytest.mark.parametrize("plan", [None, [], {"workers": 3}, {"workers": [3]}, {"workers": [{"contestant": 1}]}])
def test_what_is_no_run_of_an_earlier_schema_is_told_and_no_traceback(plan: object, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(msgspec.json.encode({"schema": 1, "started": "", "plan": plan, "host": {}}))
    with pytest.raises(FfibenchError, match="is not a run file: "):
        load(path)


def test_cases_of_earlier_files_stand_in_no_group_and_have_no_bytes(file: Path) -> None:
    assert {(row.group, row.bytes) for row in compare(load(file)).rows} == {("", 0)}
