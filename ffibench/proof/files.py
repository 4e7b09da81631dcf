"""Checks that what a worker ran stayed as it was while the run went on."""

from __future__ import annotations

from collections.abc import Iterable

from ffibench.model import PlannedWorker, UsedFile


def changed_file(planned: PlannedWorker, files: Iterable[UsedFile]) -> str | None:
    """Name the first file of a worker that changed during the run; None where none did.

    It is not known in which round it changed, so that no round of the worker is valid.
    """
    found = next((each for each in files if each.changed and each.owner in planned.files), None)
    return None if found is None else f"used a file that was changed while the run went on: {found.path}"
