"""The promise: the sanitizers find nothing in the library of `fanout`, and would find what is wrong.

Those of `codec` are in test_codec_sanitized.py.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from sanitize import examine, main
from support.fanout import SANITIZERS, cases, compiled_driver, launcher, unsanitized

DATA = Path(__file__).parent / "data"
THREADS = 4
Need = Callable[[str], None]


@pytest.fixture(scope="session")
def need(tmp_path_factory: pytest.TempPathFactory) -> Need:
    """Return a function that skips a test where a sanitizer is not here."""

    def skip(sanitizer: str) -> None:
        missing = unsanitized(tmp_path_factory.mktemp("probe"), sanitizer)
        if missing is not None:
            pytest.skip(missing)

    return skip


def found(driver: Path) -> str | None:
    return examine([*launcher(driver), str(driver)], THREADS, "host")


@pytest.mark.parametrize("sanitizer", SANITIZERS)
def test_nothing_is_found(tmp_path: Path, need: Need, sanitizer: str) -> None:
    need(sanitizer)
    assert found(compiled_driver(tmp_path, *SANITIZERS[sanitizer])) is None


def test_the_command_of_nox_builds_and_examines_every_cell(need: Need, capsys: pytest.CaptureFixture[str]) -> None:
    for sanitizer in SANITIZERS:
        need(sanitizer)
    assert main(messages=1_000) == 0
    out = capsys.readouterr().out
    said = [line for line in out.splitlines() if ": clean over " in line]
    assert [line.partition(":")[0] for line in said] == list(SANITIZERS)
    assert all(case.name in line for line in said for case in cases())
    assert "address,undefined: codec is sound with 1,000 messages that were spoiled: " in out


def test_memory_that_a_kernel_scatters_too_far_is_not_scattered(tmp_path: Path) -> None:
    program = tmp_path / "scattered"
    program.write_text("#!/bin/sh\necho 'FATAL: ThreadSanitizer: unexpected memory mapping 0x5' >&2; exit 66\n")
    program.chmod(0o755)
    assert launcher(program) == (["setarch", "-R"] if shutil.which("setarch") else [])
    program.write_text("#!/bin/sh\nexit 1\n")
    assert launcher(program) == []


SEEDS = {
    "a queue whose mutex locks nothing": ("mutex.c", "no_lock.h", "thread", "data race"),
    "a list whose links publish nothing": ("mpsc.c", "no_order.h", "thread", "data race"),
    "a request that is used when it was freed": ("context.c", "kept.h", "address,undefined", "heap-use-after-free"),
}


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_wrong_is_found(tmp_path: Path, need: Need, seed: str) -> None:
    source, header, sanitizer, told = SEEDS[seed]
    need(sanitizer)
    driver = compiled_driver(tmp_path, *SANITIZERS[sanitizer], seed=(source, DATA / header))
    finding = found(driver)
    assert finding is not None
    assert finding.startswith("exit status 66\n")
    assert told in finding
