"""The library of `codec` under the sanitizers, given messages that are good, spoiled or none."""

from __future__ import annotations

import os
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path

from ffibench.builds.toolchain import compiler
from support.codec import SHAPES, STRUCT, parts
from support.fanout import HALTING, SANITIZERS, launcher

SANITIZER = "address,undefined"
FUZZ = Path(__file__).parents[1] / "native/data/codec_fuzz.c"
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")
# Counts are held against the bytes that are there before memory is asked for.
LIMITED = {**HALTING, "ASAN_OPTIONS": f"{HALTING['ASAN_OPTIONS']}:max_allocation_size_mb=64"}
SECONDS_MAX = 900

Record = tuple[str | int, str, bytes]
"""A shape, by name or number, a way, and bytes that are a message or not."""


def fuzz_program(folder: Path, *, lost: str = "", seed: tuple[str, Path] | None = None) -> list[str]:
    """Compile the library and what gives it bad messages, with the sanitizers; return its command.

    `lost` is an argument of the compiler that is left out. A seed is a source's name and a header put before it.
    """
    found = parts()
    arguments = [each for each in found.arguments if each != lost]
    cc = [*compiler("c").command, "-std=gnu11", "-O1", "-g", *SANITIZERS[SANITIZER], *arguments]
    include = [f"-I{each}" for each in found.folders]
    objects = []
    for source in (*found.sources, FUZZ):
        made = folder / f"{source.stem}.o"
        own: tuple[str, ...] = () if "zcbor" in source.name else WARNINGS
        if seed is not None and seed[0] == source.name:
            own = (f"-I{source.parent}", "-include", str(seed[1]))
        subprocess.run([*cc, *own, *include, "-c", str(source), "-o", str(made)], check=True)
        objects.append(str(made))
    program = folder / "codec-fuzz"
    subprocess.run([*cc, *objects, "-o", str(program)], check=True)
    return [*launcher(program), str(program)]


def fuzz(command: Sequence[str], *arguments: int, records: Sequence[Record] = ()) -> subprocess.CompletedProcess[bytes]:
    """Draw bad messages with a seed and a count, or give the library records."""
    data = bytearray()
    for shape, way, message in records:
        number = shape if isinstance(shape, int) else SHAPES.index(shape)
        data += struct.pack("<BBI", number, way == STRUCT, len(message)) + message
    return subprocess.run(
        [*command, *map(str, arguments)],
        input=bytes(data),
        capture_output=True,
        check=False,
        timeout=SECONDS_MAX,
        env={**os.environ, **LIMITED},
    )


def decoded(command: Sequence[str], records: Sequence[Record]) -> list[int]:
    """What decoding each record returns, of which the sanitizers find nothing."""
    answer = fuzz(command, records=records)
    assert (answer.returncode, answer.stderr) == (0, b"")
    found = [int(line) for line in answer.stdout.split()]
    assert len(found) == len(records)
    return found
