"""`ffibench new`: folders that run as they are."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.command import Cli, assert_told
from support.foo import foo_in, measured

from ffibench.catalog import find_experiment
from ffibench.catalog.places import header_name, library_name
from ffibench.errors import FfibenchError
from ffibench.model import Call, LibraryFile
from ffibench.plan.options import ContestantOptions
from ffibench.workflow.new import new_folder

ROUND = ["--rounds", "1", "-c", "python/ctypes"]


@pytest.fixture
def foo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return foo_in(tmp_path)


def test_a_folder_is_written_from_calls_and_runs(cli: Cli, foo: Path) -> None:
    named = ("--library", "./libfoo.so", "--call", "foo_add({n}, 2)", "--call", 'foo_length("abc")', "--set", "n=1000")
    answer = cli("new", "mine", "foo.h", *named, "--setup", "foo_reset(1)")
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.splitlines()[0] == "mine: an experiment of 2 calls of foo.h:"
    assert answer.stdout.splitlines()[-1] == "Measure it: ffibench run ./mine"
    one = cli("new", "single", "foo.h", *named[:4], *named[6:])
    assert one.stdout.splitlines()[0] == "single: an experiment of 1 call of foo.h:"
    text = Path("mine/experiment.py").read_text(encoding="utf-8")
    assert str(foo.parent) not in text
    assert """expression='foo_length("abc")',""" in text
    found = find_experiment("./mine").experiment
    assert (found.header, found.library) == ("../foo.h", LibraryFile(path="../libfoo.so"))
    assert found.calls[0] == Call(expression="foo_add({n}, 2)", setup=("foo_reset(1)",))
    assert [(each.name, each.default) for each in found.parameters] == [("n", 1000)]
    assert "foo_add" in measured(cli("run", "./mine", *ROUND))


def test_what_is_written_is_as_a_formatter_leaves_it(foo: Path) -> None:
    calls = (Call(expression="foo_add(1, 2)"), Call(expression="foo_half(0.5)", setup=("foo_reset(1)",), checked=False))
    new_folder(
        "mine", "foo.h", ContestantOptions(library="./libfoo.so", calls=calls, kinds={"foo_length.text": "string"})
    )
    ruff = ["ruff", "format", "--isolated", "--line-length", "120", "--diff", "mine/experiment.py"]
    try:
        answer = subprocess.run(ruff, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("ruff is not installed")
    assert answer.returncode == 0, answer.stdout


def test_calls_are_chosen_that_take_numbers_and_texts_and_answer_steadily(foo: Path) -> None:
    written = new_folder("mine", "foo.h", ContestantOptions(library="./libfoo.so"))
    chosen = [each.expression for each in written.calls]
    assert chosen == ["foo_add(1000, 1001)", 'foo_length("a text")', "foo_half(0.5)"]
    assert "answers differently each time" in written.left_out["foo_next(1000)"]
    assert "SIGABRT" in written.left_out["foo_crash(1000)"]


def test_where_no_call_can_be_chosen_it_says_how_to_write_one(cli: Cli, foo: Path) -> None:
    foo.write_text("int foo_next(int step);\nvoid foo_reset(int value);\n", encoding="utf-8")
    answer = cli("new", "mine", "foo.h", "--library", "./libfoo.so")
    assert_told(answer, "answers differently each time", "--call 'foo_add(1, 2)'", "ffibench kinds foo.h")
    assert not Path("mine").exists()


def test_no_calls_are_chosen_of_the_system_s_own_library(foo: Path) -> None:
    with pytest.raises(FfibenchError, match="the system's own"):
        new_folder("mine", "unistd.h", ContestantOptions(library="libc.so.6"))


def test_nothing_is_written_over(cli: Cli, foo: Path) -> None:
    Path("mine").mkdir()
    Path("mine/notes.txt").write_text("kept", encoding="utf-8")
    answer = cli("new", "mine", "foo.h", "--library", "./libfoo.so", "--call", "foo_add(1, 2)")
    assert_told(answer, "mine is there already")
    assert [path.name for path in Path("mine").iterdir()] == ["notes.txt"]


def test_a_mistake_leaves_no_folder(cli: Cli, foo: Path) -> None:
    for arguments in (["--call", "foo_add(1)"], ["--call", "foo_next(1)"], ["--call", "foo_gone(1)"]):
        assert_told(cli("new", "mine", "foo.h", "--library", "./libfoo.so", *arguments))
    assert_told(cli("new", "mine", "foo.h", "--call", "foo_add(1, 2)"), "no library of foo.h is named", "--library")
    assert_told(cli("new", "mine", "gone.h", "--library", "./libfoo.so"), "there is no header gone.h")
    assert not Path("mine").exists()


def test_a_system_header_and_a_library_are_named_as_they_are_found(tmp_path: Path) -> None:
    found = header_name(Path("/usr/include/math.h"), tmp_path)
    assert found == "math.h"
    assert library_name("libm.so.6", tmp_path) == "libm.so.6"
    own = tmp_path / "include" / "math.h"
    own.parent.mkdir()
    own.write_text("int own(int);\n", encoding="utf-8")
    assert header_name(own, tmp_path / "mine") == "../include/math.h"
    assert header_name(own, Path("/elsewhere")) == str(own)
