"""Codecs of `schema`, compiled for a test and called through ctypes on memory of exactly the right size."""

from __future__ import annotations

import ctypes
import subprocess
from array import array
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ffibench.builds.toolchain import compiler
from ffibench.paths import asset
from ffibench.schema.columns import Column, Layout, layout
from ffibench.schema.descriptor import read_schema
from ffibench.schema.model import Schema
from ffibench.schema.numbers import U8
from ffibench.schema.render import fixed_sources, include_folder, render_codec
from ffibench.schema.rows import Columns

NASTY = Path(__file__).parents[1] / "schema/data/nasty"
SUITES = asset("experiments/schema/suites")
EVERY = (*sorted(SUITES.glob("*.proto")), *sorted(NASTY.glob("*.proto")))
"""Schemas of the suites that ship, and those that hold what these do not."""
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror")
MALFORMED, TOO_SMALL = -1, -2
C_TYPES: Mapping[str, Any] = {
    "B": ctypes.c_uint8,
    "i": ctypes.c_int32,
    "I": ctypes.c_uint32,
    "q": ctypes.c_int64,
    "Q": ctypes.c_uint64,
    "f": ctypes.c_float,
    "d": ctypes.c_double,
}
LIBC = ctypes.CDLL(None)
LIBC.malloc.argtypes, LIBC.malloc.restype = [ctypes.c_size_t], ctypes.c_void_p
LIBC.free.argtypes = [ctypes.c_void_p]


class Blocks:
    """Memory of its own for each argument: with the address sanitizer a byte too much ends the process."""

    def __enter__(self) -> Blocks:
        self.addresses: list[int] = []
        return self

    def __exit__(self, *_: object) -> None:
        for each in self.addresses:
            LIBC.free(each)

    def of(self, data: bytes) -> int:
        address: int = LIBC.malloc(len(data))
        ctypes.memmove(address, data, len(data))
        self.addresses.append(address)
        return address

    def room(self, size: int) -> int:
        return self.of(b"\xa5" * size)


class Codec:
    """A compiled codec. Each function returns what C's does, or its error as an int."""

    def __init__(self, library: Path, schema: Schema) -> None:
        self.schema, self.layout = schema, layout(schema)
        self.library = ctypes.CDLL(str(library))

    def encoded_size(self, columns: Columns) -> int:
        with Blocks() as blocks:
            return self._call("encoded_size", self._given(columns, blocks), ctypes.c_int64)

    def encode(self, columns: Columns, room: int | None = None) -> bytes | int:
        size = max(self.encoded_size(columns), 0) if room is None else room
        with Blocks() as blocks:
            memory = blocks.room(size)
            given = [*self._given(columns, blocks), ctypes.c_void_p(memory), ctypes.c_size_t(size)]
            length = self._call("encode", given, ctypes.c_int64)
            return length if length < 0 else ctypes.string_at(memory, length)

    def counts(self, data: bytes, room: int | None = None) -> dict[str, int] | int:
        size = len(self.layout.arrays) if room is None else room
        with Blocks() as blocks:
            memory = blocks.room(size * ctypes.sizeof(ctypes.c_size_t))
            given = [*self._message(data, blocks), ctypes.c_void_p(memory), ctypes.c_size_t(size)]
            error = self._call("counts", given, ctypes.c_int)
            found = (ctypes.c_size_t * size).from_address(memory)
            return error or dict(zip((each.name for each in self.layout.arrays), found, strict=True))

    def decode(self, data: bytes, counts: Mapping[str, int]) -> Columns | int:
        with Blocks() as blocks:
            places: dict[str, int] = {}
            arguments = self._message(data, blocks)
            for each in self.layout.arrays:
                places[each.name] = blocks.room(counts[each.name] * each.number.size)
                arguments += [ctypes.c_void_p(places[each.name]), ctypes.c_size_t(counts[each.name])]
            for each in self.layout.plains:
                places[each.name] = blocks.room(each.number.size)
                arguments.append(ctypes.c_void_p(places[each.name]))
            error = self._call("decode", arguments, ctypes.c_int)
            if error:
                return error
            return {each.name: self._read(each, places, counts) for each in self.layout.columns}

    def view(self, field: str, data: bytes) -> tuple[int, int] | int:
        with Blocks() as blocks:
            offset, count = ctypes.c_size_t(), ctypes.c_size_t()
            arguments = [*self._message(data, blocks), ctypes.byref(offset), ctypes.byref(count)]
            return self._call(f"{field}_view", arguments, ctypes.c_int) or (offset.value, count.value)

    def _call(self, name: str, arguments: Sequence[Any], result: Any) -> int:  # noqa: ANN401
        function = self.library[f"{self.schema.name}_{name}"]
        function.restype = result
        answer: int = function(*arguments)
        return answer

    def _given(self, columns: Columns, blocks: Blocks) -> list[Any]:
        plains = [C_TYPES[each.number.code](columns[each.name]) for each in self.layout.plains]
        arrays: list[Any] = []
        for each in self.layout.arrays:
            data = bytes(memoryview(columns[each.name]).cast("B"))
            arrays += [ctypes.c_void_p(blocks.of(data)), ctypes.c_size_t(len(columns[each.name]))]
        return plains + arrays

    @staticmethod
    def _message(data: bytes, blocks: Blocks) -> list[Any]:
        return [ctypes.c_void_p(blocks.of(data)), ctypes.c_size_t(len(data))]

    @staticmethod
    def _read(column: Column, places: Mapping[str, int], counts: Mapping[str, int]) -> Any:  # noqa: ANN401
        if column.plain:
            return C_TYPES[column.number.code].from_address(places[column.name]).value
        data = ctypes.string_at(places[column.name], counts[column.name] * column.number.size)
        return data if column.number is U8 else array(column.number.code, data)


def library_of(proto: Path, folder: Path, *flags: str) -> Path:
    """Compile the codec of a schema, without a warning, into a library in a folder."""
    schema = read_schema(proto)
    for name, text in render_codec(schema, layout(schema)).items():
        (folder / name).write_text(text, encoding="utf-8")
    output = folder / f"lib{proto.stem}.so"
    sources = [folder / f"{proto.stem}_codec.c", *fixed_sources()]
    command = [*compiler("c").command, "-std=c11", "-O1", "-g", "-shared", "-fPIC", *WARNINGS, *flags]
    subprocess.run([*command, f"-I{include_folder()}", *map(str, sources), "-o", str(output)], check=True)
    return output


def compiled_codec(proto: Path, folder: Path, *flags: str) -> Codec:
    """Return the codec of a schema, compiled in a folder."""
    return Codec(library_of(proto, folder, *flags), read_schema(proto))


def accepted(codec: Codec, data: bytes) -> Columns | int:
    """Return the columns of a message, or the error, about which both of the codec's readers must agree."""
    counts = codec.counts(data)
    if isinstance(counts, int):
        return counts
    columns = codec.decode(data, counts)
    assert not isinstance(columns, int), f"counted, but not decoded: {columns}"
    return columns


def lengths(of: Layout, columns: Columns) -> dict[str, int]:
    """Return how many elements each array has."""
    return {each.name: len(columns[each.name]) for each in of.arrays}
