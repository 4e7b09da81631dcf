"""The promise: a temporary folder lives as long as its owner, and no folder of anybody else is ever removed."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from ffibench import temporary
from ffibench.errors import FfibenchError
from ffibench.temporary import OWNER, PREFIX, roomy_folder, temporary_folder

OWNING = """
import sys, time
from pathlib import Path
from ffibench.temporary import temporary_folder
with temporary_folder(Path(sys.argv[1])) as folder:
    print(folder, flush=True)
    time.sleep(600)
"""


def owner(home: Path) -> tuple[subprocess.Popen[str], Path]:
    """Start a process that owns a folder in `home`."""
    process = subprocess.Popen([sys.executable, "-c", OWNING, str(home)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def end(process: subprocess.Popen[str], number: int) -> None:
    process.send_signal(number)
    process.communicate()


def test_it_is_private_and_goes_with_the_body(tmp_path: Path) -> None:
    with temporary_folder(tmp_path) as folder:
        assert folder.parent == tmp_path
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "deep").mkdir()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_leaves_is_swept_and_what_a_living_one_has_stays(tmp_path: Path) -> None:
    killed, left = owner(tmp_path)
    living, owned = owner(tmp_path)
    stopped, waiting = owner(tmp_path)
    stopped.send_signal(signal.SIGSTOP)
    end(killed, signal.SIGKILL)
    assert left.is_dir()
    with temporary_folder(tmp_path) as folder:
        assert {each.name for each in tmp_path.iterdir()} == {folder.name, owned.name, waiting.name}
    for process in (living, stopped):
        end(process, signal.SIGKILL)
    with temporary_folder(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_ours_stays(tmp_path: Path) -> None:
    """A folder somebody made by hand, a file and a link of such a name; and what another user owns."""
    notes = tmp_path / f"{PREFIX}notes"
    notes.mkdir()
    (notes / "thoughts").write_text("keep me", encoding="utf-8")
    (tmp_path / f"{PREFIX}file").write_text("keep me", encoding="utf-8")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / OWNER).touch()
    (tmp_path / f"{PREFIX}link").symlink_to(elsewhere)
    (tmp_path / f"{PREFIX}linked").mkdir()
    (tmp_path / f"{PREFIX}linked" / OWNER).symlink_to(elsewhere / OWNER)
    expected = {each.name for each in tmp_path.iterdir()}
    with temporary_folder(tmp_path):
        pass
    assert {each.name for each in tmp_path.iterdir()} == expected
    assert (elsewhere / OWNER).exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_what_is_another_user_s_stays(tmp_path: Path) -> None:
    theirs = tmp_path / f"{PREFIX}01234567"
    theirs.mkdir(mode=0o700)
    (theirs / OWNER).touch()
    os.chown(theirs, 65534, -1)
    with temporary_folder(tmp_path):
        pass
    assert theirs.is_dir()


def test_a_folder_that_is_swept_before_it_is_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process may see the folder between its making and its lock."""
    lock = fcntl.flock
    places: list[Path] = []

    def slow(fd: int, how: int) -> None:
        (folder,) = tmp_path.iterdir()
        if not places:
            places.append(folder)
            (folder / OWNER).unlink()
            folder.rmdir()
        lock(fd, how)

    monkeypatch.setattr(fcntl, "flock", slow)
    with temporary_folder(tmp_path) as folder:
        assert (folder / OWNER).exists()
        assert folder not in places


def test_no_folder_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = r"cannot make a temporary folder in .*/none: No such file or directory; set TMPDIR=FOLDER"
    with pytest.raises(FfibenchError, match=told), temporary_folder(tmp_path / "none"):
        pass
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: [str(tmp_path / "none")])
    monkeypatch.setattr(tempfile, "tempdir", None)
    with pytest.raises(FfibenchError, match=r"No usable temporary directory found in .*; set TMPDIR=FOLDER"):
        roomy_folder(1)


def test_a_folder_with_room_is_one_in_memory_or_that_of_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(temporary, "MEMORY", tmp_path / "none")
    assert roomy_folder(1) == tmp_path
    with pytest.raises(FfibenchError, match=r"there is no room for \d+ MiB in .*/none nor in .*; set TMPDIR=FOLDER"):
        roomy_folder(1 << 80)
