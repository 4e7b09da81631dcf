"""What the bindings of a run are made of: their sources and modules in the cache, and how long each was built."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ffibench.builds.project import MADE, Project, project_files
from ffibench.builds.times import recorded_times
from ffibench.catalog import Candidate
from ffibench.model import CONTROL, BindingParts, Plan
from ffibench.temporary import temporary_folder
from ffibench.workflow.prepare import Prepared

BUILD_FILE = "meson.build"
"""Its lines are those of a build tool, not of a technology, and name paths of this cache."""
LIBRARY = ".so"
SECONDS_MAX = 60


def binding_parts(prepared: Prepared, plan: Plan, kinds: Mapping[str, str]) -> tuple[BindingParts, ...]:
    """Return what the binding of each contestant of a plan is made of; none of one that has no generated one.

    `kinds` are those of `--kind`.
    """
    planned = {(worker.contestant.name, worker.contestant.interpreter) for worker in plan.workers}
    return tuple(each for each in _parts(prepared, kinds) if (each.contestant, each.interpreter) in planned)


def _parts(prepared: Prepared, kinds: Mapping[str, str]) -> Iterator[BindingParts]:
    for candidate, artifact in prepared.chosen:
        # A whole program has no binding, and the control is one.
        if artifact is None or candidate.technology is None or not candidate.technology.kinds:
            continue
        project = candidate.project(prepared.folder, prepared.library, kinds)
        if project is not None and candidate.contestant.name != CONTROL:
            yield _of_project(candidate, project, artifact)


def _of_project(candidate: Candidate, project: Project, artifact: Path) -> BindingParts:
    folder = project.locate()
    rendered = [path for path in project_files(folder) if path.parent == folder and path.name != BUILD_FILE]
    modules = modules_of(folder, artifact)
    times = recorded_times(folder) if project.compiled else None
    core = next(iter(project.needs), None)
    shared = None if core is None else recorded_times(core.locate())
    return BindingParts(
        contestant=candidate.contestant.name,
        interpreter=candidate.contestant.interpreter,
        sources={path.name: lines_of(path.read_text(encoding="utf-8")) for path in rendered},
        modules={path.name: path.stat().st_size for path in modules},
        stripped_bytes=stripped_bytes(modules),
        built=project.compiled,
        compile_seconds=None if times is None else times.compile_seconds,
        core="" if core is None else core.name,
        core_seconds=None if shared is None else shared.compile_seconds,
    )


def lines_of(text: str) -> int:
    """Return how many lines of a source are not blank."""
    return sum(bool(line.strip()) for line in text.splitlines())


def modules_of(folder: Path, artifact: Path) -> list[Path]:
    """Return the files of a built project that a process loads: the one it is given, and the modules made beside it."""
    made = [path for path in (folder / MADE).glob("*") if path.suffix in {LIBRARY, ".py"} and path.is_file()]
    return sorted({artifact, *made})


def stripped_bytes(modules: Sequence[Path]) -> int | None:
    """Return the size of modules as a package has them, without symbols that nobody needs to load them: strip(1).

    None where none of them is compiled, and where there is no `strip` that takes them.
    """
    strip = shutil.which("strip")
    compiled = [path for path in modules if path.suffix == LIBRARY]
    if strip is None or not compiled:
        return None
    size = sum(path.stat().st_size for path in modules if path not in compiled)
    with temporary_folder() as folder:
        for path in compiled:
            command = [strip, "-o", str(folder / path.name), "--", str(path)]
            answer = subprocess.run(command, capture_output=True, check=False, timeout=SECONDS_MAX)
            if answer.returncode != 0:
                return None
            size += (folder / path.name).stat().st_size
    return size
