"""What cannot be read is told by the header's own line, or by the package to install."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.headers import write

from ffibench.errors import FfibenchError
from ffibench.headers.reader import read_header


def error_of(path: Path, **options: object) -> str:
    with pytest.raises(FfibenchError) as caught:
        read_header(path, **options)  # type: ignore[arg-type]
    return str(caught.value)


def test_a_missing_header_is_told(tmp_path: Path) -> None:
    assert f"there is no header {tmp_path / 'none.h'}" in error_of(tmp_path / "none.h")
    assert "there is no header" in error_of(tmp_path)


def test_a_missing_compiler_is_told_with_the_package(tmp_path: Path) -> None:
    path = write(tmp_path, "int f(void);")
    expected = "no C compiler `no-such-cc` found; apt-get install gcc"
    assert error_of(path, compiler=("no-such-cc",)) == expected
    assert "cannot be run" in error_of(path, compiler=(str(tmp_path),))


def test_what_the_preprocessor_refuses_is_told_by_its_first_error(tmp_path: Path) -> None:
    path = write(tmp_path, "\n#include <no/such/file.h>\n")
    assert f"{path}:2:10: fatal error: no/such/file.h" in error_of(path)


def test_c_that_cannot_be_read_is_told_by_its_line_in_the_header(tmp_path: Path) -> None:
    path = write(tmp_path, "#include <stddef.h>\nint fine(void);\n\nint broken(3);\n")
    assert f"cannot read the C declaration at {path}:4 (" in error_of(path)
    path = write(tmp_path, "#include <stddef.h>\nint fine(void);\nint open_end(\n")
    assert f"cannot read the C declaration at {path}:" in error_of(path)
