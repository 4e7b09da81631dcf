"""Generated loops and the oracle are sources that a compiler takes without a warning, and that a person can read."""

from __future__ import annotations

import py_compile
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support.expressed import HEADER, SHAPES, bound

from ffibench.builds.toolchain import compiler
from ffibench.catalog import find_experiment
from ffibench.loops.render import escaped, loop_languages, oracle_source
from ffibench.paths import asset

FLAGS = ("-fsyntax-only", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-overlength-strings")


def compiles(source: Path) -> None:
    """Compile a C source as the baseline is compiled, with every warning an error."""
    folders = (asset("native/kits/c"), asset("native/include"), SHAPES)
    include = [f"-I{folder}" for folder in folders]
    command = [*compiler("c").command, *FLAGS, "-fno-builtin", *include, str(source)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr


def test_every_language_has_one_template() -> None:
    assert set(loop_languages()) >= {"c", "perl", "python"}
    for language in loop_languages():
        assert len(list(asset(f"native/loops/{language}").glob("loop.*.j2"))) == 1


def test_the_baseline_compiles_without_a_warning(generated: dict[str, Path]) -> None:
    compiles(generated["c"])


def test_the_oracle_compiles_without_a_warning(tmp_path: Path) -> None:
    experiment = find_experiment(str(SHAPES)).experiment
    kinds = dict(experiment.kinds)
    read = [
        bound(
            each.expression,
            setup=each.setup,
            teardown=each.teardown,
            kinds=kinds,
            checked=each.checked,
            key=f"k{number}",
        )
        for number, each in enumerate(experiment.calls)
    ]
    source = tmp_path / "answers.c"
    text = oracle_source("shapes", [HEADER.name], [each for each, _ in read], read[0][1].all_structs)
    source.write_text(text, encoding="utf-8")
    compiles(source)


def test_the_loop_in_python_compiles(generated: dict[str, Path], tmp_path: Path) -> None:
    py_compile.compile(str(generated["python"]), cfile=str(tmp_path / "loop.pyc"), doraise=True)


@pytest.mark.skipif(shutil.which("perl") is None, reason="perl is not installed")
def test_the_loop_in_perl_compiles(generated: dict[str, Path]) -> None:
    kit = str(asset("native/kits/perl"))
    # Calls of functions with brackets need no declaration, so that no shim takes part.
    command = ["perl", "-c", "-I", kit, str(generated["perl"])]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    assert answer.stderr.strip().endswith("syntax OK")
    assert len(answer.stderr.strip().splitlines()) == 1, answer.stderr


OUTERMOST = {
    "c": r"#|/\*|static |int main\(|\{|\}",
    "perl": r"#|use |no |my |sub |for |FFIBench::serve|\$_->|\}",
    "python": r'"""|from |def ',
}
"""What begins at the margin."""


@pytest.mark.parametrize("language", OUTERMOST)
def test_what_is_generated_is_laid_out_as_a_person_would(generated: dict[str, Path], language: str) -> None:
    text = generated[language].read_text(encoding="utf-8")
    lines = text.splitlines()
    assert not [line for line in lines if line != line.rstrip()]
    assert "\n\n\n\n" not in text
    assert not [line for line in lines if line[:1].strip() and not re.match(OUTERMOST[language], line)]


def test_bytes_are_written_so_that_no_language_finds_a_sign_of_its_own_in_them() -> None:
    assert escaped(b'ab "$x" @y %d \\ ?\0\xff1') == "ab \\042\\044x\\042 \\100y \\045d \\134 \\077\\000\\3771"
