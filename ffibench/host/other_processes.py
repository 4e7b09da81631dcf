"""Which other programs keep the processors busy: the CPU time of every process at two moments."""

from __future__ import annotations

import os
import pwd
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from ffibench.host.procfs import ROOT, text

SHARE_MIN = 0.05
"""Share of a processor: programs that use less are not named."""

NAMES_MAX = 3


class OtherProcess(Struct, frozen=True, kw_only=True):
    """Another process, with its CPU time in ticks since its start."""

    name: str
    user_id: int
    ticks: int


OtherProcesses = Mapping[tuple[int, int], OtherProcess]
"""By process id and start time: ids are reused."""


def other_processes(root: Path = ROOT) -> OtherProcesses:
    """Return every process but our own, without those that exit while they are read."""
    found = {}
    for folder in root.glob("proc/[0-9]*"):
        pid, said = int(folder.name), text(folder / "stat")
        if said is None or pid == os.getpid():
            continue
        # The name is in parentheses and may contain some itself: proc(5).
        name, _, rest = said.partition("(")[2].rpartition(")")
        fields = rest.split()
        try:
            user_id = folder.stat().st_uid
        except OSError:
            continue
        process = OtherProcess(name=name, user_id=user_id, ticks=int(fields[11]) + int(fields[12]))
        found[pid, int(fields[19])] = process
    return found


def busiest(before: OtherProcesses, after: OtherProcesses, seconds: float) -> tuple[str, ...]:
    """Return the names of the programs that used most CPU time in the `seconds` between, with other users' names."""
    a_second = os.sysconf("SC_CLK_TCK")
    used: dict[str, int] = {}
    for key, last in after.items():
        ticks = last.ticks - (before[key].ticks if key in before else 0)
        name = _named(last)
        used[name] = used.get(name, 0) + ticks
    busy = sorted((-ticks, name) for name, ticks in used.items() if ticks > SHARE_MIN * a_second * seconds)
    return tuple(name for _, name in busy[:NAMES_MAX])


def _named(process: OtherProcess) -> str:
    if process.user_id == os.getuid():
        return process.name
    try:
        user = pwd.getpwuid(process.user_id).pw_name
    except KeyError:  # in a container with users that the host does not have
        user = f"user {process.user_id}"
    return f"{process.name} of {user}"
