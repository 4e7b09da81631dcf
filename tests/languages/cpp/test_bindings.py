"""A header of C that never thought of C++ is called by it: its words as names, and types that convert by themselves."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support.command import Cli

from ffibench.builds import toolchain
from ffibench.catalog import candidates, find_experiment
from ffibench.languages import languages
from ffibench.languages.cpp import LANGUAGE
from ffibench.model.runtime import Missing, Runtime

HEADER = """\
#include <math.h>
#include <stdbool.h>
#include <string.h>
struct plain { int new; struct inner { int private; } this; };
enum namespace { public = 3, virtual = 4 };
typedef int typename;
int delete(int new, int *restrict try);
int throw(struct plain *class, struct plain this_);
enum namespace friend(enum namespace using);
typename mutable(typename explicit);
_Bool boolean(_Bool export);
double decltype(const double *operator, int count);
const char *catch(int which);
"""
SOURCE = """\
#include "words.h"
int delete(int n, int *t) { *t = n + 1; return n; }
int throw(struct plain *c, struct plain t) { c->this.private = 4; return c->new + t.this.private; }
enum namespace friend(enum namespace u) { return u == public ? virtual : public; }
typename mutable(typename e) { return e + 1; }
_Bool boolean(_Bool e) { return !e; }
double decltype(const double *o, int n) { double s = 0; for (int i = 0; i < n; i++) s += o[i]; return s; }
const char *catch(int which) { return which ? "a \\"text\\"" : NULL; }
"""
CALLS = (
    "delete(4, out(x))",
    "throw(plain(1, inner(2)), plain(1, inner(7)))",
    "friend(3)",
    "mutable(5)",
    "n = mutable(5); boolean(n)",
    "boolean(True)",
    'decltype(array("d", 4), 4)',
    "catch(0)",
    "catch(1)",
)


def test_cpp_is_one_of_the_languages_and_takes_part_where_asked_for() -> None:
    assert languages()["cpp"] is LANGUAGE
    names = {each.contestant.name for each in candidates(find_experiment("xsub"))}
    assert "cpp/extern" not in names
    assert "cpp/extern" in {each.contestant.name for each in candidates(find_experiment("xsub"), patterns=["cpp/*"])}


def test_it_is_told_by_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "missing_compiler", lambda _: None)
    text = "g++ (Debian 12.2.0-14) 12.2.0 Copyright (C) 2022 Free Software Foundation, Inc."
    monkeypatch.setattr(toolchain, "compiler", lambda _: toolchain.Compiler(command=("c++",), version=text))
    (runtime,) = LANGUAGE.runtimes((), ())
    assert isinstance(runtime, Runtime)
    assert (runtime.label, runtime.version) == ("g++ 12.2.0", "12.2.0")


def test_a_missing_compiler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = Missing(reason="no C++ compiler: 'c++' is not found", fix=toolchain.INSTALL)
    monkeypatch.setattr(toolchain, "missing_compiler", lambda _: missing)
    assert LANGUAGE.runtimes((), ()) == [missing]


def test_words_of_cpp_name_what_c_named_so(tmp_path: Path, cli: Cli) -> None:
    for compiler in ("cc", "c++"):
        if shutil.which(compiler) is None:
            pytest.skip("no C or C++ compiler; apt-get install gcc g++")
    (tmp_path / "words.h").write_text(HEADER, encoding="ascii")
    (tmp_path / "words.c").write_text(SOURCE, encoding="ascii")
    library = tmp_path / "libwords.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, "words.c"], cwd=tmp_path, check=True)
    calls = [word for call in CALLS for word in ("--call", call)]
    arguments = ["-c", "cpp/extern", "--kind", "decltype.operator=array", "--rounds", "1", "--iterations", "50"]
    answer = cli("run", str(tmp_path / "words.h"), "--library", str(library), *calls, *arguments)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "invalid" not in answer.stdout
    assert re.search(r"^verified +all \d+ slices .*match", answer.stdout, re.MULTILINE)
