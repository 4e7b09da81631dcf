"""What `ffibench eject` does: a contestant as files that its maintainer edits, and runs beside ffibench's own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

import ffibench
from ffibench.builds.library import find_library
from ffibench.builds.project import source_text
from ffibench.catalog import Candidate, Folder, candidates
from ffibench.catalog.candidates import contestant_names
from ffibench.catalog.headers import is_header
from ffibench.catalog.selection import select
from ffibench.errors import FfibenchError
from ffibench.languages import languages
from ffibench.model import BASELINE, CONTROL, LibraryIdentity
from ffibench.plan.make import plan_work
from ffibench.plan.options import ContestantOptions, PlanOptions
from ffibench.shims.render import LIBRARY
from ffibench.shims.shim import module_name
from ffibench.workflow.folders import experiment_file, rendered, require_new, write_folder
from ffibench.workflow.generate import with_loops
from ffibench.workflow.prepare import find
from ffibench.workflow.used_files import helpers_of

MINE = "~mine"


class Ejected(Struct, frozen=True, kw_only=True):
    """A folder that was written."""

    path: Path
    contestant: str
    """The name of the one to be edited, `python/pybind11~mine`."""
    original: str
    files: tuple[str, ...]


def eject(experiment: str, contestant: str, folder: str, options: ContestantOptions) -> Ejected:
    """Write a contestant into a folder: its loop, its binding's source and the build of that.

    Raises FfibenchError where the folder is there already, there is no such contestant, or it cannot run here.
    """
    path = require_new(folder)
    if contestant in {BASELINE, CONTROL}:
        raise FfibenchError(
            f"{contestant} is what all contestants are compared with, and none of them",
            fix=f"name one that `ffibench list {experiment}` shows",
        )
    found = find(experiment, options)
    work = plan_work(found, PlanOptions(parameters=options.parameters))
    library = find_library(found.experiment, found.path, options.library)
    looped = with_loops(found, library, options.kinds, [point.arguments for point in work.points], [contestant])
    possible = candidates(looped, options.requested, [contestant])
    present = select(possible, [contestant], contestant_names(looped)).present
    candidate = next((each for each in present if each.contestant.name == contestant), None)
    if candidate is None:
        raise FfibenchError(f"{contestant!r} names several contestants", fix="name one of them")
    files = _contestant(candidate, looped, library, options.kinds)
    files["experiment.py"] = _experiment(experiment, found, path, candidate, options)
    write_folder(path, files)
    return Ejected(path=path, contestant=f"{contestant}{MINE}", original=contestant, files=tuple(sorted(files)))


def _experiment(experiment: str, found: Folder, path: Path, candidate: Candidate, options: ContestantOptions) -> str:
    if is_header(experiment):
        return experiment_file(found, path, options.library or "", options.kinds)
    of = os.path.relpath(found.path, path) if "/" in experiment or Path(experiment).is_dir() else experiment
    context = {
        "of": of,
        "name": path.name,
        "contestant": f"{candidate.contestant.name}{MINE}",
        "original": candidate.contestant.name,
    }
    return rendered("extension.py.j2", context)


def _contestant(
    candidate: Candidate, folder: Folder, library: LibraryIdentity, kinds: Mapping[str, str]
) -> dict[str, str]:
    """Return the files of a contestant: of a technology in its folder, or of one that is a file by itself."""
    technology, binding, source = candidate.technology, candidate.binding, candidate.source.path
    helpers = {each.name: source_text(each) for each in helpers_of(source)}
    if technology is None or binding is None or technology.program:
        return {f"{source.stem}{MINE}{source.suffix}": source_text(source), **helpers}
    name = candidate.contestant.name.rpartition("/")[2]
    # Not the path of this machine's library: what stands for it is filled in at each build.
    project = candidate.project(folder, replace(library, path=LIBRARY), kinds)
    assert project is not None
    module = technology.module or module_name(folder.header, name)
    context = {
        "contestant": f"{candidate.contestant.name}{MINE}",
        "original": candidate.contestant.name,
        "of": folder.name,
        "generated": bool(folder.experiment.calls),
        "version": ffibench.__version__,
        "loop": f"{technology.language}{source.suffix}",
        "module": module,
        "binding": f"{name}{MINE}",
        "lock": binding.lock,
        "language": languages()[technology.language].title,
        **{each: getattr(technology, each) for each in technology.__struct_fields__ if each not in {"module", "loop"}},
    }
    files = {
        "technology.toml": rendered("technology.toml.j2", context),
        context["loop"]: source_text(source),
        **helpers,
        **{each: text for each, text in project.render().items() if each != "meson.build"},
        **_build(technology.folder),
    }
    return {f"shims/{technology.language}/{name}{MINE}/{each}": text for each, text in files.items()}


def _build(folder: Path) -> dict[str, str]:
    """Return the templates of a technology's build: folders of this machine are filled in at each build."""
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for where in ("meson.build.j2", "core/*")
        for path in sorted(folder.glob(where))
    }
