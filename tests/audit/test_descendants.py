"""What runs without the counter is named with its reason, and nothing else is; what outlives the command is known."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.compiled import compiled

from ffibench.audit import descendants
from ffibench.audit.descendants import (
    AUDITED,
    CLEARED,
    HIDDEN,
    NOT_LOADED,
    PAUSE_SECONDS,
    STARTING_SECONDS_MAX,
    Descendants,
    Survivor,
    Uncounted,
)

SECONDS_MAX = 30
COUNTS = "/dev/shm/ffibench-count-none/counts"
WAITS = "import time; time.sleep(100)"
STATIC = "#include <unistd.h>\nint main(void) { sleep(100); }\n"


@contextmanager
def running(command: Sequence[str], program: Path, **environment: str) -> Iterator[int]:
    """Run a command in the body, from when the kernel has loaded its program."""
    with subprocess.Popen(command, env={**os.environ, **environment}) as process:
        patience = time.monotonic() + SECONDS_MAX
        while not program.samefile(f"/proc/{process.pid}/exe") or not Path(f"/proc/{process.pid}/cmdline").read_bytes():
            assert time.monotonic() < patience
            time.sleep(0.001)
        try:
            yield process.pid
        finally:
            process.kill()


def test_a_program_with_another_environment_is_named_once_with_its_processes() -> None:
    family = Descendants(COUNTS)
    program = Path("/bin/sleep").resolve()
    command = ["env", "-i", "/bin/sleep", "100"]
    with running(command, program), running(command, program):
        family.look()
        family.look()
    assert family.uncounted() == (Uncounted(program=str(program), reason=CLEARED, processes=2),)


def test_a_program_that_counts_into_another_file_is_in_an_audit_of_its_own() -> None:
    family = Descendants(COUNTS)
    program = Path("/bin/sleep").resolve()
    with running(["/bin/sleep", "100"], program, FFIBENCH_COUNT="/another/file"):
        family.look()
    assert family.uncounted() == (Uncounted(program=str(program), reason=AUDITED, processes=1),)


def test_a_static_program_is_named_as_such(tmp_path: Path) -> None:
    family = Descendants(COUNTS)
    static = compiled(tmp_path / "app", STATIC, "-static")
    with running([str(static)], static, FFIBENCH_COUNT=COUNTS):
        family.look()
    (found,) = family.uncounted()
    assert found.program == str(static)
    assert found.reason == "is linked statically, so that no loader could count its calls"


def test_a_process_that_has_the_counts_mapped_is_counted(tmp_path: Path) -> None:
    counts = tmp_path / "counts"
    counts.write_bytes(bytes(4096))
    family = Descendants(str(counts))
    maps = (
        f"import mmap; file = open({str(counts)!r}, 'r+b'); kept = mmap.mmap(file.fileno(), 0)\nprint(1, flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-I", "-c", maps + WAITS], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"1\n"
        family.look()
        process.kill()
    assert family.uncounted() == ()


def test_children_of_children_are_seen_and_those_from_before_are_not() -> None:
    with subprocess.Popen(["/bin/sleep", "100"]) as before:
        family = Descendants(COUNTS)
        tree = subprocess.Popen(["/bin/sh", "-c", "/bin/sleep 100 & echo $!; wait"], stdout=subprocess.PIPE, text=True)
        assert tree.stdout is not None
        child = int(tree.stdout.readline())
        found = {survivor.pid for survivor in family.survivors()}
        os.kill(child, 9)
        tree.communicate()
        before.kill()
    assert found == {tree.pid, child}
    assert family.survivors() == ()


class Process:
    """A folder of /proc, for states that no real process is in for long."""

    def __init__(self, root: Path, program: str) -> None:
        own = root / f"self/task/{os.getpid()}"
        (root / f"{os.getpid()}/task/1").mkdir(parents=True)
        own.mkdir(parents=True)
        (own / "children").write_text("", encoding="ascii")
        self.folder = root / "77"
        self.folder.mkdir()
        self.children = root / f"{os.getpid()}/task/1/children"
        self.status(stack=1)
        (self.folder / "exe").symlink_to(program)
        (self.folder / "cmdline").write_bytes(b"app\0")
        (self.folder / "environ").write_bytes(f"FFIBENCH_COUNT={COUNTS}\0LD_AUDIT=/lib/libcount.so\0".encode())
        self.maps("/lib/libc.so.6")

    def status(self, stack: int) -> None:
        fields = ["S", *["0"] * 18, "5", *["0"] * 5, str(stack)]
        (self.folder / "stat").write_text(f"77 (an (odd) name) {' '.join(fields)}", encoding="ascii")

    def maps(self, path: str) -> None:
        (self.folder / "maps").write_text(f"0-1 r--p 0 0:0 0 {path}\n", encoding="ascii")


@pytest.fixture
def process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Process:
    """A dynamic program that was started to be counted, and has not loaded the counting library yet."""
    monkeypatch.setattr(descendants, "PROC", tmp_path)
    return Process(tmp_path, sys.executable)


@pytest.fixture
def family(process: Process) -> Descendants:
    """Who looks at it."""
    found = Descendants(COUNTS)
    process.children.write_text("77 ", encoding="ascii")
    return found


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, to be set."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_a_program_that_is_starting_is_given_time(process: Process, family: Descendants, clock: list[float]) -> None:
    family.look()
    clock[0] += STARTING_SECONDS_MAX
    family.look()
    assert family.uncounted() == ()
    clock[0] += 0.001
    family.look()
    assert family.uncounted() == (Uncounted(program=sys.executable, reason=NOT_LOADED, processes=1),)
    process.maps(COUNTS)  # the machine was so busy that its loader came to it this late
    family.look()
    assert family.uncounted() == ()


def test_a_counted_process_that_starts_another_program_is_looked_at_again(
    process: Process, family: Descendants
) -> None:
    process.maps(COUNTS)
    family.look()
    process.maps("/lib/libc.so.6")
    (process.folder / "environ").write_bytes(b"")
    family.look()
    assert family.uncounted() == ()
    process.status(stack=2)
    family.look()
    assert family.uncounted() == (Uncounted(program=sys.executable, reason=CLEARED, processes=1),)


def test_a_program_that_one_with_more_rights_started_has_lost_a_variable(process: Process, family: Descendants) -> None:
    """The loader takes LD_AUDIT out of the environment of a set-user-id program, and leaves what it does not know."""
    (process.folder / "environ").write_bytes(f"HOME=/\0FFIBENCH_COUNT={COUNTS}\0".encode())
    family.look()
    assert family.uncounted() == (Uncounted(program=sys.executable, reason=CLEARED, processes=1),)


def test_a_process_whose_arguments_are_not_in_place_is_not_judged(process: Process, family: Descendants) -> None:
    (process.folder / "environ").write_bytes(b"")
    (process.folder / "cmdline").write_bytes(b"")
    family.look()
    assert family.uncounted() == ()


def test_a_process_whose_stack_moves_during_a_look_is_one_program(
    process: Process, family: Descendants, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look that falls into an exec sees the stack where it is made, and all the rest as it is afterwards."""
    (process.folder / "environ").write_bytes(b"")
    program_of = descendants._program

    def moving(pid: int) -> str | None:
        process.status(stack=2)
        return program_of(pid)

    monkeypatch.setattr(descendants, "_program", moving)
    family.look()
    assert family.uncounted() == ()
    family.look()
    assert family.uncounted() == (Uncounted(program=sys.executable, reason=CLEARED, processes=1),)


def test_a_process_that_is_hidden_is_named_by_what_ps_shows(
    process: Process, family: Descendants, monkeypatch: pytest.MonkeyPatch
) -> None:
    (process.folder / "exe").unlink()
    maps, read = process.folder / "maps", Path.read_bytes

    def refused(path: Path) -> bytes:
        if path == maps:
            raise PermissionError(13, "Permission denied")
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refused)
    family.look()
    assert family.uncounted() == (Uncounted(program="an (odd) name", reason=HIDDEN, processes=1),)
    assert family.survivors() == (Survivor(program="an (odd) name", pid=77),)


def test_a_new_program_that_takes_long_to_examine_does_not_delay_the_next_look(
    process: Process, family: Descendants, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(program: str) -> str:
        clock[0] += 1
        return f"{program} is examined"

    monkeypatch.setattr(descendants, "_hindered", slow)
    assert family.look() == PAUSE_SECONDS
    assert clock == [1001.0]
    assert family.look() == PAUSE_SECONDS
    assert clock == [1001.0]  # each program once


def test_a_kernel_that_lists_no_children_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Descendants(COUNTS).listed
    monkeypatch.setattr(descendants, "PROC", tmp_path)
    assert not Descendants(COUNTS).listed
