"""The conditions of a live worker, as the kernel reports them: switches, processors, tracer, instruments.

Read before `go` and after the last line, never in between: a timed loop is not observed while it runs.
"""

from __future__ import annotations

import re
from pathlib import Path

from ffibench.host.maps import mapped_paths
from ffibench.host.procfs import ROOT, fields, text
from ffibench.model import Conditions

# The names of shared libraries. A statically linked sanitizer runtime is not seen, nor is perf, which
# observes a process from the kernel.
INSTRUMENTS = {
    "AddressSanitizer": re.compile(r"lib(clang_rt\.)?asan\b"),
    "UndefinedBehaviorSanitizer": re.compile(r"lib(clang_rt\.)?ubsan(_standalone|_minimal)?\b"),
    "ThreadSanitizer": re.compile(r"lib(clang_rt\.)?tsan\b"),
    "LeakSanitizer": re.compile(r"lib(clang_rt\.)?lsan\b"),
    "Valgrind": re.compile(r"vgpreload_"),
    "gperftools": re.compile(r"lib(profiler|tcmalloc_and_profiler)\b"),
    "heaptrack": re.compile(r"libheaptrack"),
}


def involuntary_switches(thread: int, *, root: Path = ROOT) -> int | None:
    """Return how often a thread of a live process was preempted; None where that is not reported.

    The main thread has the id of the process; /proc does not list the others and has them nevertheless, proc(5).
    """
    said = fields(root / f"proc/{thread}/status", ":").get("nonvoluntary_ctxt_switches", "")
    return int(said) if said.isdecimal() else None


def conditions(pid: int, switches_before: int | None, *, thread: int | None = None, root: Path = ROOT) -> Conditions:
    """Return the conditions of a live process, and of the thread that runs its loops where that is not the main one.

    `switches_before` are that thread's involuntary switches at `go`.
    """
    loop = pid if thread is None else thread
    switches = involuntary_switches(loop, root=root)
    return Conditions(
        switches=None if switches is None or switches_before is None else switches - switches_before,
        processors=fields(root / f"proc/{loop}/status", ":").get("Cpus_allowed_list"),
        tracer=tracer(str(pid), root=root),
        instruments=_instruments(pid, root),
    )


def tracer(process: str, *, root: Path = ROOT) -> str | None:
    """Return the name of the program that traces a process, by id or `self`; None where there is none.

    Only programs that use ptrace(2) are seen: debuggers and strace.
    """
    pid = fields(root / f"proc/{process}/status", ":").get("TracerPid", "0")
    return None if pid == "0" else text(root / f"proc/{pid}/comm") or f"process {pid}"


def _instruments(pid: int, root: Path) -> tuple[str, ...]:
    try:
        names = [Path(path).name for path in mapped_paths(pid, root=root)]
    except OSError:
        return ()
    return tuple(each for each, pattern in INSTRUMENTS.items() if any(map(pattern.match, names)))
