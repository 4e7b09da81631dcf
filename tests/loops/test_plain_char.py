"""A plain `char` of C has a sign on x86 and none on ARM: a cell or a callback of it is as the compiler has it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.anywhere import skip_without
from support.command import Cli
from support.foo import measured
from support.trees import plant

FILES = {
    "chars.h": """
        void put_char(char *out);
        int next_char(char *number);
        char thrice(char first, char (*step)(char value));
    """,
    "chars.c": """
        #include "chars.h"
        void put_char(char *out) { *out = (char)200; }
        int next_char(char *number) { return ++*number; }
        char thrice(char first, char (*step)(char value)) { return step(step(step(first))); }
    """,
    "experiment.py": """
from ffibench.model import Call, Experiment, LibrarySources

CALLS = ("put_char(out(cell))", 'next_char(inout("char", 41))')
EXPERIMENT = Experiment(
    title="plain char",
    header="chars.h",
    library=LibrarySources(sources=("chars.c",)),
    kinds={"put_char.out": "cell", "next_char.number": "cell"},
    calls=tuple(Call(expression=each, iterations=10) for each in (*CALLS, "thrice(1, callback(2))")),
)
""",
}


@pytest.mark.parametrize("flag", ["-fsigned-char", "-funsigned-char"])
@pytest.mark.parametrize("name", ["cpp/extern", "d/extern", "go/cgo"])
def test_it_is_what_the_compiler_says(name: str, flag: str, cli: Cli, tmp_path: Path) -> None:
    skip_without("xsub", name)
    plant(tmp_path, FILES)
    assert name.partition("/")[0] in measured(cli("run", str(tmp_path), "-c", name, "--rounds", "1", CPPFLAGS=flag))
