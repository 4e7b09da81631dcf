"""`codec` in Rust does the work of every case, and decodes the blocks that the library decodes, no others."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.anywhere import runtime_or_skip, skip_if_missing, skip_without
from support.codec import FOLDER, STRUCT
from support.codec_hosts import check_decoders, check_run
from support.contract import compile_without_warning

from ffibench.builds.toolchain import missing_compiler
from ffibench.paths import asset

NAME = "rust/minicbor"
PROGRAM = Path(__file__).with_name("data") / "blocks.rs"


@pytest.mark.parametrize("size", [1, 70_000])
def test_every_case_is_right(size: int) -> None:
    check_run(NAME, size)


def test_it_decodes_the_blocks_that_the_library_decodes(tmp_path: Path) -> None:
    rustc = runtime_or_skip("rust").executable
    skip_if_missing(missing_compiler(["c"]))
    skip_without("codec", NAME)
    shutil.copy(PROGRAM, tmp_path)
    shutil.copy(FOLDER.path / "shims/rust/minicbor/block.rs", tmp_path)
    kit = asset("native/kits/rust") / "ffibench.rs"
    compile_without_warning(tmp_path, rustc, "--edition=2021", "--crate-type=rlib", kit)
    # Arithmetic that is out of range ends it, as it would not in the contestant.
    options = ["--edition=2021", "-Coverflow-checks=on", "--extern=ffibench=libffibench.rlib"]
    compile_without_warning(tmp_path, rustc, *options, "-o", "blocks", "blocks.rs")
    check_decoders([tmp_path / "blocks"], [STRUCT])
