"""One generated Meson project: built once for its key, kept in the cache, found again by it.

A project is made in a folder of its own and renamed into place when it is complete, so that a build
that was killed leaves nothing that looks built. Of two builds of one key at once, the second waits for the first.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from threading import Event

import ninja
from msgspec import Struct

from ffibench.builds.checksums import CHECKSUMS, find_damage, write_checksums
from ffibench.builds.command import run_command
from ffibench.builds.staging import exclusive_build, staging_folder
from ffibench.builds.times import TIMES, BuildTimes, write_times
from ffibench.errors import FfibenchError, fix_for, named_in
from ffibench.paths import cache_folder, cache_path

LOG = "build.log"
NEWLINE = "\n"
MESSAGE_LINES_MAX = 30
ERROR = re.compile(
    r"(?:^|[\s:])(?:[Ee]rror(?:\[E\d+\])?|ERROR):|undefined reference|^[\w.]+Error: |^Error compiling Cython file"
)
SAID = re.compile(r"^\S*meson\.build:[\d:]+ ERROR: Problem encountered: ")
"""What Meson writes before a sentence of the build itself."""

MADE = "build"
"""The folder in a project into which Meson puts what it makes."""


class BuildError(FfibenchError):
    """A project that did not build: `reason` says why in a line, `message` is all that the compiler said of it."""

    def __init__(self, name: str, message: str) -> None:
        self.message = message
        reason = f"the build of {name} failed: {message.partition(NEWLINE)[0]}"
        more = f"\n{message}" if NEWLINE in message else ""
        super().__init__(reason, f"`ffibench build` tries again when that is fixed{more}")


class Project(Struct, frozen=True, kw_only=True):
    """What is built, before it is: the files are rendered only where the cache lacks the key."""

    name: str
    inputs: tuple[str, ...]
    """All that changes the output: texts, versions, hashes."""
    artifact: str
    """Name of the file that is asked for, among those rendered or those built."""
    compiled: bool
    render: Callable[[], Mapping[str, str]]
    """Returns file name to text."""
    needs: tuple[Project, ...] = ()
    """What is built before it, since its files name their artifacts."""

    def locate(self) -> Path:
        """Return the folder in which the built project lies, or will: it follows from the inputs alone."""
        key = sha256("\0".join(self.inputs).encode()).hexdigest()[:20]
        return cache_path("shims") / f"{self.name.replace('/', '-')}-{key}"

    def verify(self) -> Path | None:
        """Return the artifact where the cache has it as it was built, else None."""
        folder = self.locate()
        return None if find_damage(folder) else _find(folder, self.artifact)


def source_text(path: Path) -> str:
    """Return a user's source as an input, with bytes that are not UTF-8 spelled out: a compiler takes them."""
    return path.read_text(encoding="utf-8", errors="backslashreplace")


def build(project: Project, *, force: bool = False, cancelled: Event | None = None) -> Path:
    """Return the artifact of a project, from the cache or built now, with what it needs.

    A project in the cache that is damaged is built again, with a warning. Raises BuildError, and BuildCancelled where
    `cancelled` was set meanwhile; FfibenchError where the cache cannot be made or is not the user's alone.
    """
    cache_folder("shims")  # first: nothing is taken from a cache that somebody else could have filled
    found = project.verify()
    if found is not None and not force:
        return found
    cancelled = cancelled or Event()
    for each in project.needs:
        build(each, cancelled=cancelled)
    folder = project.locate()
    try:
        with exclusive_build(folder.name, cancelled):
            found = project.verify()  # another process may have built it meanwhile
            if found is not None and not force:
                return found
            if found is None and folder.exists():
                wrong = find_damage(folder) or f"it lacks {project.artifact}"
                logging.getLogger(__name__).warning("Warning: %s was damaged: %s. It is built again.", folder, wrong)
            _require_programs(project)
            with staging_folder(folder.parent, folder.name) as place:
                return folder / _make(project, place, cancelled).relative_to(place)
    except OSError as error:
        raise _system_error(project, error) from None


def _require_programs(project: Project) -> None:
    """Raise BuildError where no program may be run from the cache: the baseline is one."""
    cache = project.locate().parent
    if os.statvfs(cache).f_flag & os.ST_NOEXEC:
        raise BuildError(project.name, f"{cache} is mounted noexec; XDG_CACHE_HOME chooses another place")


def _make(project: Project, place: Path, cancelled: Event) -> Path:
    """Make a project in `place`, move it to its folder, and return its artifact as it lay in `place`."""
    for name, text in project.render().items():
        (place / name).write_text(text, encoding="utf-8")
    if project.compiled:
        log, times = _meson(project.name, place, cancelled)
        (place / LOG).write_text(log, encoding="utf-8")
        write_times(place, times)
    found = _find(place, project.artifact)
    if found is None:
        raise BuildError(project.name, f"it made no {project.artifact}")
    write_checksums(place)
    _move_into_place(place, project.locate())
    return found


def _find(folder: Path, artifact: str) -> Path | None:
    candidates = (folder / artifact, folder / MADE / artifact)
    return next((path for path in candidates if path.is_file()), None)


def folder_of(artifact: Path) -> Path:
    """Return the folder of the project that made an artifact."""
    return artifact.parent.parent if artifact.parent.name == MADE else artifact.parent


def _system_error(project: Project, error: OSError) -> BuildError:
    """What the system refused: of the cache, or of a file that a build reads or runs."""
    cache = project.locate().parent
    elsewhere = "XDG_CACHE_HOME chooses another place"
    named = None if error.filename is None else Path(os.fsdecode(error.filename))
    if named is not None and not named.is_relative_to(cache.parent):
        fix = fix_for(error, "see who may read it")
        return BuildError(project.name, f"cannot use {named}: {error.strerror}; {fix}")
    return BuildError(project.name, f"cannot write to {cache}: {error.strerror}; {fix_for(error, elsewhere)}")


def _move_into_place(place: Path, folder: Path) -> None:
    """Move a finished project to where it is looked for; whoever runs an old one keeps its mapped files."""
    if not folder.exists():
        place.rename(folder)
        return
    old = tempfile.mkdtemp(prefix=f".{folder.name}-old-", dir=folder.parent)
    folder.rename(Path(old) / "project")
    place.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def _meson(name: str, place: Path, cancelled: Event) -> tuple[str, BuildTimes]:
    """Set up and compile; return the log and how long each took.

    Raises BuildError with what the compiler said, OSError as it had it.
    """
    temporary = place / "tmp"  # what a compiler that was killed leaves goes with the rest
    temporary.mkdir()
    builder = str(Path(ninja.BIN_DIR) / "ninja")
    environment = {**os.environ, "NINJA": builder, "LC_ALL": "C.UTF-8", "TMPDIR": str(temporary)}
    setup = [sys.executable, "-m", "mesonbuild.mesonmain", "setup", MADE]
    compile_ = [builder, "-C", MADE, "-j", "1", "--verbose"]  # `meson compile` would load all of Meson once more
    log, ended = "", [time.monotonic()]
    for command in (setup, compile_):
        answer = run_command(command, folder=place, environment=environment, cancelled=cancelled)
        log += answer.stdout
        ended.append(time.monotonic())
        if answer.returncode != 0:
            lacking = named_in(answer.stdout)
            if lacking is not None:
                raise OSError(lacking, os.strerror(lacking))
            raise BuildError(name, _first_error(answer.stdout))
    shutil.rmtree(temporary, ignore_errors=True)
    begun, configured, compiled = ended
    return log, BuildTimes(configure_seconds=configured - begun, compile_seconds=compiled - configured)


def _first_error(output: str) -> str:
    """The lines that say why: from the first error on, a compiler's, a linker's, Meson's or a generator's."""
    lines = [
        line for line in output.splitlines() if line.strip() and not line.startswith(("[", "ninja: build stopped"))
    ]
    start = next((number for number, line in enumerate(lines) if ERROR.search(line)), 0)
    return SAID.sub("", "\n".join(lines[start : start + MESSAGE_LINES_MAX]))


def project_files(folder: Path) -> list[Path]:
    """Return what was rendered for a project, and what a generator made of it: the files that tell what it is."""
    generated = [path for path in (folder / MADE).glob("*") if path.suffix in {".c", ".py"}]
    return sorted(
        path for path in [*folder.iterdir(), *generated] if path.is_file() and path.name not in {LOG, CHECKSUMS, TIMES}
    )
