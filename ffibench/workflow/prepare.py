"""The steps that come before a run, a build and a look at a source: what takes part, and its shims built."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from rich.console import Console

from ffibench.builds.library import find_library
from ffibench.builds.parallel import Outcome, build_all, with_needs
from ffibench.builds.project import BuildError, Project
from ffibench.catalog import Candidate, Folder, candidates, find_experiment
from ffibench.catalog.selection import select
from ffibench.errors import FfibenchError
from ffibench.model import BASELINE, LibraryIdentity, Unavailable
from ffibench.shims.shim import declarations


class Ready(Struct, frozen=True, kw_only=True):
    """An experiment whose contestants can be started."""

    folder: Folder
    library: LibraryIdentity
    chosen: tuple[tuple[Candidate, Path | None], ...]
    """Each contestant with its built or rendered shim."""
    unavailable: tuple[Unavailable, ...]
    failures: tuple[FfibenchError, ...]
    """The builds that failed, each with all that was said of it."""


def prepare(
    console: Console,
    experiment: str,
    *,
    patterns: Sequence[str],
    pythons: Sequence[str],
    library: str | None,
    kinds: Mapping[str, str],
    force: bool = False,
    check: Callable[[Folder], object] = lambda _folder: None,
) -> Ready:
    """Find an experiment, choose its contestants and build what they need, with progress on `console`.

    `check` raises FfibenchError for what does not fit the experiment, so that it is told before anything is built.

    Raises FfibenchError for a mistake of the user, and where the baseline cannot be built.
    """
    with console.status("Looking for what this machine has") as status:
        folder = find_experiment(experiment)
        check(folder)
        identity = find_library(folder.experiment, folder.path, library)
        selection = select(candidates(folder, pythons), patterns)
        if kinds:  # a mistake in them is told once, not for every shim
            declarations(folder.header, {**folder.experiment.kinds, **kinds})
        planned = [(each, each.project(folder, identity, kinds)) for each in selection.present]
        shims = [project for _, project in planned if project is not None]
        projects = {project.folder: project for project in with_needs(shims)}
        wanted = {path for path, project in projects.items() if force or project.built is None}
        done: list[Project] = []

        def observe(project: Project, outcome: Outcome) -> None:
            if project.folder in wanted:
                done.append(project)
                word = "failed" if isinstance(outcome, FfibenchError) else "built"
                status.update(f"Building shims, which are kept: {len(done)} of {len(wanted)}, {project.name} {word}")

        if wanted:
            status.update(f"Building shims, which are kept: 0 of {len(wanted)}")
        outcomes = build_all(shims, force=force, observe=observe)
    chosen: list[tuple[Candidate, Path | None]] = []
    unavailable = list(selection.unavailable)
    for candidate, project in planned:
        outcome = None if project is None else outcomes[project.folder]
        if not isinstance(outcome, FfibenchError):
            chosen.append((candidate, outcome))
            continue
        if candidate.contestant.name == BASELINE:
            raise outcome
        reason = outcome.reason if isinstance(outcome, BuildError) else str(outcome)
        unavailable.append(Unavailable(contestant=candidate.contestant, reason=reason))
    return Ready(
        folder=folder,
        library=identity,
        chosen=tuple(chosen),
        unavailable=tuple(unavailable),
        failures=tuple(each for each in outcomes.values() if isinstance(each, FfibenchError)),
    )
