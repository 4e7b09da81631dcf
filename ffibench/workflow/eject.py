"""What `ffibench eject` does: a contestant as files that its maintainer edits, and runs beside ffibench's own."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields, replace

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
from ffibench.shims.render import LIBRARY, local_templates, name_of
from ffibench.shims.shim import module_name
from ffibench.shims.technology import Technology
from ffibench.workflow.folders import experiment_file, rendered, require_new, write_folder
from ffibench.workflow.generate import with_loops
from ffibench.workflow.prepare import find
from ffibench.workflow.used_files import helpers_of

MINE = "~mine"

UNWRITTEN = frozenset({"bindings", "folder", "loop", "module", "narrow"})
"""Of a technology what follows from where it lies and which binding is meant; its `module` is always written."""


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
    return Ejected(path=path, contestant=_name(candidate), original=contestant, files=tuple(sorted(files)))


def _experiment(experiment: str, found: Folder, path: Path, candidate: Candidate, options: ContestantOptions) -> str:
    if is_header(experiment):
        return experiment_file(found, path, options.library or "", options.kinds)
    is_folder = "/" in experiment or Path(experiment).is_dir()  # which may extend another one, and is not that
    of = os.path.relpath(Path(experiment).resolve(), path) if is_folder else experiment
    context = {
        "of": of,
        "name": path.name,
        "contestant": _name(candidate),
        "original": candidate.contestant.name,
    }
    return rendered("extension.py.j2", context)


def _name(candidate: Candidate) -> str:
    """Return the name that the ejected one has: that of its binding, or of its file."""
    return candidate.contestant.name + _mark(candidate).replace("_", "-")


def _mark(candidate: Candidate) -> str:
    """Return what the name ends with. A file that is compiled is a module to its compiler, and Nim's have no `~`."""
    return "_mine" if candidate.source.is_contestant and candidate.technology is not None else MINE


def _contestant(
    candidate: Candidate, folder: Folder, library: LibraryIdentity, kinds: Mapping[str, str]
) -> dict[str, str]:
    """Return the files of a contestant: of a technology in its folder, or of one that is a file by itself."""
    technology, binding, source = candidate.technology, candidate.binding, candidate.source.path
    helpers = {each.name: source_text(each) for each in helpers_of(source)}
    if technology is None or binding is None or candidate.source.is_contestant:
        return {f"{source.stem}{_mark(candidate)}{source.suffix}": source_text(source), **helpers}
    name = candidate.contestant.name.rpartition("/")[2]
    # Not the path of this machine's library: what stands for it is filled in at each build.
    project = candidate.project(folder, replace(library, path=LIBRARY), kinds)
    assert project is not None
    module = technology.module or module_name(folder.header, name)
    loop = f"{technology.language}{source.suffix}"
    files = {
        "technology.toml": technology_file(
            next(each for each in folder.technologies if each.folder == technology.folder),
            name,
            module,
            of=folder.name,
            loop=loop,
            generated=bool(folder.experiment.calls),
        ),
        loop: source_text(source),
        **helpers,
        **_binding(technology, module, project.render()),
        **{f"core/{each.name}": source_text(each) for each in technology.own_core_files},
    }
    return {f"shims/{technology.language}/{name}{MINE}/{each}": text for each, text in files.items()}


def technology_file(
    technology: Technology, name: str, module: str, *, of: str, loop: str = "", generated: bool = False
) -> str:
    """Return `technology.toml` for a binding of a technology, of the experiment `of`: all that both say of themselves.

    `name` is the binding's, `module` that of its shim. `loop` is the file that drives it, `generated` whether that was
    made of calls.
    """
    original = f"{technology.language}/{name}"
    context = {
        "contestant": f"{original}{MINE}",
        "original": original,
        "of": of,
        "version": ffibench.__version__,
        "loop": loop,
        "generated": generated,
        "technology": {"module": module, **_said(technology, UNWRITTEN)},
        "name": f"{name}{MINE}",
        "binding": _said(technology.bindings[name]),
        "language": languages()[technology.language].title,
    }
    return rendered("technology.toml.j2", context)


def _said(value: Struct, unwritten: Collection[str] = ()) -> dict[str, object]:
    """Return the fields of a structure that are not what they are by default, but for the unwritten ones."""
    found = {each.name: getattr(value, each.name) for each in fields(value)}
    return {
        each.name: found[each.name]
        for each in fields(value)
        if each.name not in unwritten and found[each.name] != _default(each)
    }


def _default(field: FieldInfo) -> object:
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


def _binding(technology: Technology, module: str, files: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a shim as they were rendered; a template where what was rendered is of this machine alone."""
    templates = {name_of(each, module): each for each in local_templates(technology)}
    kept = {each.name: source_text(each) for name, each in templates.items() if name in files}
    return {**{name: text for name, text in files.items() if name not in templates}, **kept}
