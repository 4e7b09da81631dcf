"""Many projects built side by side, one a processor; one that fails does not stop the others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from threading import Event

from ffibench.errors import FfibenchError
from ffibench.shims.project import Project, build

Outcome = Path | FfibenchError
"""The artifact of a project, or why there is none."""


def build_all(
    projects: Iterable[Project], *, force: bool = False, observe: Callable[[Project, Outcome], None]
) -> dict[Path, Outcome]:
    """Build what the cache lacks, and return the outcome of each project by its folder.

    `observe` is called as each one is done. Projects of the same folder are one, and built once.
    An interrupt ends those that are under way, and begins no other.
    """
    distinct = {project.folder: project for project in projects}
    outcomes: dict[Path, Outcome] = {}
    abandon = Event()
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        try:
            futures = {pool.submit(_outcome, project, force, abandon): folder for folder, project in distinct.items()}
            for future in as_completed(futures):
                folder = futures[future]
                outcomes[folder] = future.result()
                observe(distinct[folder], outcomes[folder])
        except BaseException:  # an interrupt comes here, and not to the threads that build
            abandon.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return outcomes


def _outcome(project: Project, force: bool, abandon: Event) -> Outcome:
    try:
        return build(project, force=force, abandon=abandon)
    except FfibenchError as error:
        return error
