"""The file that is shared with the counting library, as native/audit/shared.h declares it: written and read here.

Integers have 64 bits; offsets are in bytes from the start of the file.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from mmap import mmap
from typing import Literal

from msgspec import Struct

MAGIC = int.from_bytes(b"FFICOUNT", "little")
LAYOUT = 7
BLOCKS_MAX = 1024
TROUBLES_MAX = 64
TROUBLE = struct.Struct("=Q504s")
HEAD = struct.Struct("=18Q")
"""magic, layout, bytes, used, processes, blocks, troubles, then the offsets of patterns, exports and sums; how many
exports, the offset of the readings, and how many there may be, how many there are, whether there were more, and whose
they are; the offset of the callers; the offset of the results."""
USED, PROCESSES, BLOCKS, TROUBLES = 3, 4, 5, 6
EXPORTS, READINGS, READINGS_TAKEN, READINGS_CUT, CALLERS = 10, 11, 13, 14, 16
BLOCK = struct.Struct("=8Q")
"""device, inode, bytes, changed_ns, then functions and the offsets of counters, names and the path."""
COUNTER_WORDS = 8
"""calls, sum, whether a sum was asked for, address_taken, untyped, wrong, and whether a result was asked for."""
MUST_BE = {"0": 1, "not 0": 2, "not negative": 3, "argument": 4}
"""What a call must return, by `Returns.must_be`."""
SUM, RESULT = struct.Struct("=3Q"), struct.Struct("=4Q")
"""What is asked: of a sum its position, bits and the offset of the name, of a result what it must be before these."""
CALLERS_MAX = 1023
CALLING = struct.Struct("=Q504s")
"""Whether it is written, and the path of an object that calls."""
CALL_COUNT = struct.Struct("=2Q")
CALL_COUNTS = 65536
CALLERS_BYTES = 8 + CALLING.size * CALLERS_MAX + CALL_COUNT.size * CALL_COUNTS
TABLES = HEAD.size
TROUBLE_TABLE = TABLES + 8 * BLOCKS_MAX
ASKED = TROUBLE_TABLE + TROUBLE.size * TROUBLES_MAX
ALIGNMENT = 65536
"""Of a block that the counting library allocates: the largest page of arm64."""
PATH_BYTES_MAX = 4096

REASONS = {
    1: "the file for the counts is full",
    2: "the system gave no memory for the thunks",
    3: "its symbols are in no mapping that /proc/self/maps shows",
    4: "it is the loader itself, which runs before anything can be counted",
    5: "its symbols could not be made writable",
    6: "its limit of address space, `ulimit -v`, leaves no room for the counts",
}
"""Why the counting library did not count an object, by number; each continues `PATH is not counted: `."""

Clock = Literal["processor", "monotonic"]
CLOCKS: dict[int, Clock] = {1: "processor", 2: "monotonic"}
"""By number: CLOCK_PROCESS_CPUTIME_ID, and CLOCK_MONOTONIC or CLOCK_MONOTONIC_RAW."""


class Block(Struct, frozen=True, kw_only=True):
    """The counts of one file, or some of them: two processes that map it at the same time may each make a block."""

    path: str
    device: int
    inode: int
    bytes: int
    changed_ns: int
    names: tuple[str, ...]
    calls: tuple[int, ...]
    sums: tuple[int | None, ...]
    """None where no sum was asked for."""
    wrong: tuple[int | None, ...]
    """Calls that did not return what they must; None where that was not asked for."""
    callers: tuple[Mapping[str, int], ...]
    """For each function the calls of each object that called, by its path; none where they are not asked for."""
    address_taken: tuple[bool, ...]
    untyped: tuple[bool, ...]


class Reading(Struct, frozen=True, kw_only=True):
    """What had been counted when the program read a clock: calls, sum and wrong results of each export, in order."""

    clock: Clock
    counts: tuple[tuple[int, int, int], ...]


def head(
    size: int,
    patterns: Sequence[str],
    exports: Sequence[str],
    sums: Sequence[tuple[str, int, int]],
    readings_max: int = 0,
    callers: bool = False,
    results: Sequence[tuple[str, str, int, int]] = (),
) -> bytes | None:
    """Return the head of a file of `size` bytes, or None where it does not fit.

    `sums` are the function, the position of its argument and the bits of that argument; `results` the function, what it
    must return, the position of the argument that may be, and the bits of the result.
    """
    lists = [b"".join(_text(each) for each in (*texts, "")) for texts in (patterns, exports)]
    names = [*(_text(name) for name, *_ in sums), *(_text(name) for name, *_ in results)]
    places = [ASKED]
    for text in (*lists, *names):
        places.append(places[-1] + len(text))
    asked = -(-places[-1] // 8) * 8
    name_places = iter(places[2:])
    written_sums = [SUM.pack(*each, next(name_places)) for _, *each in sums]
    written_results = [RESULT.pack(MUST_BE[must_be], *each, next(name_places)) for _, must_be, *each in results]
    asked_results = asked + SUM.size * (len(sums) + 1)
    end = asked_results + RESULT.size * (len(results) + 1)
    callers_place = end + readings_max * _reading(len(exports)).size
    used = -(-(callers_place + CALLERS_BYTES * callers) // ALIGNMENT) * ALIGNMENT
    if used > size:
        return None
    written = bytearray(end)
    readings_place = end if readings_max else 0
    reserved = (len(exports), readings_place, readings_max, 0, 0, 0, callers_place * callers, asked_results)
    HEAD.pack_into(written, 0, MAGIC, LAYOUT, size, used, 0, 0, 0, places[0], places[1], asked, *reserved)
    written[ASKED : places[-1]] = b"".join((*lists, *names))
    written[asked : asked + SUM.size * len(sums)] = b"".join(written_sums)
    written[asked_results : asked_results + RESULT.size * len(results)] = b"".join(written_results)
    return bytes(written)


def reserved_bytes(head: bytes) -> int:
    """Return how much of a file, from its start, is in use before anything is counted."""
    return int(HEAD.unpack_from(head)[USED])


def _reading(exports: int) -> struct.Struct:
    """Return the record of a reading: its clock, then calls, sum and wrong results of each export."""
    return struct.Struct(f"={1 + 3 * exports}Q")


def _text(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape") + b"\0"


def processes(shared: mmap) -> int:
    """Return how many program images have loaded the counting library."""
    return int(HEAD.unpack_from(shared)[PROCESSES])


def troubles(shared: mmap) -> tuple[str, ...]:
    """Return what was not counted and why, a sentence each, without repetitions."""
    entered = HEAD.unpack_from(shared)[TROUBLES]
    table = [
        TROUBLE.unpack_from(shared, TROUBLE_TABLE + TROUBLE.size * each) for each in range(min(entered, TROUBLES_MAX))
    ]
    sentences = [f"{_path(path) or 'the program'} is not counted: {REASONS[kind]}" for kind, path in table if kind]
    if entered > TROUBLES_MAX:
        sentences.append(f"{entered - TROUBLES_MAX} more times an object was not counted")
    return tuple(dict.fromkeys(sentences))


def blocks(shared: mmap) -> Iterator[Block]:
    """Yield every block that is ready."""
    callers = _callers(shared)
    entered = min(HEAD.unpack_from(shared)[BLOCKS], BLOCKS_MAX)
    for place in struct.unpack_from(f"={entered}Q", shared, TABLES):
        if place:
            yield _block(shared, place, callers)


def readings(shared: mmap) -> Iterator[Reading]:
    """Yield the readings of clocks, in the order in which they were taken."""
    words = HEAD.unpack_from(shared)
    record = _reading(words[EXPORTS])
    for number in range(words[READINGS_TAKEN]):
        clock, *counts = record.unpack_from(shared, words[READINGS] + number * record.size)
        yield Reading(clock=CLOCKS[clock], counts=tuple(zip(counts[::3], counts[1::3], counts[2::3], strict=True)))


def readings_cut(shared: mmap) -> bool:
    """Whether there were more readings than the file has room for."""
    return bool(HEAD.unpack_from(shared)[READINGS_CUT])


def _callers(shared: mmap) -> dict[int, dict[str, int]]:
    """Return the calls of each object by its path, for each counter by its offset."""
    place = HEAD.unpack_from(shared)[CALLERS]
    if not place:
        return {}
    (objects,) = struct.unpack_from("=Q", shared, place)
    named = [CALLING.unpack_from(shared, place + 8 + CALLING.size * each) for each in range(min(objects, CALLERS_MAX))]
    paths = [_path(path) if ready else "" for ready, path in named]
    table = place + 8 + CALLING.size * CALLERS_MAX
    found: dict[int, dict[str, int]] = {}
    for key, calls in CALL_COUNT.iter_unpack(shared[table : table + CALL_COUNT.size * CALL_COUNTS]):
        if key:
            counter, number = divmod(key, CALLERS_MAX + 1)
            of_function = found.setdefault(counter * 8 * COUNTER_WORDS, {})
            of_function[paths[number - 1]] = of_function.get(paths[number - 1], 0) + calls
    return found


def _block(shared: mmap, place: int, callers: Mapping[int, Mapping[str, int]]) -> Block:
    device, inode, size, changed_ns, functions, counters, names, path = BLOCK.unpack_from(shared, place)
    words = struct.unpack_from(f"={COUNTER_WORDS * functions}Q", shared, counters)
    sums = zip(words[1::COUNTER_WORDS], words[2::COUNTER_WORDS], strict=True)
    wrong = zip(words[5::COUNTER_WORDS], words[6::COUNTER_WORDS], strict=True)
    return Block(
        path=_path(shared[path:names]),
        device=device,
        inode=inode,
        bytes=size,
        changed_ns=changed_ns,
        names=tuple(islice(_texts(shared, names), functions)),
        calls=words[::COUNTER_WORDS],
        sums=tuple(value if asked else None for value, asked in sums),
        wrong=tuple(value if asked else None for value, asked in wrong),
        callers=tuple(callers.get(counters + 8 * COUNTER_WORDS * each, {}) for each in range(functions)),
        address_taken=tuple(map(bool, words[3::COUNTER_WORDS])),
        untyped=tuple(map(bool, words[4::COUNTER_WORDS])),
    )


def _texts(shared: mmap, place: int) -> Iterator[str]:
    while True:
        end = shared.find(b"\0", place)
        yield shared[place:end].decode("utf-8", "backslashreplace")
        place = end + 1


def _path(text: bytes) -> str:
    """Return the path at the start of `text`, in which /proc/PID/maps writes a new line as an octal number."""
    return text.partition(b"\0")[0].decode("utf-8", "backslashreplace").replace("\\012", "\n")
