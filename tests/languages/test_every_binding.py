"""Every binding of every language, end to end: ZeroMQ with a real peer, and two libraries that differ in an answer."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from support.anywhere import bindings, check, missing, skip_without

from ffibench.builds.project import build
from ffibench.builds.sources import sources_project
from ffibench.catalog import find_experiment
from ffibench.catalog.candidates import contestant_names
from ffibench.model import BASELINE, CONTROL, Call, LibrarySources
from ffibench.workflow import Result, RunOptions, run


def elsewhere(names: list[str]) -> list[str]:
    """Leave out those of Python and of C, whose tests are in other folders: they run on every interpreter."""
    return [each for each in names if each.partition("/")[0] not in {"python", BASELINE, CONTROL}]


PLUSONE = """\
int plusone(int value);

int plusone(int value)
{{
    return value + {number};
}}
"""


SENDERS = elsewhere(contestant_names(find_experiment("xsub")))
CALLERS = elsewhere(bindings())


def together(name: str, names: list[str]) -> tuple[str, ...]:
    """Return those that can run here of the same language: they run together, in less time than one by one."""
    own = (each for each in names if each.partition("/")[0] == name.partition("/")[0])
    return tuple(each for each in own if missing("xsub", each) is None)


@cache
def sent(contestants: tuple[str, ...]) -> Result:
    options = RunOptions(contestants=contestants, iterations=200, rounds=1, slices=2, warmup=1, cold=True)
    return run("xsub", options)


@pytest.mark.parametrize("name", SENDERS)
def test_it_sends_to_nobody_and_to_a_peer(name: str) -> None:
    skip_without("xsub", name)
    check(sent(together(name, SENDERS)), name)


@pytest.fixture(scope="session")
def libraries(private_folders: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[int, Path]]:
    """A header, and two libraries of it: `plusone` adds one in the first and two in the other."""
    home = tmp_path_factory.mktemp("plusone")
    header = home / "plusone.h"
    header.write_text("int plusone(int value);\n")
    found = {}
    for number in (1, 2):
        folder = home / str(number)
        folder.mkdir()
        (folder / "plusone.c").write_text(PLUSONE.format(number=number))
        found[number] = build(sources_project(LibrarySources(sources=("plusone.c",)), folder))
    return header, found


@cache
def called(contestants: tuple[str, ...], header: Path, library: Path) -> Result:
    options = RunOptions(
        contestants=contestants,
        calls=(Call(expression="plusone(41)", iterations=50),),
        library=str(library),
        rounds=1,
        slices=2,
        warmup=1,
    )
    return run(str(header), options)


@pytest.mark.parametrize("name", CALLERS)
def test_it_calls_the_library_that_it_is_given(name: str, libraries: tuple[Path, dict[int, Path]]) -> None:
    """One that called another library, or computed the answer itself, would give the answer of the first."""
    header, built = libraries
    skip_without("xsub", name)
    for path in built.values():
        result = called(together(name, CALLERS), header, path)
        check(result, name)
        assert result.run.plan.library.path == str(path)
