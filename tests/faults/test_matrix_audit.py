"""The fault matrix of the audit: what a worker does wrong while its native calls are counted | what the user sees.

The run goes on without it: its row is invalid, the status 1, and all rounds are kept.
"""

from __future__ import annotations

import pytest
from support.faults import Command

WHEN = "while it was audited."
MATRIX = {
    "crash in set-up": ("exit:no memory@start", f"It ended with status 3, saying 'no memory', {WHEN}"),
    "crash in a slice": ("exit:no memory@slice", f"It ended with status 3, saying 'no memory', {WHEN}"),
    "killed": ("kill:9@slice", f"It was killed by SIGKILL, {WHEN}"),
    "memory fault": ("kill:11@slice", f"It was killed by SIGSEGV, {WHEN}"),
    "garbage": ("say:hello\\n@slice", f"It printed a line that does not follow the contract: 'hello', {WHEN}"),
    "hang": ("hang@slice", "It was still running after 2 s, the time limit of one worker"),
}


@pytest.mark.parametrize(("trouble", "sees"), MATRIX.values(), ids=MATRIX.keys())
def test_a_fault_while_native_calls_are_counted(trouble: str, sees: str, command: Command) -> None:
    seen = command(*command.audited_arguments, "--timeout", "2", script=f"trouble={trouble}")
    assert seen.kept is not None
    assert len(seen.kept.rounds) == 2
    assert sees[1:] in seen.text  # a footnote of the grid goes on: "Invalid: it ..."
    verdicts = {(audit.key.partition(" ")[0], audit.verdict) for audit in seen.kept.audits}
    assert {("c", "accepted"), ("control", "accepted")} <= verdicts
    assert ("python/broken", "invalid") in verdicts
    assert seen.status == 1
    timed = {record.key.partition(" ")[0] for each in seen.kept.rounds for record in each.records}
    assert timed == {"c", "control"}, "what fails the audit is not timed"
