"""Where ffibench's own files are, and the folders that it creates for its user.

Files that are not Python modules, `experiments/` and `native/`, are inside the package in a wheel, and beside it in a
checkout, whether installed as editable or not at all. The user's folders keep built shims, private environments and
runs.
"""

from __future__ import annotations

import os
import pwd
import shlex
from pathlib import Path

import platformdirs

import ffibench
from ffibench.errors import FfibenchError, spelled_out

PACKAGE = Path(ffibench.__file__).parent


def asset(name: str) -> Path:
    """Return the folder `experiments` or `native`, or a path below one of them.

    Raises FfibenchError where it is missing.
    """
    for home in (PACKAGE, PACKAGE.parent):
        if (home / name).exists():
            return home / name
    raise FfibenchError(
        f"this installation of ffibench lacks {name}, beside or inside {PACKAGE}",
        fix="pip install --force-reinstall ffibench puts it back",
    )


def require_plain(path: Path, fix: str) -> Path:
    """Return a path that may stand in what is generated, and in what a worker is given.

    Raises FfibenchError for one with a byte that is not UTF-8, a line end, another character that is not printed, or a
    backslash: neither Meson nor ninja nor JSON can name such a file.
    """
    plain = spelled_out(str(path))
    if plain != str(path) or "\\" in plain:
        raise FfibenchError(f"not every tool can name {plain}, for what has a backslash here", fix=fix)
    return path


def cache_path(name: str) -> Path:
    """Return `~/.cache/ffibench/NAME` (or under XDG_CACHE_HOME), be it there or not.

    Raises FfibenchError where nothing can be built in it.
    """
    home = platformdirs.user_cache_path("ffibench")
    return require_plain(home, "XDG_CACHE_HOME chooses another place") / name


def cache_folder(name: str) -> Path:
    """Return `cache_path(NAME)`, created if needed, private to the user.

    Raises FfibenchError where it cannot be created, where others may write to it, and where nothing can be built in it.
    """
    return _private(cache_path(name).parent, name)


def runs_folder() -> Path:
    """Return `~/.local/share/ffibench/runs` (or under XDG_DATA_HOME), created if needed, private to the user.

    Raises FfibenchError as `cache_folder` does.
    """
    return _private(platformdirs.user_data_path("ffibench"), "runs")


def _private(home: Path, name: str) -> Path:
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        (home / name).mkdir(mode=0o700, exist_ok=True)
        for folder in (home, home / name):
            _make_private(folder)
    except OSError as error:
        raise FfibenchError(
            f"cannot make the folder {home / name}: {error.strerror}",
            fix="XDG_CACHE_HOME and XDG_DATA_HOME choose another",
        ) from None
    return home / name


def _make_private(folder: Path) -> None:
    """Remove the permissions of others on an existing folder; refuse one that others could have written to.

    Its files are loaded and run. Raises OSError, and FfibenchError where others could have written to it.
    """
    elsewhere = "XDG_CACHE_HOME and XDG_DATA_HOME choose another place"
    if folder.is_symlink():
        raise FfibenchError(
            f"{folder} is a symbolic link, and who may change where it leads is not known", fix=elsewhere
        )
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        state = os.fstat(fd)
        if state.st_uid != os.geteuid():
            raise FfibenchError(f"{folder} belongs to another user, {_user(state.st_uid)}", fix=elsewhere)
        if state.st_mode & 0o022:
            raise FfibenchError(
                f"others may write to {folder}, so that what is in it need not be yours",
                fix=f"look into it, then chmod go= {shlex.quote(str(folder))}",
            )
        if state.st_mode & 0o077:
            os.fchmod(fd, 0o700)
    finally:
        os.close(fd)


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)
