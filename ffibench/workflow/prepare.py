"""The steps before a run, an audit, a build and a look at a source: what takes part, and its bindings built."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from ffibench.builds.library import find_library
from ffibench.builds.parallel import BuildResult, build_all, with_needs
from ffibench.builds.project import BuildError, Project
from ffibench.catalog import Candidate, Folder, candidates, find_experiment
from ffibench.catalog.candidates import contestant_names
from ffibench.catalog.derived import with_derived
from ffibench.catalog.headers import header_folder, is_header
from ffibench.catalog.selection import select
from ffibench.catalog.threads import THREADS, with_threads
from ffibench.errors import FfibenchError
from ffibench.model import BASELINE, LibraryIdentity, Unavailable
from ffibench.plan.make import PlannedWork, plan_work
from ffibench.plan.options import ContestantOptions, PlanOptions
from ffibench.shims.shim import declarations
from ffibench.workflow.generate import with_loops
from ffibench.workflow.machine import require_limits
from ffibench.workflow.steps import BuildFailed, Building, Observer, Searching, unobserved

NEWLINE = "\n"


class Prepared(Struct, frozen=True, kw_only=True):
    """An experiment whose contestants can be started."""

    folder: Folder
    library: LibraryIdentity
    chosen: tuple[tuple[Candidate, Path | None], ...]
    """Each contestant with its built or rendered shim."""
    unavailable: tuple[Unavailable, ...]
    failures: tuple[BuildFailed, ...]
    """The builds that failed, each once, with all that the compiler said."""


def prepare(
    experiment: str,
    options: ContestantOptions,
    *,
    players: Sequence[str] = (),
    force: bool = False,
    check: Callable[[Folder], PlannedWork] | None = None,
    observe: Observer = unobserved,
) -> Prepared:
    """Find an experiment, choose its contestants and build what they need.

    `players` play a role for all others, by name. `force` builds again what the cache has. `check` returns what will be
    done, and raises FfibenchError for what does not fit the experiment, before anything is built.

    Raises FfibenchError for a mistake of the user, and where the baseline cannot be built.
    """
    require_limits()
    observe(Searching())
    folder = find(experiment, options)
    return prepare_folder(folder, options, players=players, force=force, check=check, observe=observe)


def prepare_folder(
    folder: Folder,
    options: ContestantOptions,
    *,
    players: Sequence[str] = (),
    force: bool = False,
    check: Callable[[Folder], PlannedWork] | None = None,
    observe: Observer = unobserved,
) -> Prepared:
    """Prepare an experiment that was found, or made of something else; see `prepare`."""
    work = check(folder) if check is not None else plan_work(folder, PlanOptions(parameters=options.parameters))
    library = find_library(folder.experiment, folder.path, options.library)
    points = [point.arguments for point in work.points]
    folder = with_loops(folder, library, options.kinds, points, options.contestants)
    found = candidates(folder, options.requested, options.contestants, players)
    selection = select(found, options.contestants, contestant_names(folder))
    if options.kinds:  # a mistake in them is reported once, not for every shim
        declarations(folder.header, {**folder.experiment.kinds, **options.kinds})
    planned = [(each, each.project(folder, library, options.kinds)) for each in selection.present]
    outcomes = _build([project for _, project in planned if project is not None], force, observe)
    failures = _failures(planned, outcomes)
    for failure in failures:
        if BASELINE in failure.contestants:
            raise failure.error
        observe(failure)
    failed = [
        Unavailable(contestant=candidate.contestant, reason=_reason(error))
        for candidate, project in planned
        if (error := _error_of(project, outcomes)) is not None
    ]
    return Prepared(
        folder=folder,
        library=library,
        chosen=tuple(
            (candidate, _artifact_of(project, outcomes))
            for candidate, project in planned
            if _error_of(project, outcomes) is None
        ),
        unavailable=(*selection.unavailable, *failed),
        failures=failures,
    )


def find(experiment: str, options: ContestantOptions) -> Folder:
    """Return the experiment of a name or a folder, or what a header and calls are. Raises FfibenchError."""
    folder = _found(experiment, options)
    return with_threads(folder) if THREADS in options.parameters else folder


def _found(experiment: str, options: ContestantOptions) -> Folder:
    if is_header(experiment):
        return header_folder(experiment, options.calls, options.library, options.parameters)
    if options.calls:
        raise FfibenchError(
            f"--call is for a header, and {experiment} is an experiment, which has calls of its own",
            fix="name a header, such as foo.h, or write the calls into the experiment's experiment.py",
        )
    return with_derived(find_experiment(experiment), options.parameters)


def _build(shims: Sequence[Project], force: bool, observe: Observer) -> dict[Path, BuildResult]:
    """Build what the cache does not have; return the outcome of each project by its folder."""
    projects = {project.locate(): project for project in with_needs(shims)}
    wanted = {path for path, project in projects.items() if force or project.verify() is None}
    done: list[Project] = []

    def count(project: Project, outcome: BuildResult) -> None:
        if project.locate() in wanted:
            done.append(project)
            failed = isinstance(outcome, FfibenchError)
            observe(Building(done=len(done), wanted=len(wanted), latest=project.name, failed=failed))

    if wanted:
        observe(Building(done=0, wanted=len(wanted)))
    return build_all(shims, force=force, observe=count)


def _failures(
    planned: Sequence[tuple[Candidate, Project | None]], outcomes: Mapping[Path, BuildResult]
) -> tuple[BuildFailed, ...]:
    """Return what failed: one entry for what several contestants need, and one for one message of several builds."""
    found: dict[str, tuple[FfibenchError, list[str]]] = {}
    for candidate, project in planned:
        if (error := _error_of(project, outcomes)) is not None:
            cause = error.message if isinstance(error, BuildError) else str(error)
            names = found.setdefault(cause, (error, []))[1]
            if candidate.contestant.name not in names:
                names.append(candidate.contestant.name)
    return tuple(
        BuildFailed(error=error, cause=cause, contestants=tuple(names)) for cause, (error, names) in found.items()
    )


def _error_of(project: Project | None, outcomes: Mapping[Path, BuildResult]) -> FfibenchError | None:
    outcome = None if project is None else outcomes[project.locate()]
    return outcome if isinstance(outcome, FfibenchError) else None


def _artifact_of(project: Project | None, outcomes: Mapping[Path, BuildResult]) -> Path | None:
    outcome = None if project is None else outcomes[project.locate()]
    return outcome if isinstance(outcome, Path) else None


def _reason(error: FfibenchError) -> str:
    """The cause in a line, the same for all that share it; what the compiler said in full is reported once."""
    cause = error.message if isinstance(error, BuildError) else str(error)
    return f"its binding cannot be built: {cause.partition(NEWLINE)[0]}"
