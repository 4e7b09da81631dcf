"""Sanitizers and runtimes, which replace, compare and start what others leave alone, run as without the count."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.counted import Machine

from ffibench.audit.counting import Watch

DATA = Path(__file__).parent / "data"
THREAD_LOCAL = "glibc.rtld.optional_static_tls=1048576"
"""What the library of the thread sanitizer has to be given under any audit library."""


def sanitized(native: Machine, tmp_path: Path, sanitizer: str) -> Path:
    """A program with a sanitizer, or a skip where it cannot be built or run here."""
    command = [native.compiler, f"-fsanitize={sanitizer}", "-o", str(tmp_path / "app"), str(DATA / "sanitized.c")]
    if subprocess.run([*command, "-pthread"], capture_output=True, check=False).returncode != 0:
        pytest.skip(f"{native.compiler} has no {sanitizer} sanitizer; apt-get install libasan8 libtsan2")
    if subprocess.run([tmp_path / "app"], capture_output=True, check=False).returncode != 0:
        pytest.skip(f"a program with the {sanitizer} sanitizer does not run here; sysctl vm.mmap_rnd_bits=28")
    return tmp_path / "app"


@pytest.mark.parametrize("pattern", ["libc.so*", "*"])
@pytest.mark.parametrize("sanitizer", ["address", "thread"])
def test_a_sanitizer_keeps_the_functions_that_it_replaces(
    native: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sanitizer: str, pattern: str
) -> None:
    """It defines a function of the loader, and was once taken for it: libc then gave memory that it did not know."""
    program = sanitized(native, tmp_path, sanitizer)
    monkeypatch.setenv("GLIBC_TUNABLES", THREAD_LOCAL)
    watch = Watch(patterns=(pattern,))
    troubles = native.try_to_count(program, watch=watch).snapshot.troubles
    assert all("is the loader itself" in trouble and "/ld-linux" in trouble for trouble in troubles)
    assert len(troubles) == (pattern == "*")
