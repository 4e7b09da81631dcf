"""The promise: what the kernel says of a live worker is kept, and what it does not say is not made up."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.trees import plant

from ffibench.host.worker import conditions, involuntary_switches
from ffibench.model import Conditions

STATUS = "Name:\tworker\nTracerPid:\t0\nCpus_allowed:\t2\nCpus_allowed_list:\t1\nnonvoluntary_ctxt_switches:\t12\n"
MAP = "7f2a000-7f2b000 r-xp 00000000 fe:00 123    {}\n"


def test_a_worker_left_alone(tmp_path: Path) -> None:
    plant(tmp_path, {"proc/9/status": STATUS, "proc/9/maps": MAP.format("/usr/lib/libc.so.6") + "7f2b-7f2c r 0 0 0\n"})
    assert involuntary_switches(9, root=tmp_path) == 12
    assert conditions(9, 10, root=tmp_path) == Conditions(switches=2, processors="1")


def test_a_process_that_is_gone(tmp_path: Path) -> None:
    assert conditions(9, None, root=tmp_path) == Conditions()
    assert involuntary_switches(9, root=tmp_path) is None


def test_switches_count_from_go(tmp_path: Path) -> None:
    plant(tmp_path, {"proc/9/status": STATUS})
    assert conditions(9, None, root=tmp_path).switches is None


def test_a_tracer_is_named(tmp_path: Path) -> None:
    plant(tmp_path, {"proc/9/status": STATUS.replace("TracerPid:\t0", "TracerPid:\t4"), "proc/4/comm": "gdb\n"})
    assert conditions(9, 0, root=tmp_path).tracer == "gdb"


@pytest.mark.parametrize(
    ("path", "instrument"),
    [
        ("/usr/lib/x86_64-linux-gnu/libasan.so.8.0.0", "AddressSanitizer"),
        ("/usr/lib/llvm-16/lib/clang/16/lib/linux/libclang_rt.asan-x86_64.so", "AddressSanitizer"),
        ("/usr/lib/x86_64-linux-gnu/libubsan.so.1.0.0", "UndefinedBehaviorSanitizer"),
        ("/usr/lib/clang/libclang_rt.ubsan_standalone-x86_64.so", "UndefinedBehaviorSanitizer"),
        ("/usr/lib/x86_64-linux-gnu/libtsan.so.2.0.0", "ThreadSanitizer"),
        ("/usr/libexec/valgrind/vgpreload_core-amd64-linux.so", "Valgrind"),
        ("/usr/lib/x86_64-linux-gnu/libprofiler.so.0", "gperftools"),
        ("/usr/lib/heaptrack/libheaptrack_preload.so", "heaptrack"),
        ("/usr/lib/x86_64-linux-gnu/libasantehnika.so", None),
        ("/opt/libasan/libwork.so", None),
    ],
)
def test_sanitizers_and_profilers_are_known_by_their_libraries(
    path: str, instrument: str | None, tmp_path: Path
) -> None:
    plant(tmp_path, {"proc/9/status": STATUS, "proc/9/maps": MAP.format(path)})
    assert conditions(9, 0, root=tmp_path).instruments == (() if instrument is None else (instrument,))


def test_this_very_process() -> None:
    seen = conditions(os.getpid(), 0)
    assert seen.switches is not None
    assert seen.processors
    assert seen.instruments == ()
