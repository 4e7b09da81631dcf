"""Staging folders: each build runs in a hidden folder of its own in the cache, locked while its process lives.

The kernel drops the lock with the process, so that the next build knows what a killed one has left.
A second lock for each key lets two processes that need the same build share the work: one builds, the other waits.
"""

from __future__ import annotations

import fcntl
import logging
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event

from filelock import FileLock, Timeout

from ffibench.builds.command import BuildCancelled
from ffibench.interrupts import due, postponed
from ffibench.paths import cache_folder

POLL_SECONDS = 0.05
SILENT_SECONDS = 3.0
"""How long to wait for another build before the user is told of it: most take less."""

WAITING = "Waiting for another process that builds %s; where that one hangs, end it: `fuser %s` names it."


@contextmanager
def exclusive_build(key: str, cancelled: Event) -> Iterator[None]:
    """Wait until no other thread or process builds `key`, and keep them waiting during the body.

    Raises OSError where the cache cannot be written to, and BuildCancelled where `cancelled` is set meanwhile.
    """
    lock = FileLock(cache_folder("locks") / f"{key}.lock", timeout=0)
    told_at: float | None = time.monotonic() + SILENT_SECONDS
    with postponed():  # an interrupt inside of the lock's own code would leave its descriptor open
        while not lock.is_locked:
            if cancelled.is_set():
                raise BuildCancelled
            try:
                lock.acquire()
            except Timeout:
                if told_at is not None and time.monotonic() > told_at:
                    told_at = None
                    logging.getLogger(__name__).warning(WAITING, key, lock.lock_file)
                with due():
                    time.sleep(POLL_SECONDS)
    try:
        yield
    finally:
        lock.release()


@contextmanager
def staging_folder(folder: Path, name: str) -> Iterator[Path]:
    """Make a folder in `folder` for the body, and remove what is left of it after. Raises OSError."""
    _remove_leftovers(folder)
    # Nobody removes leftovers between the making of a folder and its lock.
    with _locked(folder, fcntl.LOCK_SH):
        made = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=folder))
        lock = os.open(made, os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)
        os.close(lock)


def _remove_leftovers(folder: Path) -> None:
    """Remove staging folders whose process is gone; leave it to the next build while another makes its folder."""
    with suppress(BlockingIOError), _locked(folder, fcntl.LOCK_EX | fcntl.LOCK_NB):
        for each in folder.glob(".*"):
            with suppress(OSError), _locked(each, fcntl.LOCK_EX | fcntl.LOCK_NB):
                shutil.rmtree(each, ignore_errors=True)


@contextmanager
def _locked(folder: Path, how: int) -> Iterator[None]:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(fd, how)
        yield
    finally:
        os.close(fd)
