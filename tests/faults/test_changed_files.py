"""The promise: who used a file that was changed while the run went on has no valid row; the run says which file it is.

`python/broken` writes to what belongs to others, in a slice that is timed. What it writes changes nothing else: the
others do their work, and each receipt is right.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.faults import Command, Seen

USED = "It used a file that was changed while the run went on:"
OTHER = '''"""tally through ctypes, without trouble.

ffibench: lock=held
"""

import ctypes

from ffibench.worker.contract import Loops, Work

from ._bytes import ones


def contestant(native, options):
    tally_sum = ctypes.PyDLL(options["library"]).tally_sum

    def loops(size):
        data = ones(size)

        def run(iterations):
            for _ in range(iterations):
                if tally_sum(data, size) != size:
                    raise ValueError("tally_sum is wrong")
            return {"calls": iterations}

        def empty(iterations):
            for _ in range(iterations):
                pass

        return Loops(run, empty)

    yield Work(cases={"few": loops(int(options["size"])), "none": loops(0)})
'''


@pytest.fixture
def several(experiment: Path, folder: Path) -> Path:
    """The experiment with one contestant more, which has a helper, and whose files may be spoiled."""
    path = folder / "tally"
    shutil.copytree(experiment, path)
    (path / "other.py").write_text(OTHER, encoding="utf-8")
    (path / "_bytes.py").write_text('def ones(size):\n    return b"\\1" * size\n', encoding="utf-8")
    return path


@pytest.fixture
def program(several: Path, folder: Path) -> Iterator[Path]:
    """The baseline's program, which is put back."""
    built = dict(line.split(maxsplit=1) for line in Command(folder, several)("build", str(several)).table.splitlines())
    path = Path(built["c"])
    data = path.read_bytes()
    yield path
    path.write_bytes(data)


def run_and_spoil(several: Path, folder: Path, path: Path) -> Seen:
    """A run in which each process of `python/broken` appends a line to a file."""
    return Command(folder, several).run(script=f"trouble=run:echo '#' >> {path}@slice")


def reasons(seen: Seen) -> dict[str, set[str | None]]:
    assert seen.kept is not None
    found: dict[str, set[str | None]] = {}
    for record in (record for each in seen.kept.rounds for record in each.records):
        found.setdefault(record.key.partition(" ")[0], set()).add(record.failure)
    return found


@pytest.mark.parametrize("name", ["other.py", "_bytes.py"])
def test_the_source_of_another(name: str, several: Path, folder: Path) -> None:
    """Or its helper. Nobody else is touched by it."""
    seen = run_and_spoil(several, folder, several / name)
    assert f"2 of 8 rows invalid: python/other: {USED} {several}/{name}" in seen.text
    assert reasons(seen)["python/other"] == {f"{USED.removeprefix('It ')} {several}/{name}"}
    assert [reasons(seen)[each] for each in ("c", "control", "python/broken")] == [{None}] * 3
    assert seen.status == 1


def test_the_program_of_the_baseline(program: Path, several: Path, folder: Path) -> None:
    """It runs as before with a line more at its end, and is not what was built: there is nothing to compare with."""
    seen = run_and_spoil(several, folder, program)
    said = f"{USED[1:]} {program}."  # a footnote of the grid goes on: "Invalid: it ..."
    assert said.replace(" ", "") in seen.text.replace(" ", ""), "a long path is folded"
    assert "The baseline has no figures." in seen.text
    assert reasons(seen)["c"] == reasons(seen)["control"] == {f"{USED.removeprefix('It ')} {program}"}
    assert seen.status == 1


def test_it_is_said_again_when_the_file_is_read(several: Path, folder: Path) -> None:
    """By the sums that are kept, though the records themselves are right."""
    run_and_spoil(several, folder, several / "other.py")
    again = Command(folder, several)("show")
    assert f"{USED} {several}/other.py" in again.text
    assert again.status == 1


def test_an_interrupt_spares_nobody_the_second_look(several: Path, folder: Path) -> None:
    """The one that it is interrupted in is the second round; the first was finished."""
    stop = "; kill -INT $(cut -d' ' -f4 /proc/$PPID/stat); sleep 60"
    seen = Command(folder, several).run(script=f"trouble=run:echo '#' >> {several}/other.py{stop}@slice\nsince=2")
    assert seen.status == 130
    assert "interrupted; every finished round is kept" in seen.text
    assert f"{USED} {several}/other.py" in seen.text


def test_a_file_that_is_gone_is_said_to_be(several: Path, folder: Path) -> None:
    """Its rows stand: as where the cache is deleted, what was measured was measured with what was there.

    By the seed `python/other` runs before `python/broken` in the second round.
    """
    seen = Command(folder, several).run(script=f"trouble=run:rm {several}/_bytes.py@closed\nsince=2")
    assert re.search(r"all \d+ slices match; .*; 1 of \d+ files of workers could not be looked at again", seen.text)
    assert seen.status == 0
