"""The fault matrix: what is wrong with a contestant's file | what the user sees | the exit status."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.faults import Command

KNOWN = "write lock=held (it was gil=held before), lock=released, distribution=NAME, own-library or static"
RUN = ("--rounds", "1", "--slices", "1")
INSIDE = '''"""tally as one has it who linked the library statically: no file of it is mapped.

ffibench: static
"""

from ffibench.worker.contract import Loops, Work


def contestant(native, options):
    def loops(size):
        def run(iterations):
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


def test_a_library_inside_of_a_contestant_is_not_looked_for_outside(command: Command, own: Path) -> None:
    (own / "inside.py").write_text(INSIDE, encoding="utf-8")
    seen = command("run", str(own), *RUN, "-c", "python/inside")
    assert seen.status == 0, seen.text
    assert "It is not auditable and not ranked: it is linked statically." in seen.text
    assert "did not load" not in seen.text
