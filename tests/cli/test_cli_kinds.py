"""`ffibench kinds`, as a user has it, for headers that users have."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import Cli, assert_told


@pytest.mark.parametrize(
    ("header", "package", "function", "line"),
    [
        ("zlib.h", "zlib1g-dev", "compress", 'cell("unsigned long")'),
        ("sqlite3.h", "libsqlite3-dev", "sqlite3_open", 'cell("void *")'),
        ("math.h", "libc6-dev", "frexp", 'cell("int")'),
    ],
)
def test_it_reads_headers_that_users_have(cli: Cli, header: str, package: str, function: str, line: str) -> None:
    if not (Path("/usr/include") / header).exists():
        pytest.skip(f"{header} is not installed; apt-get install {package}")
    whole = cli("kinds", header)
    assert whole.returncode == 0, whole.stderr
    assert f"\n{function}  " in whole.stdout
    one = cli("kinds", header, "--function", function)
    assert line in one.stdout
    assert one.stdout.count("\n") < 40 < whole.stdout.count("\n")


def test_a_kind_is_overridden_and_a_library_asked(cli: Cli, tmp_path: Path) -> None:
    header = tmp_path / "own.h"
    header.write_text("char *text(void); double cos(double x); int nowhere(const unsigned char *key);\n")
    plain = cli("kinds", str(header))
    assert "string (copied, not freed)" in plain.stdout
    assert "(--kind nowhere.key=bytes)" in plain.stdout
    kinds = ("--kind", "text.return=owned:free", "--kind", "nowhere.key=bytes")
    told = cli("kinds", str(header), *kinds, "--library", "libm.so.6")
    assert told.returncode == 0, told.stderr
    assert "owned (freed by free)" in told.stdout
    assert "Cannot be bound" not in told.stdout
    missing = told.stdout.partition("and not exported by ")[2].partition("\n\n")[0]
    assert "nowhere" in missing
    assert "text" in missing
    assert "cos " not in missing


def test_mistakes_are_told(cli: Cli, tmp_path: Path) -> None:
    assert_told(cli("kinds", "no-such.h"), "there is no header no-such.h", "install the package")
    header = tmp_path / "own.h"
    header.write_text("int f(int a);\n")
    assert_told(cli("kinds", str(header), "--function", "g*"), "declares no function `g*`", "use one of: f")
    assert_told(cli("kinds", str(header), "--kind", "f.a=cell"), "cannot be cell", "use scalar")
    assert_told(cli("kinds", str(header), "--kind", "f.return=owned:free"), "returns `int`, which cannot be owned")
    header.write_text("int f(int a;\n")
    assert_told(cli("kinds", str(header)), "cannot read the C declaration at", "own.h:1")
