"""The library under test where it is made of C sources: the experiment's own, ffibench's, and those of a wheel."""

from __future__ import annotations

import re
import sys
from importlib import metadata
from pathlib import Path

from msgspec import Struct

from ffibench.builds.project import Project, source_text
from ffibench.builds.toolchain import compiler, flags
from ffibench.errors import FfibenchError, MissingExtraError
from ffibench.extras import extra_of, install_command
from ffibench.model import Library, LibrarySources, WheelSources
from ffibench.paths import asset

NAME_CHARACTERS_MAX = 100
"""Of a folder, in the names of what is built for it, which must stay under the 255 bytes of a file's name."""


class LibraryParts(Struct, frozen=True):
    """The C sources of a library, with the folders of their headers and the compiler's arguments."""

    sources: tuple[Path, ...]
    folders: tuple[Path, ...]
    arguments: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """All that a build of them depends on."""
        homes = [*self.folders, *(path.parent for path in self.sources)]
        headers = sorted({header for home in homes for header in home.glob("*.h")})
        paths = (str(path) for path in [*self.folders, *self.sources])
        return (*paths, *self.arguments, *map(source_text, [*self.sources, *headers]))


def library_parts(library: Library, folder: Path) -> LibraryParts | None:
    """Return what a library is made of; None where it is there as a file. Raises FfibenchError for a missing source."""
    if not isinstance(library, LibrarySources):
        return None
    sources = [_source(name, folder) for name in library.sources]
    folders = [folder, asset("native/include")]
    for wheel in library.wheels:
        *found, include = _in_wheel(wheel, folder)
        sources += found
        folders.append(include)
    return LibraryParts(tuple(sources), tuple(dict.fromkeys(folders)), library.arguments)


def sources_project(library: LibrarySources, folder: Path) -> Project:
    """The build of C sources, the experiment's own or ffibench's, into one shared library."""
    parts = library_parts(library, folder)
    assert parts is not None
    name = re.sub(r"[^\w-]", "_", folder.name[:NAME_CHARACTERS_MAX]) + "-library"
    template = asset("native/library.meson.j2")

    def render() -> dict[str, str]:
        from ffibench.builds.templates import render_text

        own = {"name": name, "parts": parts}
        return {"meson.build": render_text(template, own)}

    return Project(
        name=name,
        inputs=(
            template.read_text(encoding="utf-8"),
            *parts.texts,
            compiler("c").version,
            repr(flags()),
        ),
        artifact=f"lib{name}.{'dylib' if sys.platform == 'darwin' else 'so'}",
        compiled=True,
        render=render,
    )


def _source(name: str, folder: Path) -> Path:
    for home in (folder, asset("native/lib")):
        if (home / name).is_file():
            return home / name
    raise FfibenchError(
        f"no file {folder / name}, which {folder / 'experiment.py'} names as a source of its library",
        fix="put it there, or correct the name",
    )


def _in_wheel(wheel: WheelSources, folder: Path) -> list[Path]:
    """Return the sources of a distribution, then the folder of its headers.

    By its record of files: to import it may fail, as zcbor 0.9.1 does beside cbor2 6.2, and is not needed.
    """
    name = wheel.distribution
    try:
        if not name:  # by none Python 3.10 finds whichever comes first
            raise metadata.PackageNotFoundError(name)
        found = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        kind = FfibenchError if extra_of(name) is None else MissingExtraError
        raise kind(
            f"the Python package {name} is not installed, of whose sources the library under test is made",
            fix=install_command(name),
        ) from None
    paths = [Path(str(found.locate_file(each))) for each in (*wheel.sources, wheel.include)]
    gone = next((path for path in paths if not path.exists()), None)
    if gone is not None:
        raise FfibenchError(
            f"{name} {found.version} has no {gone}, which {folder / 'experiment.py'} names as a source of its library",
            fix=f"install another version of {name}, or correct the name",
        )
    return paths
