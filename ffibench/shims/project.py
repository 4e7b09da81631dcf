"""One generated Meson project: built once for its key, kept in the cache, found again by it.

A project is made in a folder of its own and renamed into place when it is complete, so that a build
that was killed leaves nothing that looks built, and two builds at once do not meet.
"""

from __future__ import annotations

import errno
import logging
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import Event

import ninja
from msgspec import Struct

from ffibench.cache import cache_folder
from ffibench.errors import FfibenchError
from ffibench.shims.step import run_step
from ffibench.shims.whole import SUMS, damage, seal
from ffibench.shims.workshop import workshop

LOG = "build.log"
NEWLINE = "\n"
MESSAGE_LINES_MAX = 30
ERROR = re.compile(r"(?:^|[\s:])(?:error|ERROR):|undefined reference|^[\w.]+Error: |^Error compiling Cython file")


class BuildError(FfibenchError):
    """A project that did not build: `reason` says why in a line, `message` is all that the compiler said of it."""

    def __init__(self, name: str, message: str) -> None:
        self.message = message
        self.reason = f"the build of {name} failed: {message.partition(NEWLINE)[0]}"
        super().__init__(f"{self.reason}; `ffibench build` tries again when that is mended\n{message}")


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

    @property
    def folder(self) -> Path:
        """Where the built project lies, or will."""
        key = sha256("\0".join(self.inputs).encode()).hexdigest()[:20]
        return cache_folder("shims") / f"{self.name.replace('/', '-')}-{key}"

    @property
    def built(self) -> Path | None:
        """The artifact, where the cache has it as it was built."""
        return None if damage(self.folder) else _find(self.folder, self.artifact)


def build(project: Project, *, force: bool = False, abandon: Event | None = None) -> Path:
    """Return the artifact of a project, from the cache or built now.

    A project in the cache that is not whole any more is told of and built again. Raises BuildError, and Abandoned
    where `abandon` was set meanwhile.
    """
    found = project.built
    if found is not None and not force:
        return found
    folder = project.folder
    if found is None and folder.exists():
        wrong = damage(folder) or f"it lacks {project.artifact}"
        logging.getLogger(__name__).warning("Warning: %s was damaged: %s. It is built again.", folder, wrong)
    try:
        with workshop(folder.parent, folder.name) as place:
            for name, text in project.render().items():
                (place / name).write_text(text, encoding="utf-8")
            if project.compiled:
                (place / LOG).write_text(_meson(project.name, place, abandon or Event()), encoding="utf-8")
            found = _find(place, project.artifact)
            if found is None:
                raise BuildError(project.name, f"it made no {project.artifact}")
            seal(place)
            _place(place, project, force=force)
            return folder / found.relative_to(place)
    except OSError as error:
        raise _unwritable(project, error) from None


def _find(folder: Path, artifact: str) -> Path | None:
    candidates = (folder / artifact, folder / "build" / artifact)
    return next((path for path in candidates if path.is_file()), None)


def _unwritable(project: Project, error: OSError) -> BuildError:
    return BuildError(
        project.name, f"cannot write to {project.folder.parent}: {error.strerror}; XDG_CACHE_HOME chooses another place"
    )


def _place(place: Path, project: Project, *, force: bool) -> None:
    """Move a finished project to where it is looked for; whoever runs an old one keeps its mapped files.

    One that is there already stays, unless by `force`: another build of the same key was quicker, its outcome
    is the same, and somebody may be about to load it.
    """
    while True:
        try:
            place.rename(project.folder)
            return
        except OSError as error:
            if error.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
                raise
        if not force and project.built is not None:
            return
        old = tempfile.mkdtemp(prefix=f".{project.folder.name}-old-", dir=project.folder.parent)
        with suppress(FileNotFoundError):  # another build has just moved it
            project.folder.rename(Path(old) / "project")
        shutil.rmtree(old, ignore_errors=True)


def _meson(name: str, place: Path, abandon: Event) -> str:
    """Set up and compile; return the log. Raises BuildError with what the compiler said."""
    temporary = place / "tmp"  # what a compiler that was killed leaves goes with the rest
    temporary.mkdir()
    environment = {
        **os.environ,
        "NINJA": str(Path(ninja.BIN_DIR) / "ninja"),
        "LC_ALL": "C.UTF-8",
        "TMPDIR": str(temporary),
    }
    meson = [sys.executable, "-m", "mesonbuild.mesonmain"]
    log = ""
    for step in (["setup", "build"], ["compile", "-C", "build", "--jobs", "1", "--verbose"]):
        answer = run_step([*meson, *step], folder=place, environment=environment, abandon=abandon)
        log += answer.stdout
        if answer.returncode != 0:
            raise BuildError(name, _first_error(answer.stdout))
    shutil.rmtree(temporary, ignore_errors=True)
    return log


def _first_error(output: str) -> str:
    """The lines that say why: from the first error on, a compiler's, a linker's, Meson's or a generator's."""
    lines = [line for line in output.splitlines() if line.strip() and not line.startswith("[")]
    start = next((number for number, line in enumerate(lines) if ERROR.search(line)), 0)
    return "\n".join(lines[start : start + MESSAGE_LINES_MAX])


def project_files(folder: Path) -> list[Path]:
    """Return what was rendered for a project, and what a generator made of it: the files that tell what it is."""
    generated = [path for path in (folder / "build").glob("*") if path.suffix in {".c", ".py"}]
    return sorted(path for path in [*folder.iterdir(), *generated] if path.is_file() and path.name not in {LOG, SUMS})
