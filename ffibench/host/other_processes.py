"""Which other programs keep the processors busy: what the kernel says that each process has used, at two times."""

from __future__ import annotations

import os
import pwd
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from ffibench.host.procfs import ROOT, text

SHARE_MIN = 0.05
"""Of a processor: who uses less is not worth a name."""

NAMES_MAX = 3


class Neighbour(Struct, frozen=True, kw_only=True):
    """A process, and the processor time that it has used, in ticks since its start."""

    name: str
    user_id: int
    ticks: int


Neighbours = Mapping[tuple[int, int], Neighbour]
"""By number and start: a number may be given again."""


def neighbours(root: Path = ROOT) -> Neighbours:
    """Return every process but our own; those that end while they are read are left out."""
    found = {}
    for folder in root.glob("proc/[0-9]*"):
        pid, said = int(folder.name), text(folder / "stat")
        if said is None or pid == os.getpid():
            continue
        # The name stands in parentheses and may have some of its own: proc(5).
        name, _, rest = said.partition("(")[2].rpartition(")")
        fields = rest.split()
        try:
            user_id = folder.stat().st_uid
        except OSError:
            continue
        neighbour = Neighbour(name=name, user_id=user_id, ticks=int(fields[11]) + int(fields[12]))
        found[pid, int(fields[19])] = neighbour
    return found


def busiest(before: Neighbours, after: Neighbours, seconds: float) -> tuple[str, ...]:
    """Name those that used most of a processor in the `seconds` between, the busiest first; other users' with whose."""
    a_second = os.sysconf("SC_CLK_TCK")
    used: dict[str, int] = {}
    for key, last in after.items():
        ticks = last.ticks - (before[key].ticks if key in before else 0)
        name = _named(last)
        used[name] = used.get(name, 0) + ticks
    busy = sorted((-ticks, name) for name, ticks in used.items() if ticks > SHARE_MIN * a_second * seconds)
    return tuple(name for _, name in busy[:NAMES_MAX])


def _named(neighbour: Neighbour) -> str:
    if neighbour.user_id == os.getuid():
        return neighbour.name
    try:
        user = pwd.getpwuid(neighbour.user_id).pw_name
    except KeyError:  # in a container whose users the host has not
        user = f"user {neighbour.user_id}"
    return f"{neighbour.name} of {user}"
