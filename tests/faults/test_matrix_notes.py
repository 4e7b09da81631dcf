"""The fault matrix: what is wrong with a contestant's file | what the user sees | the exit status."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support.faults import Command

KNOWN = (
    "write lock=held (it was gil=held before), lock=released, distribution=NAME, requires=NAME,NAME, own-library or "
    "static"
)
RUN = ("--rounds", "1", "--slices", "1")
INSIDE = '''"""tally as one has it who linked the library statically: no file of it is mapped.

ffibench: static
"""

from ffibench.worker.contract import Loops, Work


def contestant(native, options):
    def loops(size):
        def run(iterations):
            for _ in range(iterations):
                pass
            return {"calls": iterations}

        return Loops(run, run)

    yield Work(cases={"few": loops(8), "none": loops(0)})
'''


@pytest.mark.parametrize(
    ("note", "wrong"),
    [
        ("lock=relesed", "the word `lock=relesed` after `ffibench:` is not known; " + KNOWN),
        ("gil=relesed", "the word `gil=relesed` after `ffibench:` is not known; " + KNOWN),
        ("own_library", "the word `own_library` after `ffibench:` is not known; " + KNOWN),
        ("own-library=yes", "the word `own-library=yes` after `ffibench:` is not known; " + KNOWN),
        ("distribution=", "the word `distribution=` after `ffibench:` is not known; " + KNOWN),
        ("requires=", "the word `requires=` after `ffibench:` is not known; " + KNOWN),
        ("requires=cbor2,", "the word `requires=cbor2,` after `ffibench:` is not known; " + KNOWN),
        ("requirse=cbor2", "the word `requirse=cbor2` after `ffibench:` is not known; " + KNOWN),
        ("lock = held", "the word `lock` after `ffibench:` is not known; " + KNOWN),
        ("lock=held lock=released", "the word lock is there twice after `ffibench:`; take one away"),
    ],
)
@pytest.mark.parametrize("what", ["run", "list"])
def test_a_word_of_a_note(what: str, note: str, wrong: str, command: Command, own: Path) -> None:
    (own / "other.py").write_text(f"# ffibench: {note}\n", encoding="utf-8")
    seen = command(what, str(own))
    assert (seen.status, seen.errors) == (1, f"Error: {own / 'other.py'}: {wrong}\n")
    assert seen.kept is None


def test_a_second_program_beside_the_baseline_is_a_contestant(command: Command, own: Path) -> None:
    (own / "second.c").write_bytes((own / "c.c").read_bytes())
    seen = command("run", str(own), *RUN, "-c", "c/second")
    assert seen.status == 0, seen.errors
    assert "all 12 slices and 6 audits match" in seen.text
    assert "second.c" in command("source", str(own), "c/second").table


def test_a_second_program_that_is_none(command: Command, own: Path) -> None:
    (own / "second.c").write_text("int second;\n", encoding="utf-8")
    seen = command("run", str(own), *RUN)
    assert seen.status == 1
    assert "Warning: c/second takes no part, since a build failed:" in seen.errors
    assert "undefined reference to `main'" in seen.errors


@pytest.mark.parametrize("name", ["c.c", "tally.h", "tally.c", "second.c"])
def test_a_source_that_is_not_utf_8(name: str, command: Command, own: Path) -> None:
    """Its compiler takes it."""
    (own / "second.c").write_bytes((own / "c.c").read_bytes())
    with (own / name).open("ab") as file:
        file.write("/* caf\xe9 */\n".encode("latin-1"))
    seen = command("run", str(own), *RUN, "-c", "c/second")
    assert seen.status == 0, seen.errors
    assert command("source", str(own), "c/second").status == 0


@pytest.mark.parametrize("name", ["c.c", "other.py"])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("nowhere")])
def test_a_source_that_is_no_file(make: Callable[[Path], None], name: str, command: Command, own: Path) -> None:
    (own / name).unlink(missing_ok=True)
    make(own / name)
    seen = command("list", str(own))
    told = f"Error: {own / name} is no file; take it away, or begin its name with _\n"
    assert (seen.status, seen.errors) == (1, told)


def test_a_folder_with_a_long_name(command: Command, own: Path) -> None:
    """What is built for it has a shorter one; a path so long that no object can be named after it is refused."""
    most = 220 - len(str(own.parent)) - 1
    for length in (most, most + 1):
        shutil.copytree(own, own.with_name("x" * length), dirs_exist_ok=True)
    assert command("run", str(own.with_name("x" * most)), *RUN, "-c", "c").status == 0
    seen = command("run", str(own.with_name("x" * (most + 1))), *RUN)
    assert seen.status == 1
    assert "has 221 characters, and no build can name objects of so long a path; move it to one of at most" in seen.text


def test_a_library_inside_of_a_contestant_is_not_looked_for_outside(command: Command, own: Path) -> None:
    (own / "inside.py").write_text(INSIDE, encoding="utf-8")
    seen = command("run", str(own), *RUN, "-c", "python/inside")
    assert seen.status == 0, seen.text
    assert "It is not auditable and not ranked: it is linked statically." in seen.text
    assert "did not load" not in seen.text
