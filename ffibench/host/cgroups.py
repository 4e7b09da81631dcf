"""The control group of the tool and its workers: its CPU quota, and how often it was throttled.

A quota of any parent group throttles the group too, so all of them are read. Both cgroup versions are read, since a
hybrid system keeps the cpu controller in version 1: cgroups(7), and the kernel's admin-guide/cgroup-v2 and
scheduler/sched-bwc.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ffibench.host.procfs import fields, number, text

MOUNTS_2 = ("sys/fs/cgroup", "sys/fs/cgroup/unified")
MOUNTS_1 = ("sys/fs/cgroup/cpu", "sys/fs/cgroup/cpu,cpuacct")


def quota(root: Path) -> float | None:
    """Return the CPU quota of the group in processors; None where there is no limit, or none is reported."""
    limits = [limit for folder in _folders(root) if (limit := _limit(folder)) is not None]
    return min(limits, default=None)


def throttles(root: Path) -> int | None:
    """Return how often the group or a parent of it was throttled by its quota."""
    counts = [fields(folder / "cpu.stat").get("nr_throttled", "") for folder in _folders(root)]
    known = [int(count) for count in counts if count.isdecimal()]
    return sum(known) if known else None


def pressure_file(root: Path) -> Path | None:
    """Return the file with the CPU pressure of the group itself, which only version 2 has."""
    for folder in _folders(root):
        file = folder / "cpu.pressure"
        return file if file.is_file() else None
    return None


def _folders(root: Path) -> Iterator[Path]:
    """Yield the folders of the group and its parents, nearest first, in the hierarchy of the cpu controller."""
    paths = {}
    for line in (text(root / "proc/self/cgroup") or "").splitlines():
        _, controllers, path = (*line.split(":", 2), "", "")[:3]
        version = 1 if "cpu" in controllers.split(",") else 2 if not controllers else None
        paths[version] = path.strip("/")
    for version, mounts in ((1, MOUNTS_1), (2, MOUNTS_2)):
        mount = next((root / each for each in mounts if _is_mount(root / each, version)), None)
        if version in paths and mount is not None:
            own = mount / paths[version]
            # A container may see its own group as the mount, under a path that exists only on the host.
            yield from (each for each in (own, *own.parents) if each.is_relative_to(mount) and each.is_dir())
            return


def _is_mount(folder: Path, version: int) -> bool:
    return (folder / ("cpu.shares" if version == 1 else "cgroup.controllers")).is_file()


def _limit(folder: Path) -> float | None:
    """Version 2 has `cpu.max`, `50000 100000` or `max 100000`; version 1 has two files, with -1 for no limit."""
    said = (text(folder / "cpu.max") or "").split()
    if len(said) == 2 and all(word.isdecimal() for word in said):
        return int(said[0]) / max(int(said[1]), 1)
    allowed, period = number(folder / "cpu.cfs_quota_us"), number(folder / "cpu.cfs_period_us")
    return allowed / period if allowed is not None and allowed > 0 and period else None
