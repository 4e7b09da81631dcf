"""What every run needs of the machine: limits of the shell that are no traps, and a /proc that shows its processes.

Said before anything is built, while it is one sentence. Later it would be a compiler that cannot be started, a thread,
or a build tool that waits for ever until it may fork.
"""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

from ffibench.errors import FfibenchError
from ffibench.host.maps import mapped_paths

FILES_MIN = 64
"""A run of single workers takes 16; two builds at a time and teams of workers take more."""
PROCESSES_MIN = 64
"""Of the user, on the whole machine; root has no limit: setrlimit(2)."""
ADDRESSES_MIN = 512 * 1024 * 1024
"""Bytes. `xsub` with all bindings was not always whole under 300 MiB: threads reserve some, and the counts 64 MiB."""


def require_limits() -> None:
    """Raise FfibenchError where this process may have too few files, processes or addresses to measure anything."""
    _require(resource.RLIMIT_NOFILE, FILES_MIN, "open files", "ulimit -n 1024")
    _require(resource.RLIMIT_AS, ADDRESSES_MIN, "bytes of address space", "ulimit -v unlimited")
    if os.geteuid() != 0:
        _require(resource.RLIMIT_NPROC, PROCESSES_MIN, "processes and threads of this user", "ulimit -u 4096")


def _require(which: int, least: int, what: str, fix: str) -> None:
    allowed, _ = resource.getrlimit(which)
    if allowed != resource.RLIM_INFINITY and allowed < least:
        reason = f"this shell allows {allowed:,} {what}, and a run needs {least:,}"
        raise FfibenchError(reason, fix=f"{fix} allows more")


def require_proc() -> None:
    """Raise FfibenchError where /proc does not show our processes: which library each loads is read there."""
    if sys.platform != "linux":
        return
    seen = "so that nobody could see which library a worker loads"
    fix = "mount -t proc proc /proc shows them"
    try:
        shown = Path("/proc/self").readlink().name
        if shown != str(os.getpid()):
            raise FfibenchError(f"/proc shows the processes of another namespace than ours, {seen}", fix=fix)
        mapped_paths(os.getpid())
    except OSError as error:
        raise FfibenchError(f"/proc does not show our processes, {seen}: {error.strerror}", fix=fix) from None
