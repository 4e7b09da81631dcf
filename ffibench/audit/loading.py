"""Why a program that ended with the loader's exit status did not start while it was counted.

The loader says so on standard error, which is the program's own and is not read. It is asked once more, as `ldd -r`
asks it: then it loads and binds all libraries and runs no code of the program.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from ffibench.audit.environment import THREAD_LOCAL

STATIC_TLS_ERROR = "cannot allocate memory in static TLS block"
"""What the loader prints of a program for whose libraries that space is too small."""
STATIC_TLS_ADVICE = (
    f"GLIBC_TUNABLES={THREAD_LOCAL}=1048576 in its environment gives room, as far as thread stacks allow"
)
"""What helps such a program. The libraries of the thread sanitizer need 785,760 bytes."""

LOADER_FAILED = 127
"""The exit status of ld.so where it cannot start a program, and of a shell that does not find one."""

ASKED = {"LD_TRACE_LOADED_OBJECTS": "1", "LD_WARN": "yes", "LD_BIND_NOW": "yes"}
"""ld.so(8), and the script ldd(1)."""

NOWHERE = "/"
"""What is no file for counts: the loader's second answer is not counted."""

SECONDS_MAX = 10.0


def loading_trouble(program: Path, environment: Mapping[str, str], status: int, processes: int) -> str | None:
    """Say what would help a command that ended with this exit status, where it lacked memory for thread-local data.

    `environment` is that in which it was counted, `processes` how many programs loaded the counting library.
    """
    if status != LOADER_FAILED:
        return None
    found = static_tls_advice(_loader_says(program, environment))
    if found is not None:
        return f"{program} did not start: {found}"
    if processes > 1:  # it may have been a program that the command started
        return f'if a loader said "{STATIC_TLS_ERROR}", {STATIC_TLS_ADVICE}'
    return None


def static_tls_advice(standard_error: str) -> str | None:
    """Return what helps a program that printed this and then did not start, None where it failed for another reason."""
    if STATIC_TLS_ERROR not in standard_error:
        return None
    return f"the loader had too little memory for thread-local data while counting; {STATIC_TLS_ADVICE}"


def _loader_says(program: Path, environment: Mapping[str, str]) -> str:
    try:
        answer = subprocess.run(
            [program],
            env={**environment, **ASKED, "FFIBENCH_COUNT": NOWHERE},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS_MAX,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return answer.stderr.decode("utf-8", "backslashreplace")
