"""Temporary folders: private, owned by the process that made them, and swept by the next where that one was killed.

The owner holds a lock on a file in the folder, which the kernel drops with the process, however it ended. Only what
has that file, belongs to this user and is not locked is swept: a folder that somebody made by hand is never touched.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ffibench.errors import FfibenchError
from ffibench.paths import require_plain

PREFIX = "ffibench-"
OWNER = ".owner"
"""The file that is locked."""
MEMORY = Path("/dev/shm")
"""A folder whose files are in memory."""


@contextmanager
def temporary_folder(home: Path | None = None) -> Iterator[Path]:
    """Make a folder for the body in `home`, or where temporary files are, and remove it after.

    What killed processes left there is removed too. Where interrupts are postponed, none leaves the folder behind.
    Raises FfibenchError where it cannot be made.
    """
    try:
        place = home or require_plain(Path(tempfile.gettempdir()), "set TMPDIR=/tmp before the command")
        _sweep(place)
        folder, lock = _made(place)
    except OSError as error:
        raise FfibenchError(
            f"cannot make a temporary folder{f' in {home}' if home else ''}: {error.strerror}",
            fix="set TMPDIR=FOLDER before the command to use another place",
        ) from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)  # a folder that stays must not cost the finished run
        os.close(lock)


def roomy_folder(size: int) -> Path:
    """Return a folder for temporary files that has room for `size` bytes: one in memory, where there is one.

    Raises FfibenchError where there is none.
    """
    homes = [MEMORY, Path(_default())]
    found = next((home for home in homes if _has_room(home, size)), None)
    if found is None:
        names = " nor in ".join(str(home) for home in homes)
        raise FfibenchError(
            f"there is no room for {size >> 20} MiB in {names}", fix="set TMPDIR=FOLDER to a disk that has some"
        )
    return found


def _default() -> str:
    try:
        return tempfile.gettempdir()
    except OSError as error:
        raise FfibenchError(f"{error.strerror}", fix="set TMPDIR=FOLDER to one that you may write to") from None


def _has_room(home: Path, size: int) -> bool:
    """Whether files of a size may be made in a folder. Some file systems do not say how many files they take."""
    try:
        state = os.statvfs(home)
    except OSError:
        return False
    full = state.f_bavail * state.f_frsize < size or (state.f_files > 0 and state.f_favail == 0)
    return not full and os.access(home, os.W_OK | os.X_OK)


def _made(home: Path) -> tuple[Path, int]:
    """Return a new folder and the descriptor of its lock. Raises OSError."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=home))  # with mode 0700
        try:
            lock = os.open(folder / OWNER, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError:
            folder.rmdir()
            raise
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            swept = True
        except OSError:  # without locks nobody sweeps here
            swept = False
        else:
            swept = os.fstat(lock).st_nlink == 0
        if not swept:
            return folder, lock
        os.close(lock)  # another process took it for a leftover before it was locked


def _sweep(home: Path) -> None:
    """Remove the folders of this user whose owner is gone."""
    with suppress(OSError), os.scandir(home) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX) and _is_own_folder(entry):
                _remove_leftover(Path(entry.path))


def _is_own_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_uid == os.geteuid()
    except OSError:  # its owner removes it just now
        return False


def _remove_leftover(folder: Path) -> None:
    """Remove a folder, unless it is no folder of ours or its owner lives."""
    with suppress(OSError):
        lock = os.open(folder / OWNER, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(lock)
