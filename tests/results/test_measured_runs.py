"""The promise: whatever happens in a run, the file that is kept of it is read, and says what the run said.

What refuses a file that no run can have written must never refuse one that was.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from support.contestants import Script, scripted_plan, team_plan
from support.executed import executed
from support.run_files import save_compared

from ffibench.model import Run
from ffibench.results.store import load

TROUBLES: Mapping[str, Script] = {
    "none": {},
    "a crash in its second round": {"trouble": "exit:no@slice", "since": 2},
    "a crash before it was ready": {"trouble": "exit:no@start"},
    "a line that is none": {"trouble": "say:hello\\n@empty", "since": 2},
    "a case that it cannot run": {"unsupported": "no structs"},
    "wrong receipts in its last round": {"receipt": '{"sends": 7}', "since": 3},
    "another library": {"loads": str(Path(__file__))},
    "a process left behind": {"trouble": "daemon@slice"},
    "further figures": {"figure": 0},
}


def read_again(run: Run, tmp_path: Path) -> Run:
    save_compared(run, tmp_path / "run.json")
    return load(tmp_path / "run.json")


@pytest.mark.parametrize("name", ["c", "python/a"])
@pytest.mark.parametrize("trouble", TROUBLES.values(), ids=TROUBLES)
def test_a_contestant_in_trouble(trouble: Script, name: str, tmp_path: Path) -> None:
    scripts: dict[str, Script] = {"c": {"gross": 20}, "python/a": {"gross": 50}, "python/b": {"gross": 40}}
    scripts[name] = {**scripts[name], **trouble}
    run = executed(scripted_plan(tmp_path, scripts, audited=False))
    assert read_again(run, tmp_path) == run


@pytest.mark.parametrize("trouble", ["none", "a crash in its second round", "wrong receipts in its last round"])
@pytest.mark.parametrize("entry", ["c", "python/a"])
def test_a_team_in_trouble(trouble: str, entry: str, tmp_path: Path) -> None:
    roles: tuple[Script, ...] = ({"role": "publisher"}, {"role": "subscriber", **TROUBLES[trouble]})
    entries = ("c",) if entry == "c" else ("c", "python/a")
    run = executed(team_plan(tmp_path, *roles, entries=entries, audited=False))
    assert read_again(run, tmp_path) == run
