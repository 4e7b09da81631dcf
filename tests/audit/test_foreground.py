"""A command in the foreground has what a shell would give it: files, mask and dispositions of signals, its own end."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ffibench.audit import descendants
from ffibench.audit.descendants import Survivor
from ffibench.audit.foreground import Ended, run_in_foreground
from ffibench.errors import FfibenchError
from ffibench.harness.orphans import PR_GET_CHILD_SUBREAPER


def run(*words: str) -> Ended:
    return run_in_foreground(Path(words[0]), words, os.environ)


def follow(*words: str) -> Ended:
    return run_in_foreground(Path(words[0]), words, os.environ, follow=True)


BUSY_SECONDS = 0.2
BUSY = f"import time\nwhile time.process_time() < {BUSY_SECONDS}: pass"


@contextmanager
def disposition(number: signal.Signals, handler: signal.Handlers) -> Iterator[None]:
    """Handle a signal so for the length of the body."""
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


def signals_of_child(capfd: pytest.CaptureFixture[str]) -> tuple[set[int], set[int]]:
    """The signals that a program finds blocked and those that it finds ignored."""
    assert run("/bin/cat", "/proc/self/status").status == 0
    lines = dict(line.split(":\t", 1) for line in capfd.readouterr().out.splitlines() if line.startswith("Sig"))
    blocked, ignored = (
        {number + 1 for number in range(64) if int(lines[name], 16) >> number & 1} for name in ("SigBlk", "SigIgn")
    )
    return blocked, ignored


def test_signals_are_neither_blocked_nor_ignored_unless_they_were_before(capfd: pytest.CaptureFixture[str]) -> None:
    blocked, ignored = signals_of_child(capfd)
    assert blocked == set(signal.pthread_sigmask(signal.SIG_BLOCK, ()))
    assert not ignored & {signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM, signal.SIGCHLD}


def test_what_was_blocked_or_ignored_before_stays_so(capfd: pytest.CaptureFixture[str]) -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2})
    try:
        with disposition(signal.SIGHUP, signal.SIG_IGN):  # as nohup does
            blocked, ignored = signals_of_child(capfd)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    assert blocked == {*before, signal.SIGUSR2}
    assert signal.SIGHUP in ignored


def test_this_process_has_its_signals_as_before() -> None:
    mask, handler = signal.pthread_sigmask(signal.SIG_BLOCK, ()), signal.getsignal(signal.SIGCHLD)
    run("/bin/true")
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == mask
    assert signal.getsignal(signal.SIGCHLD) == handler


def test_the_end_is_seen_where_a_parent_left_it_ignored() -> None:
    with disposition(signal.SIGCHLD, signal.SIG_IGN):
        assert run("/bin/sh", "-c", "exit 3").status == 3


def test_a_program_that_is_stopped_has_not_ended() -> None:
    assert run("/bin/sh", "-c", "(sleep 0.2; kill -CONT $$) & kill -STOP $$; exit 3").status == 3


def test_a_child_that_stays_behind_is_not_waited_for(tmp_path: Path) -> None:
    ended = run("/bin/sh", "-c", f"sleep 100 >/dev/null 2>&1 & echo $! > {tmp_path}/child; exit 3")
    child = int((tmp_path / "child").read_text(encoding="ascii"))
    os.kill(child, signal.SIGKILL)  # it is still there
    assert ended.status == 3
    assert ended.survivors == (Survivor(program=str(Path("/bin/sleep").resolve()), pid=child),)


def test_a_child_that_stays_behind_is_followed_to_its_end() -> None:
    ended = follow("/bin/sh", "-c", f"{sys.executable} -I -c '{BUSY}' & exit 3")
    assert (ended.status, ended.survivors) == (3, ())
    assert ended.seconds > BUSY_SECONDS
    assert ended.cpu_seconds > BUSY_SECONDS


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_following_and_kills_nobody(tmp_path: Path, number: signal.Signals) -> None:
    """The signal is for the thread that waits: a test session has others, which do not block it."""
    exited = "while kill -0 $$; do sleep 0.01; done"  # the command itself, which is then followed
    last = f"{exited}; echo >{tmp_path}/exited; exec sleep 100"
    waiting = threading.main_thread().ident
    assert waiting is not None

    def interrupt() -> None:
        while not (tmp_path / "exited").exists():
            time.sleep(0.01)
        signal.pthread_kill(waiting, number)

    threading.Thread(target=interrupt, daemon=True).start()
    ended = follow("/bin/sh", "-c", f"({last}) >/dev/null 2>&1 & echo $! > {tmp_path}/child; exit 3")
    child = int((tmp_path / "child").read_text(encoding="ascii"))
    os.kill(child, signal.SIGKILL)
    assert ended.status == 3
    assert [survivor.pid for survivor in ended.survivors] == [child]


def test_an_orphan_that_has_ended_is_gone_as_under_init() -> None:
    """A process whose parent has exited is ours, and who waits until it is gone must not wait for ever."""
    waits = "pid=$(sleep 0.1 >/dev/null & echo $!); while kill -0 $pid 2>/dev/null; do sleep 0.01; done; exit 3"
    assert run("/usr/bin/timeout", "60", "/bin/sh", "-c", waits).status == 3


@pytest.mark.parametrize("listed", [True, False])
def test_orphans_are_adopted_where_the_kernel_lists_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, listed: bool
) -> None:
    """Where it does not, nobody would wait for them, and init has to."""
    if not listed:
        monkeypatch.setattr(descendants, "PROC", tmp_path)
    adopted: list[bool] = []

    def look() -> float:
        found = ctypes.c_int()
        ctypes.CDLL(None).prctl(PR_GET_CHILD_SUBREAPER, ctypes.byref(found), 0, 0, 0)
        adopted.append(bool(found.value))
        return 1000.0

    run_in_foreground(Path("/bin/sleep"), ("sleep", "0.1"), os.environ, looks=(look,))
    assert adopted == [listed]


def test_looks_are_made_as_often_as_they_ask() -> None:
    looked: list[str] = []

    def look(name: str, seconds: float) -> float:
        looked.append(name)
        return seconds

    looks = (lambda: look("often", 0.01), lambda: look("once", 1000.0))
    run_in_foreground(Path("/bin/sleep"), ("sleep", "0.5"), os.environ, looks=looks)
    assert looked.count("once") == 1
    assert looked.count("often") > 1


@pytest.mark.parametrize(
    ("script", "status", "killed_by", "asked_to_end"),
    [
        ("exit 0", 0, None, False),
        ("exit 130", 130, None, False),
        ("kill -KILL $$", 137, "SIGKILL", False),
        ("kill -INT $$", 130, "SIGINT", True),
        ("kill -42 $$", 170, "signal 42", False),
    ],
)
def test_how_it_ended(script: str, status: int, killed_by: str | None, asked_to_end: bool) -> None:
    ended = run("/bin/sh", "-c", script)
    assert (ended.status, ended.killed_by, ended.asked_to_end) == (status, killed_by, asked_to_end)
    assert ended.seconds > 0
    assert ended.cpu_seconds >= 0


def test_the_name_that_a_program_is_called_by_is_the_command_s(capfd: pytest.CaptureFixture[str]) -> None:
    run_in_foreground(Path("/bin/sh"), ["another name", "-c", "echo $0"], os.environ)
    assert capfd.readouterr().out == "another name\n"


def test_a_file_that_the_kernel_cannot_start(tmp_path: Path) -> None:
    file = tmp_path / "app"
    file.write_bytes(Path(sys.executable).read_bytes()[:40])
    file.chmod(0o755)
    with pytest.raises(FfibenchError, match="could not be started: Exec format error") as told:
        run(str(file))
    assert told.value.status == 126
