"""Each header of a library of our own includes all that it names, and its sources compile without a warning."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ffibench.builds.sources import library_parts
from ffibench.catalog import find_experiment
from ffibench.paths import asset

CODEC = find_experiment("codec")
FILES = sorted([*asset("native/lib").glob("*/*.[ch]"), *asset("native/include").glob("*.h")])


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_file_compiles_by_itself(path: Path) -> None:
    parts = library_parts(CODEC.experiment.library, CODEC.path)  # with the headers of a wheel
    assert parts is not None
    include = [f"-I{folder}" for folder in parts.folders]
    flags = ["-std=gnu11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", *include]
    answer = subprocess.run(["cc", *flags, "-x", "c", str(path)], capture_output=True, text=True, check=False)
    assert answer.stderr == ""
    assert answer.returncode == 0
