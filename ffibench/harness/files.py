"""The files that the workers of a plan are started from: the cache may be emptied while they run."""

from __future__ import annotations

from pathlib import Path

from ffibench.model import Plan


def removed_file(plan: Plan) -> str | None:
    """Return the first file that a worker of a plan needs and that is no longer there; None where all are."""
    words = dict.fromkeys(word for worker in plan.workers for word in worker.command)
    paths = [plan.library.path, *(word.partition("=")[2] if "=" in word else word for word in words)]
    return next((path for path in paths if path.startswith("/") and not Path(path).exists()), None)
