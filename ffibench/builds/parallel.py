"""Many projects built side by side, one a processor; one that fails does not stop the others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path
from threading import Event

from ffibench.builds.project import Project, build
from ffibench.errors import FfibenchError

BuildResult = Path | FfibenchError
"""The artifact of a project, or why there is none."""


def build_all(
    projects: Iterable[Project], *, force: bool = False, observe: Callable[[Project, BuildResult], None]
) -> dict[Path, BuildResult]:
    """Build what the cache lacks, and return the outcome of each project by its folder, with those that they need.

    `observe` is called as each one is done. Projects of the same folder are one, and built once.
    An interrupt ends those that are under way, and begins no other.
    """
    distinct = {project.locate(): project for project in with_needs(projects)}
    outcomes: dict[Path, BuildResult] = {}
    cancelled = Event()
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        try:
            futures: dict[Path, Future[BuildResult]] = {}
            for folder, project in distinct.items():
                needs = [futures[each.locate()] for each in project.needs]
                futures[folder] = pool.submit(_build_one, project, force, cancelled, needs)
            folders = {future: folder for folder, future in futures.items()}
            for future in as_completed(folders):
                folder = folders[future]
                outcomes[folder] = future.result()
                observe(distinct[folder], outcomes[folder])
        except BaseException:  # an interrupt comes here, and not to the threads that build
            cancelled.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return outcomes


def with_needs(projects: Iterable[Project]) -> list[Project]:
    """Return the projects behind those that they need, and what needs nothing before what might have to wait."""
    asked = list(projects)
    return [each for project in asked for each in project.needs] + sorted(asked, key=lambda each: bool(each.needs))


def _build_one(project: Project, force: bool, cancelled: Event, needs: Iterable[Future[BuildResult]]) -> BuildResult:
    failed = next((outcome for need in needs if isinstance(outcome := need.result(), FfibenchError)), None)
    if failed is not None:
        return failed
    try:
        return build(project, force=force, cancelled=cancelled)
    except FfibenchError as error:
        return error
