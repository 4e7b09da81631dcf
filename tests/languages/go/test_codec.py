"""`codec` in Go does the work of every case, and decodes the blocks that the library decodes, no others."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.anywhere import runtime_or_skip, skip_without
from support.codec import FOLDER, STRUCT
from support.codec_hosts import check_decoders, check_run
from support.contract import compile_without_warning

NAME = "go/fxamacker"
PROGRAM = Path(__file__).with_name("data") / "blocks.go"


@pytest.mark.parametrize("size", [1, 70_000])
def test_every_case_is_right(size: int) -> None:
    check_run(NAME, size)


def test_it_decodes_the_blocks_that_the_library_decodes(tmp_path: Path) -> None:
    go = runtime_or_skip("go").executable
    skip_without("codec", NAME)
    shutil.copy(PROGRAM, tmp_path / "main.go")
    shutil.copy(FOLDER.path / "shims/go/fxamacker/block.go", tmp_path)
    (tmp_path / "go.mod").write_text("module blocks\n\ngo 1.24\n", encoding="ascii")
    own = {"GOTOOLCHAIN": "local", "GOFLAGS": "-buildvcs=false", "GOWORK": "off"}
    compile_without_warning(tmp_path, go, "vet", ".", **own)
    compile_without_warning(tmp_path, go, "build", "-o", "blocks", ".", **own)
    check_decoders([tmp_path / "blocks"], [STRUCT])
