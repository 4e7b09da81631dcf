"""The kinds of a header as values: how each function crosses, through what, and what a library does not export."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.shim_fixtures import CONSTRUCTS, CONSTRUCTS_KINDS

from ffibench.catalog.places import find_header
from ffibench.errors import FfibenchError
from ffibench.model import Crossing, LibraryIdentity
from ffibench.shims.technology import technologies
from ffibench.workflow.kinds import header_kinds


def test_each_parameter_has_its_kind_what_it_leaves_open_and_what_else_it_could_be() -> None:
    (function,) = header_kinds(str(CONSTRUCTS), functions=["scale"]).functions
    assert (function.name, Path(function.file).name) == ("scale", "constructs.h")
    items, count, by = function.crossings
    assert items == Crossing(
        name="items", declaration="double *items", kind="array", note="length: count", others=("cell", "handle")
    )
    assert (count.kind, by.kind, by.others) == ("scalar", "scalar", ())
    (opened,) = header_kinds(str(CONSTRUCTS), functions=["account_open"]).functions
    assert [each.note for each in opened.crossings] == ["", 'cell("void *")', ""]


def test_a_text_says_whether_it_is_freed() -> None:
    plain, owned = (
        header_kinds(str(CONSTRUCTS), functions=["text_new"], kinds=kinds).functions[0].crossings[-1]
        for kinds in ({}, CONSTRUCTS_KINDS | {"digest_of.return": "handle"})
    )
    assert (plain.kind, plain.note, plain.others) == ("string", "copied, not freed", ("owned:FREE", "handle"))
    assert (owned.kind, owned.note) == ("owned", "freed by text_free")


def test_it_says_which_technologies_lack_what() -> None:
    found = header_kinds(str(CONSTRUCTS), functions=["scale", "texts_alive"])
    scale, alive = found.functions
    assert set(found.technologies) == {f"{each.language}/{each.name}" for each in technologies() if each.kinds}
    assert scale.lacking["perl/xs"] == scale.lacking["perl/platypus"] == ("array",)
    assert "python/ctypes" not in scale.lacking
    assert not alive.lacking


def test_structs_are_spelled_as_they_are_made() -> None:
    found = header_kinds(str(CONSTRUCTS), functions=["grid_sum", "swap"])
    assert found.structs == {
        "pair": "pair(x, y)",
        "grid": "grid(cells, corners)",
        "struct_swap": "struct_swap(a, b)",
    }


def test_what_cannot_be_bound_is_by_reason_and_only_what_was_asked_for(tmp_path: Path) -> None:
    header = tmp_path / "own.h"
    header.write_text("int f(const unsigned char *key); int g(int, ...); int h(int);\n")
    found = header_kinds(str(header))
    assert {each.name: each.fix for group in found.refused.values() for each in group} == {
        "f": "--kind f.key=bytes",
        "g": "",
    }
    assert [each.name for each in found.functions] == ["h"]
    assert not header_kinds(str(header), functions=["h"]).refused


def test_what_a_library_does_not_export_is_named(kinds_library: LibraryIdentity, tmp_path: Path) -> None:
    header = tmp_path / "own.h"
    header.write_text("int forty_two(void); int forty_three(void);\n")
    found = header_kinds(str(header), library=kinds_library.path)
    assert [each.name for each in found.not_exported] == ["forty_three"]
    assert found.library == kinds_library.path
    with pytest.raises(FfibenchError, match=r"no library at .*gone\.so"):
        header_kinds(str(header), library=str(tmp_path / "gone.so"))


def test_a_header_is_found_by_path_by_name_of_ours_and_as_the_compiler_finds_it(tmp_path: Path) -> None:
    own = tmp_path / "own.h"
    own.write_text("int f(int);\n")
    assert find_header(str(own)) == own
    assert find_header("zmq.h").parent.name == "include"
    assert find_header("math.h").name == "math.h"
    for gone in ("no-such-header.h", str(tmp_path / "gone.h"), "a\nb.h"):
        with pytest.raises(FfibenchError, match="there is no header"):
            find_header(gone)


def test_a_name_that_no_function_has_is_told_with_the_nearest() -> None:
    with pytest.raises(FfibenchError, match="declares no function `scal`; use the nearest: scale"):
        header_kinds(str(CONSTRUCTS), functions=["scal"])
