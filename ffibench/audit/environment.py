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
    audits = f"{os.environ.get('LD_AUDIT', '')}:{library}".lstrip(":")
    return {"LD_AUDIT": audits, "FFIBENCH_COUNT": counts, "GLIBC_TUNABLES": tunables}
