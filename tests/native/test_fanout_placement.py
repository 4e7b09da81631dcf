"""The promise: `fanout_place` puts every thread of the process where its word says, and consumers that start later."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

APART, TOGETHER, FREE = range(3)

# In a process of its own: it places all of its threads, and the processors allowed to it are those at the first call.
PLACED = """
import ctypes, json, os, sys, threading
library = ctypes.CDLL(sys.argv[1])
library.fanout_open.restype = ctypes.c_void_p
library.fanout_open.argtypes = [ctypes.c_uint32, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_uint64]
os.sched_setaffinity(0, json.loads(sys.argv[2]))
gate = threading.Event()
threading.Thread(target=gate.wait, daemon=True).start()

def threads():
    return {int(name) for name in os.listdir("/proc/self/task")}

def processors(threads):
    return [sorted(each) for each in {frozenset(os.sched_getaffinity(thread)) for thread in threads}]

found = []
for placement in json.loads(sys.argv[3]):
    status = library.fanout_place(placement)
    before = threads()
    context = library.fanout_open(1, 1, 1, 1)
    found.append([status, processors(before), processors(threads() - before)])
    assert library.fanout_close(ctypes.c_void_p(context)) == 0
gate.set()
print(json.dumps(found))
"""

Found = list[tuple[int, list[list[int]], list[list[int]]]]


def placed(library: Path, allowed: list[int], *placements: int) -> Found:
    """Status, the processors of all threads that there were, and those of the consumer, for each placement in turn."""
    arguments = [str(library), json.dumps(allowed), json.dumps(placements)]
    answer = subprocess.run([sys.executable, "-c", PLACED, *arguments], capture_output=True, text=True, check=True)
    return [(status, others, consumer) for status, others, consumer in json.loads(answer.stdout)]


def test_threads_go_where_they_are_placed_and_back(fanout_library: Path) -> None:
    processors = sorted(os.sched_getaffinity(0))
    if len(processors) < 2:
        pytest.skip("one processor is allowed here, where all placements are one")
    *others, last = processors
    assert placed(fanout_library, processors, FREE, APART, TOGETHER, APART, FREE) == [
        (0, [processors], [processors]),
        (0, [others], [[last]]),
        (0, [[last]], [[last]]),
        (0, [others], [[last]]),
        (0, [processors], [processors]),
    ]


def test_with_one_processor_all_run_there(fanout_library: Path) -> None:
    one = [max(os.sched_getaffinity(0))]
    assert placed(fanout_library, one, APART, TOGETHER, FREE) == [(0, [one], [one])] * 3


def test_an_unknown_placement_is_refused_and_changes_nothing(fanout_library: Path) -> None:
    processors = sorted(os.sched_getaffinity(0))
    assert placed(fanout_library, processors, 3) == [(errno.EINVAL, [processors], [processors])]
