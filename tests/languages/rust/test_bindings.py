"""What Rust's own rules make of a header: names, types that C converts by itself, a number that it lacks; crates."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support.anywhere import runtime_or_skip
from support.command import Cli

from ffibench.catalog import candidates, find_experiment
from ffibench.catalog.selection import select
from ffibench.errors import FfibenchError
from ffibench.model.runtime import Missing

HEADER = """\
#include <stdbool.h>
#include <stddef.h>
enum loop { ref = 1, mut = -2 };
struct type { int match; short in[3]; char fn; };
int move(int self, int crate);
int self(struct type impl);
void where(struct type *dyn);
enum loop flipped(enum loop value);
size_t sized(long value);
bool truth(bool value);
char last_char(char value);
int each(int (*function)(size_t, long), size_t count);
char *owned(const char *text);
long double wide(void);
"""
SOURCE = """\
#include "hostile.h"
#include <string.h>
int move(int self, int crate) { return 10 * self + crate; }
int self(struct type type) { return type.match + type.in[1] + type.fn; }
void where(struct type *type) { type->match = 7; type->in[2] = -3; type->fn = -1; }
enum loop flipped(enum loop value) { return (enum loop)-value; }
size_t sized(long value) { return (size_t)value + 1; }
bool truth(bool value) { return !value; }
char last_char(char value) { return (char)(value - 1); }
int each(int (*function)(size_t, long), size_t count)
{
    return count == 0 ? 0 : function(count, -1) + each(function, count - 1);
}
char *owned(const char *text) { return strdup(text); }
long double wide(void) { return 1; }
"""
CALLS = (
    "move(1, 2)",
    "self(type(1, [2, 3, 4], 5))",
    "where(type(match=1))",
    "flipped(2)",
    "n = sized(41); sized(n)",
    "n = sized(41); truth(n)",
    "last_char(-3)",
    "each(callback(300), 3)",
    'owned("h\\xc3\\xa4")',
    "wide()",
)


@pytest.fixture
def header(tmp_path: Path) -> Path:
    runtime_or_skip("rust")
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler; apt-get install gcc g++")
    folder = tmp_path / "it's a folder"
    folder.mkdir()
    (folder / "hostile.h").write_text(HEADER, encoding="ascii")
    (folder / "hostile.c").write_text(SOURCE, encoding="ascii")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", "libhostile.so", "hostile.c"], cwd=folder, check=True)
    return folder / "hostile.h"


def test_names_and_types_of_c_cross_into_rust(header: Path, cli: Cli) -> None:
    calls = [word for call in CALLS for word in ("--call", call)]
    answer = cli(
        *("run", str(header), "--library", str(header.with_name("libhostile.so")), *calls),
        *("-c", "rust/extern", "--kind", "owned.return=owned:free", "--rounds", "1", "--iterations", "50"),
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "invalid" not in answer.stdout
    assert re.search(r"^verified +all \d+ slices .*match", answer.stdout, re.MULTILINE)
    assert "extern renders no `long double`: wide.result (hostile.h:14)" in " ".join(answer.stdout.split())


def test_a_crate_needs_cargo_and_plain_declarations_do_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rustc").write_text("#!/bin/sh\necho release: 1.80.0\n", encoding="ascii")
    (tmp_path / "rustc").chmod(0o755)
    for tool in ("cc", "sh"):
        found = shutil.which(tool)
        assert found is not None
        (tmp_path / tool).symlink_to(found)
    monkeypatch.setenv("PATH", str(tmp_path))
    contestants = candidates(find_experiment("xsub"), patterns=["rust/*"])
    by_name = {each.contestant.name: each.missing for each in contestants}
    assert by_name["rust/extern"] is None
    for name in ("rust/libloading", "rust/zmq"):
        assert by_name[name] == Missing(
            reason="there is no cargo on PATH, which the build of its binding runs", fix="apt-get install cargo"
        )
    with pytest.raises(FfibenchError, match="rust/libloading cannot run here: there is no cargo on PATH"):
        select(contestants, ["rust/libloading"])
