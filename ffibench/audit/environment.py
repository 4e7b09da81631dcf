"""The environment variables that make a command count."""

from __future__ import annotations

import os
from pathlib import Path

THREAD_LOCAL = "glibc.rtld.optional_static_tls"
THREAD_LOCAL_BYTES = 23 * 1024
"""Space for the thread-local data of the libraries that a program is linked to.

With any audit library the loader takes it from this tunable's 512 bytes, and rustc, whose driver needs 23,688 bytes,
would not start. From 22 kB on it starts. It is part of each thread's stack, and programs ask for small ones. The
counting library adds it to the size that a program asks for, but cannot where a program brings the memory for a stack:
with 32 kB Node and Java could not start some threads before that, with 24 kB some of Python crashed.
"""


def counting_environment(library: Path, counts: str) -> dict[str, str]:
    """Return the variables that make a command count; a user's own audit libraries and tunables are kept.

    `library` is the counting library, `counts` the file to count into: its path, or `fd:` and a descriptor.
    """
    tunables = os.environ.get("GLIBC_TUNABLES", "")
    if THREAD_LOCAL not in tunables:
        tunables = f"{tunables}:{THREAD_LOCAL}={THREAD_LOCAL_BYTES}".lstrip(":")
    audits = ":".join((*_other_audits(library), str(library)))
    return {"LD_AUDIT": audits, "FFIBENCH_COUNT": counts, "GLIBC_TUNABLES": tunables}


def _other_audits(library: Path) -> list[str]:
    """Return the audit libraries that there are already, but for the counting library of an audit that this runs in.

    With both, each call would be counted twice, since both count into the file that FFIBENCH_COUNT names. The outer
    audit says that it did not count this command.
    """
    others = [each for each in os.environ.get("LD_AUDIT", "").split(":") if each]
    if "FFIBENCH_COUNT" not in os.environ:
        return others
    return [each for each in others if Path(each).name != library.name]
