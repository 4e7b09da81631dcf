"""Gives a codec of `schema` what no encoder wrote, messages cut short, changed, of random bytes, and odd columns.

`python -m support.schema_fuzz LIBRARY PROTO SEED` is a process of its own, so that a sanitizer can be loaded into it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from array import array
from collections.abc import Sequence
from pathlib import Path
from random import Random

from ffibench.builds.toolchain import compiler
from ffibench.schema import wire
from ffibench.schema.columns import Layout
from ffibench.schema.descriptor import read_schema
from ffibench.schema.fixtures import derived
from ffibench.schema.numbers import U8
from ffibench.schema.rows import Columns, to_columns
from support.fanout import SANITIZERS
from support.schemas import MALFORMED, TOO_SMALL, Codec, accepted, lengths, library_of

SANITIZER = "address,undefined"
SECONDS_MAX = 300
HALTING = {
    "ASAN_OPTIONS": "halt_on_error=1:exitcode=66:detect_leaks=0",  # an interpreter ends with memory that it never frees
    "UBSAN_OPTIONS": "halt_on_error=1:exitcode=66:print_stacktrace=1",
    "PYTHONMALLOC": "malloc",
}
CUTS = 200
CHANGED = 400
RANDOM = 400
RANDOM_BYTES_MAX = 80
SMALL = 4_000
"""Bytes of a message that the decoder in Python reads in a moment."""


def fuzz(codec: Codec, seed: int) -> int:
    """Return how many of the changed messages were still messages. Raises AssertionError for a wrong answer."""
    random = Random(seed)
    good = 0
    for tree in derived(codec.schema).values():
        data = wire.encode(codec.schema.root, tree)
        columns = to_columns(codec.layout, tree)
        counts = lengths(codec.layout, columns)
        for cut in sorted(random.sample(range(len(data)), min(CUTS, len(data)))):
            refuse(codec, data[:cut], counts)
        refuse(codec, data + b"\0", counts)
        for _ in range(CHANGED if data else 0):
            changed = bytearray(data)
            for _ in range(random.choice((1, 1, 1, 2, 8))):
                changed[random.randrange(len(data))] ^= 1 << random.randrange(8)
            good += judge(codec, bytes(changed), counts)
        for short in [name for name, count in counts.items() if count]:
            assert codec.decode(data, {**counts, short: counts[short] - 1}) == TOO_SMALL, short
        for _ in range(CHANGED):
            encode(codec, odd(codec.layout, columns, random))
    for _ in range(RANDOM):
        # Small numbers are likelier to be good lengths, counts and flags.
        size = random.randrange(RANDOM_BYTES_MAX)
        data = bytes(random.choice((0, 0, 0, 1, 1, 2, random.randrange(256))) for _ in range(size))
        good += judge(codec, data, dict.fromkeys((each.name for each in codec.layout.arrays), RANDOM_BYTES_MAX))
    return good


def refuse(codec: Codec, data: bytes, counts: dict[str, int]) -> None:
    """Assert that bytes are no message, to each of those that read all of them."""
    assert codec.counts(data) == MALFORMED, data.hex()
    assert codec.decode(data, counts) in {MALFORMED, TOO_SMALL}, data.hex()
    look(codec, data)


def look(codec: Codec, data: bytes) -> None:
    """Assert that views lie within the bytes, whatever these are."""
    for each in codec.layout.views:
        found = codec.view(each.name, data)
        if isinstance(found, tuple):
            offset, count = found
            size = each.values.number.size if each.values is not None else 0
            assert offset + count * size <= len(data), (each.name, data.hex())
        else:
            assert found == MALFORMED, (each.name, data.hex())


def judge(codec: Codec, data: bytes, counts: dict[str, int]) -> bool:
    """Return whether bytes are a message: the decoder in Python must agree, and they are its only encoding."""
    columns = accepted(codec, data)
    if isinstance(columns, int):
        refuse(codec, data, counts)
    else:
        assert codec.encoded_size(columns) == len(data)
        assert codec.encode(columns) == data, data.hex()
        look(codec, data)
    if len(data) <= SMALL:
        try:
            wire.decode(codec.schema.root, data)
        except ValueError:
            assert isinstance(columns, int), data.hex()
        else:
            assert not isinstance(columns, int), data.hex()
    return not isinstance(columns, int)


def odd(layout: Layout, columns: Columns, random: Random) -> Columns:
    """Return columns of which one or two were changed, so that they need not fit each other."""
    changed = dict(columns)
    for column in random.choices(layout.columns, k=random.choice((1, 2))) if layout.columns else ():
        value = changed[column.name]
        number = random.choice((0, 1, 2, 3, 255, 2**31 - 1))
        if column.plain:
            changed[column.name] = number % 256 if column.number is U8 else number
        elif random.random() < 1 / 3:
            changed[column.name] = value + value[: random.randrange(1, 4)]
        elif random.random() < 1 / 2:
            changed[column.name] = value[random.randrange(1, 4) :]
        elif len(value):
            copy = bytearray(value) if column.number is U8 else array(value.typecode, value)
            copy[random.randrange(len(copy))] = number % 256 if column.number is U8 else number
            changed[column.name] = bytes(copy) if column.number is U8 else copy
    return changed


def encode(codec: Codec, columns: Columns) -> None:
    """Assert that columns are refused, or encoded as a message."""
    data = codec.encode(columns)
    if isinstance(data, int):
        assert data == MALFORMED
    else:
        found = accepted(codec, data)
        assert not isinstance(found, int), data.hex()
        assert codec.encode(found) == data, data.hex()


def examine(proto: Path, folder: Path, seed: int, include: Sequence[Path] = ()) -> str | None:
    """Return what the sanitizers or a wrong answer say of a codec that is built in a folder, or None.

    A folder of `include` is looked at for a runtime before that of ffibench.
    """
    flags = [*SANITIZERS[SANITIZER], *(f"-I{each}" for each in include)]
    library = library_of(proto, folder, *flags)
    runtime = [*compiler("c").command, "-print-file-name=libasan.so"]
    loaded = subprocess.run(runtime, capture_output=True, text=True, check=True).stdout.strip()
    answer = subprocess.run(
        [sys.executable, "-m", "support.schema_fuzz", str(library), str(proto), str(seed)],
        env={**os.environ, **HALTING, "LD_PRELOAD": loaded, "PYTHONPATH": str(Path(__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS_MAX,
    )
    return None if answer.returncode == 0 else f"exit status {answer.returncode}\n{answer.stderr}"


def main(library: str, proto: str, seed: str) -> None:
    """Print how many messages were changed into others."""
    print(fuzz(Codec(Path(library), read_schema(Path(proto))), int(seed)))


if __name__ == "__main__":
    main(*sys.argv[1:])
