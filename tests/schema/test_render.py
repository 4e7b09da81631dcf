"""The promise: the header of a codec is one that every binding can be made of, without a word from its user."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.schemas import EVERY, SUITES

from ffibench.builds.toolchain import compiler
from ffibench.headers.reader import Header, read_header
from ffibench.headers.types import Kind
from ffibench.schema.columns import Column, Layout, layout
from ffibench.schema.descriptor import read_schema
from ffibench.schema.numbers import U8
from ffibench.schema.render import include_folder, length_of, render_codec

every_schema = pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)


def rendered(path: Path, folder: Path) -> tuple[Layout, Path]:
    """Write the files of a codec, and return where its header is."""
    schema = read_schema(path)
    found = layout(schema)
    for name, text in render_codec(schema, found).items():
        (folder / name).write_text(text, encoding="utf-8")
    return found, folder / f"{path.stem}_codec.h"


def parameters(header: Header, name: str) -> list[tuple[str, Kind, str | None]]:
    (function,) = header.select([name])
    return [(each.name, each.kind, each.length) for each in function.parameters]


def array_kind(column: Column, *, filled: bool) -> Kind:
    return "array" if column.number is not U8 else "buffer" if filled else "bytes"


@every_schema
def test_each_parameter_has_the_kind_that_is_meant(tmp_path: Path, path: Path) -> None:
    found, place = rendered(path, tmp_path)
    header = read_header(place)
    assert not header.refusals
    given: list[tuple[str, Kind, str | None]] = [(each.name, "scalar", None) for each in found.plains]
    filled: list[tuple[str, Kind, str | None]] = [("bytes", "bytes", "bytes_length"), ("bytes_length", "scalar", None)]
    for each in found.arrays:
        length, size = length_of(each), f"{each.name}_size"
        given += [(each.name, array_kind(each, filled=False), length), (length, "scalar", None)]
        filled += [(each.name, array_kind(each, filled=True), size), (size, "scalar", None)]
    filled += [(f"{each.name}_out", "cell", None) for each in found.plains]
    memory: list[tuple[str, Kind, str | None]] = [("bytes", "buffer", "bytes_size"), ("bytes_size", "scalar", None)]
    counts: list[tuple[str, Kind, str | None]] = [("counts", "array", "counts_size"), ("counts_size", "scalar", None)]
    window: list[tuple[str, Kind, str | None]] = [("offset_out", "cell", None), ("count_out", "cell", None)]
    assert parameters(header, f"{path.stem}_encode") == [*given, *memory]
    assert parameters(header, f"{path.stem}_encoded_size") == given
    assert parameters(header, f"{path.stem}_counts") == [*filled[:2], *counts]
    assert parameters(header, f"{path.stem}_decode") == filled
    for view in found.views:
        assert parameters(header, f"{path.stem}_{view.name}_view") == [*filled[:2], *window]
    assert len(header.functions) == 4 + len(found.views)


@every_schema
def test_the_header_says_the_errors_and_how_many_arrays_there_are(tmp_path: Path, path: Path) -> None:
    found, place = rendered(path, tmp_path)
    constants = {"SCHEMA_MALFORMED": -1, "SCHEMA_TOO_SMALL": -2, f"{path.stem}_ARRAYS": len(found.arrays)}
    assert read_header(place).constants == constants


def test_the_header_lists_the_columns_in_the_order_of_the_fields(tmp_path: Path) -> None:
    found, place = rendered(SUITES / "complex.proto", tmp_path)
    lines = [line.split() for line in place.read_text(encoding="utf-8").splitlines() if line.startswith(" *     ")]
    assert [words[1] for words in lines] == [each.name for each in found.columns]


@every_schema
def test_the_header_is_one_of_cpp_too(tmp_path: Path, path: Path) -> None:
    _, place = rendered(path, tmp_path)
    flags = ["-x", "c++", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    subprocess.run([*compiler("cpp").command, *flags, str(place)], check=True)


def test_headers_of_several_suites_are_read_together(tmp_path: Path) -> None:
    places = [rendered(path, tmp_path)[1] for path in EVERY]
    (tmp_path / "all.c").write_text("".join(f'#include "{each.name}"\n' for each in places), encoding="utf-8")
    flags = ["-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    subprocess.run([*compiler("c").command, *flags, str(tmp_path / "all.c")], check=True)


@every_schema
def test_nothing_is_warned_of_as_libraries_under_test_are_built(tmp_path: Path, path: Path) -> None:
    rendered(path, tmp_path)
    flags = ["-std=gnu11", "-O3", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{include_folder()}"]
    source, output = tmp_path / f"{path.stem}_codec.c", tmp_path / "codec.o"
    subprocess.run([*compiler("c").command, *flags, "-c", str(source), "-o", str(output)], check=True)
