"""PyO3: it takes part where a pattern asks for it, needs cargo, and carries structs as the other bindings do."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support.command import Cli

from ffibench.catalog import candidates, find_experiment
from ffibench.catalog.selection import select
from ffibench.errors import FfibenchError
from ffibench.shims.technology import technologies

HEADER = """\
#include <stdbool.h>
#include <stddef.h>
struct type { int match; short items[3]; };
struct outer { struct type inner; unsigned char bytes[2]; bool self; };
struct outer turn(struct outer outer);
double fn(const struct outer *impl, double dyn);
int self(int crate);
bool truth(bool value);
void fill(void *memory, size_t size);
int each(int (*call)(int, void *), void *data, int count);
char *owned(const char *text);
long double wide(void);
"""
SOURCE = """\
#include "nested.h"
#include <string.h>
struct outer turn(struct outer o)
{
    o.inner.match++;
    o.inner.items[2] = -9;
    o.bytes[1] = 255;
    o.self = !o.self;
    return o;
}
double fn(const struct outer *o, double d) { return o->inner.items[1] * d + o->inner.match; }
int self(int crate) { return crate + 2; }
bool truth(bool value) { return !value; }
void fill(void *memory, size_t size) { memset(memory, 7, size); }
int each(int (*call)(int, void *), void *data, int count)
{
    return count == 0 ? 0 : call(count, data) + each(call, data, count - 1);
}
char *owned(const char *text) { return *text == 0 ? NULL : strdup(text); }
long double wide(void) { return 1; }
"""
CALLS = (
    "turn(outer(type(2, [1, 2, 3]), bytes=[4, 5], self=True))",
    "fn(outer(type(2, [1, 2, 3])), 0.5)",
    "self(40)",
    "n = self(40); truth(n)",
    "fill(buffer(100), 100)",
    "each(callback(300), NULL, 3)",
    'owned("h\\xc3\\xa4")',
    'owned("")',
    "wide()",
)


def chosen(*patterns: str) -> set[str]:
    return {each.contestant.name for each in candidates(find_experiment("xsub"), patterns=patterns)}


def test_nobody_who_did_not_ask_for_it_waits_for_its_build() -> None:
    assert "python/pyo3" not in chosen()
    for pattern in ("*", "python/*", "python/pyo3"):
        assert "python/pyo3" in chosen(pattern)


def test_without_cargo_who_asks_for_it_alone_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for tool in ("cc", "c++", "rustc"):
        (tmp_path / tool).symlink_to(shutil.which(tool) or shutil.which("true", path=os.defpath) or "/bin/true")
    monkeypatch.setenv("PATH", str(tmp_path))
    reason = "there is no cargo on PATH, which the build of its binding runs; apt-get install cargo"
    found = candidates(find_experiment("xsub"), patterns=["python/*"])
    told = {each.contestant.name: each.reason for each in select(found, ["python/pyo3*"]).unavailable}
    assert told == {"python/pyo3": reason, "python/pyo3~nogil": reason}
    for patterns in ([], ["*"], ["python/*"]):
        chosen = select(found, patterns)
        present = {each.contestant.name for each in chosen.present}
        assert "python/ctypes" in present
        assert not told.keys() & (present | {each.contestant.name for each in chosen.unavailable})
    with pytest.raises(FfibenchError, match=f"python/pyo3 cannot run here: {reason}"):
        select(found, ["python/pyo3"])


def test_structs_callbacks_and_words_of_rust_cross(tmp_path: Path, cli: Cli) -> None:
    for tool in ("cc", "cargo", "rustc"):
        if shutil.which(tool) is None:
            pytest.skip(f"there is no {tool}; apt-get install gcc rustc cargo")
    (tmp_path / "nested.h").write_text(HEADER, encoding="ascii")
    (tmp_path / "nested.c").write_text(SOURCE, encoding="ascii")
    library = tmp_path / "libnested.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, "nested.c"], cwd=tmp_path, check=True)
    calls = [word for call in CALLS for word in ("--call", call)]
    kinds = ["--kind", "owned.return=owned:free", "--kind", "fill.memory=buffer"]
    arguments = ["-c", "python/pyo3*", *kinds, "--rounds", "1", "--iterations", "50"]
    answer = cli("run", str(tmp_path / "nested.h"), "--library", str(library), *calls, *arguments)
    said = " ".join((answer.stdout + answer.stderr).split())
    if "could not fetch pyo3" in said:
        pytest.skip("crates.io cannot be reached")
    assert answer.returncode == 0, said
    assert "invalid" not in answer.stdout
    assert re.search(r"^verified +all \d+ slices .*match", answer.stdout, re.MULTILINE)
    assert "pyo3 renders no `long double`: wide.result" in said


def test_it_says_what_it_lacks() -> None:
    (technology,) = (each for each in technologies() if each.name == "pyo3")
    assert technology.without == ("long double",)
    assert technology.extra
