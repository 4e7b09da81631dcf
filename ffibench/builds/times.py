"""How long the build of a project took: written beside its checksums when it is built, read when somebody asks."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

TIMES = "build-times.json"


class BuildTimes(Struct, frozen=True, kw_only=True):
    """Seconds by the wall clock; two builds at a time share the processors of a machine with two."""

    configure_seconds: float
    """Meson's own: it looks for compilers and tries them."""
    compile_seconds: float
    """What it then runs: the generator of the technology, the compiler and the linker."""


def write_times(folder: Path, times: BuildTimes) -> None:
    """Write the times of a project's build into its folder. Raises OSError."""
    (folder / TIMES).write_bytes(msgspec.json.encode(times) + b"\n")


def recorded_times(folder: Path) -> BuildTimes | None:
    """Return the times of a built project; None where they were not recorded: by an earlier version, or not built."""
    try:
        return msgspec.json.decode((folder / TIMES).read_bytes(), type=BuildTimes)
    except (OSError, ValueError):
        return None
