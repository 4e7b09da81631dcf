"""Whether the files that a run says it used are those of its plan."""

from __future__ import annotations

from collections.abc import Iterator

from ffibench.model import Run
from ffibench.proof.quoting import named


def file_contradictions(run: Run) -> Iterator[str]:
    """Yield what cannot be in the files of a run, each with its place."""
    used = {path for worker in run.plan.workers for path in worker.files}
    seen: set[tuple[str, str]] = set()
    for number, file in enumerate(run.files):
        place = f"$.files[{number}]"
        if (file.path, file.named) in seen:
            yield f"A second look at {named(file.path)} - at `{place}`"
        seen.add((file.path, file.named))
        if file.owner not in used:
            yield f"A file {named(file.owner)}, which no worker uses - at `{place}`"
