"""What contestants of `codec` are held to in compiled languages: whole runs, and blocks that are good and bad."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from struct import pack

from ffibench.builds.library import find_library
from ffibench.catalog import find_experiment
from ffibench.paths import asset
from ffibench.worker.load import add_package
from ffibench.workflow import RunOptions, run
from support.anywhere import check, skip_without

FOLDER = asset("experiments/codec")
add_package("codec_under_test", str(FOLDER))
ORACLE = import_module("codec_under_test._oracle")
MESSAGES = import_module("codec_under_test._messages")
SHAPES = {"request": 16, "response": 16, "complex": 24, "payload": 8}
"""Of each the bytes of its head; their order is that of their numbers in `codec.h`."""
ROOM = 1 << 16


def check_run(name: str, size: int) -> None:
    """A contestant must do every case, and each slice and audit of it be right; `size` is that of a payload."""
    skip_without("codec", name)
    parameters = {"size": str(size)}
    result = run("codec", RunOptions(contestants=(name,), parameters=parameters, iterations=20, rounds=1, warmup=1))
    check(result, name)


def blocks() -> Iterator[tuple[int, bytes]]:
    """Yield blocks with the number of their shape: good ones, and bad ones in every place of their heads."""
    for number, (shape, head) in enumerate(SHAPES.items()):
        for message in [*MESSAGES.fixtures(shape)[:2], MESSAGES.timed(shape, 0, 9)]:
            good: bytes = ORACLE.as_struct(shape, message)
            yield number, good
            yield number, good + b"\0"
            yield number, good.replace(b"a", b"\xff")
            yield from ((number, good[:length]) for length in range(len(good)))
            heads = range(0, min(len(good), head + 40), 4)
            values = (0, 1, len(good) - 1, len(good), len(good) + 1, 1 << 28, 1 << 31, (1 << 32) - 1)
            for place in heads:
                for value in values:
                    yield number, good[:place] + pack("<I", value) + good[place + 4 :]


@cache
def _library() -> ctypes.CDLL:
    found = find_experiment("codec")
    library = ctypes.CDLL(find_library(found.experiment, found.path, None).path)
    library.codec_check.restype = ctypes.c_int64
    sizes = (ctypes.c_char_p, ctypes.c_size_t) * 2
    library.codec_check.argtypes = [ctypes.c_int, ctypes.c_int, *sizes]
    return library


def accepted(number: int, block: bytes) -> bool:
    """Say whether the library accepts a block."""
    room = ctypes.create_string_buffer(ROOM)
    length: int = _library().codec_check(1, number, block, len(block), room, ROOM)
    return length >= 0


def check_blocks(program: Path) -> None:
    """A program that reads lines `SHAPE HEX` and says of each `yes` or `no` must accept what the library accepts."""
    asked = list(blocks())
    told = "".join(f"{number} {block.hex()}\n" for number, block in asked)
    answer = subprocess.run([program], input=told, capture_output=True, text=True, check=False, timeout=60)
    assert (answer.returncode, answer.stderr) == (0, "")
    wanted = ["yes" if accepted(*each) else "no" for each in asked]
    said = answer.stdout.split()
    assert [each for each, one, other in zip(asked, wanted, said, strict=True) if one != other] == []
    assert {"yes", "no"} == set(wanted)
