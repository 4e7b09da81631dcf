"""What the kernel said of live workers that no figure should have been measured with."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ffibench.model import Conditions, Run, RunWarning
from ffibench.noise.descriptions import named


def worker_warnings(run: Run) -> Iterator[RunWarning]:
    """Yield a warning for tracers, for instruments and for workers that were not pinned, naming whom it is of."""
    yield from _traced(run)
    yield from _instrumented(run)
    yield from _unpinned(run)


def _traced(run: Run) -> Iterator[RunWarning]:
    found = _those(run, lambda seen: seen.tracer is not None)
    if found:
        tracers = named(sorted({str(seen.tracer) for _, seen in found}))
        yield RunWarning(
            code="tracer",
            text=f"{tracers} traced workers while they were measured: {named(_names(found))}.",
            fix="Run without it.",
        )


def _instrumented(run: Run) -> Iterator[RunWarning]:
    found = _those(run, lambda seen: bool(seen.instruments))
    if found:
        instruments = named(sorted({each for _, seen in found for each in seen.instruments}))
        yield RunWarning(
            code="instruments",
            text=f"Workers were measured with {instruments} in them: {named(_names(found))}.",
            fix="Take -fsanitize out of CFLAGS and LDFLAGS, or the profiler out of the command, and run again.",
        )


def _unpinned(run: Run) -> Iterator[RunWarning]:
    """A worker may widen what it was given, or a runtime do so for it."""
    cpu = run.host.pinned_to
    if not run.plan.alone or cpu is None:  # of a team all but one loop are kept off it
        return
    found = _those(run, lambda seen: seen.processors not in {None, str(cpu)})
    if found:
        yield RunWarning(
            code="unpinned",
            text=f"Workers could run beside processor {cpu}, which they were pinned to: {named(_names(found))}.",
            fix="Take out of the contestant what sets the affinity of its process.",
        )


def _those(run: Run, is_so: Callable[[Conditions], bool]) -> list[tuple[str, Conditions]]:
    """The keys of records whose conditions are so, with these."""
    records = (record for each in run.rounds for record in each.records)
    return [(each.key, each.conditions) for each in records if each.conditions is not None and is_so(each.conditions)]


def _names(found: list[tuple[str, Conditions]]) -> list[str]:
    return list(dict.fromkeys(key.partition(" [")[0] for key, _ in found))
