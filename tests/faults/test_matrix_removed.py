"""The fault matrix: the cache is emptied while a run uses it | what the user sees | the status | the rounds kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.contestants import plan_of
from support.faults import Command

from ffibench.catalog import find_experiment
from ffibench.errors import FfibenchError
from ffibench.workflow import audit

ENDED = "stopped: files of its workers were removed; every finished round is kept, run it again"

OPTIONS = ("--rounds", "5", "--slices", "1", "--seed", "7")


@pytest.fixture
def removing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A script that empties a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cold"))
    return "trouble=run:rm -r $XDG_CACHE_HOME/ffibench/shims@slice"


def test_in_the_middle_of_a_run(removing: str, command: Command, experiment: Path) -> None:
    """Its third round, of which the others know at the latest in the fourth."""
    seen = command("run", str(experiment), *OPTIONS, "--no-audit", script=f"{removing}\nsince=3")
    assert seen.status == 1
    assert ENDED in seen.text
    assert "invalid" not in seen.text
    assert seen.kept is not None
    assert seen.kept.ending == "files removed"
    assert 2 <= len(seen.kept.rounds) <= 3
    assert all(record.failure is None for each in seen.kept.rounds for record in each.records)


def test_before_the_first_round(removing: str, command: Command, experiment: Path) -> None:
    """While the native calls of the last contestant were counted."""
    seen = command("run", str(experiment), *OPTIONS, script=removing)
    assert seen.status == 1
    assert "No round was finished" in seen.text
    assert ENDED in seen.text


def test_while_the_baseline_is_counted(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The baseline is not at fault."""

    def fail(*_: object, **__: object) -> None:
        raise FfibenchError("the baseline c is not what the experiment accepts", fix="correct it")

    monkeypatch.setattr(audit, "audit_plan", fail)
    with pytest.raises(FfibenchError, match=r"/usr/lib/libwork.so.5 was removed meanwhile; run it again"):
        audit.count_calls(plan_of(), find_experiment(str(own)).experiment, observe=lambda _: None)
