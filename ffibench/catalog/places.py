"""Where headers and experiments lie, and how a file in a folder names a header or a library that lies elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from ffibench.builds.library import located
from ffibench.builds.toolchain import compiler, preprocessor_flags
from ffibench.errors import FfibenchError
from ffibench.paths import asset, require_plain

FOLDER_CHARACTERS_MAX = 220
"""Meson makes one name of 255 bytes at most of the whole path of a source: `_home_me_tally_c.c.o`."""

MARKER = re.compile(r'# \d+ "([^"<]+)".*')


def buildable(folder: Path) -> Path:
    """Return a folder whose sources a build can name. Raises FfibenchError."""
    if len(str(folder)) > FOLDER_CHARACTERS_MAX:
        raise FfibenchError(
            f"the path {folder} has {len(str(folder))} characters, and no build can name objects of so long a path",
            fix=f"move it to one of at most {FOLDER_CHARACTERS_MAX}",
        )
    return require_plain(folder, "give the folder another name")


def find_header(name: str) -> Path:
    """Return the header at a path, else ffibench's own of that name, else the one that the compiler finds by it.

    Raises FfibenchError where there is none.
    """
    for path in (Path(name), asset("native/include") / name):
        if path.is_file():
            return buildable(path.resolve())
    found = system_header(name)
    if found is None:
        raise FfibenchError(
            f"there is no header {name}, and the compiler finds none of that name",
            fix="give its path, or install the package that has it, such as zlib1g-dev for zlib.h",
        )
    return found


def system_header(name: str) -> Path | None:
    """Return the header that `#include <NAME>` gives, None where it gives none."""
    if name.startswith(("/", ".")) or "\n" in name:
        return None
    command = [*compiler("c").command, *preprocessor_flags(), "-E", "-x", "c", "-"]
    answer = subprocess.run(command, input=os.fsencode(f"#include <{name}>\n"), capture_output=True, check=False)
    markers = map(MARKER.fullmatch, answer.stdout.decode(errors="replace").splitlines())
    files = (Path(each[1]) for each in markers if each is not None and each[1].endswith(f"/{name}"))
    return next((path for path in files if path.is_file()), None)


def header_name(header: Path, folder: Path) -> str:
    """Return what an experiment in `folder` calls a header: a name that is found everywhere, else a path."""
    own = asset("native/include").resolve()
    if header.resolve().is_relative_to(own):
        return str(header.resolve().relative_to(own))
    for count in range(1, len(header.parts)):
        name = "/".join(header.parts[-count:])
        found = system_header(name) if not (own / name).exists() else None
        if found is not None and found.samefile(header):
            return name
    return path_name(header, folder)


def library_name(given: str, folder: Path) -> str:
    """Return what an experiment in `folder` calls the library of `--library`: a name for the loader, else a path."""
    path = Path(given)
    if not path.is_file():
        return given
    for name in dict.fromkeys((path.name, path.resolve().name)):
        try:
            if located(Path("/") / name, name, "").samefile(path):
                return name
        except FfibenchError:
            continue
    return path_name(path.absolute(), folder)


def path_name(path: Path, folder: Path) -> str:
    """Return a path from a folder, absolute only where they have no folder in common."""
    path, folder = path.absolute(), folder.absolute()
    return str(path) if os.path.commonpath([path, folder]) == "/" else os.path.relpath(path, folder)
