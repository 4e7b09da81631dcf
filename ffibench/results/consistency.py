"""Whether a run file that has the right types also makes sense: what a comparison takes for granted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from ffibench.model import BASELINE, NUMBER_MAX, Run

SECONDS_MAX = 1e10
"""Three hundred years. Sums and products of larger numbers need not be finite."""
PRECISION_MAX = 1e6


def contradictions(run: Run) -> Iterator[str]:
    """Yield what cannot be in a run, each with its place, in the words of msgspec's own errors."""
    yield from _numbers(msgspec.to_builtins(run), "$")
    yield from _plan(run)
    for number, audit in enumerate(run.audits):
        if not 0 < audit.operations <= NUMBER_MAX:
            yield f"An audit of {audit.operations} operations - at `$.audits[{number}].operations`"
    for number, each in enumerate(run.rounds):
        yield from _seconds({"seconds": each.seconds}, f"$.rounds[{number}]")
        yield from _seconds({"suspended_s": each.host.suspended_s}, f"$.rounds[{number}].host")
        for position, record in enumerate(each.records):
            place = f"$.rounds[{number}].records[{position}]"
            if record.usage is not None:
                times = {
                    "real_s": record.usage.real_s,
                    "user_s": record.usage.user_s,
                    "system_s": record.usage.system_s,
                }
                yield from _seconds(times, f"{place}.usage")
            if record.failure is None and record.usage is None:
                yield f"A record with no usage and no failure - at `{place}`"
            for index, one in enumerate(record.slices):
                if not 0 < one.wall_ns <= NUMBER_MAX:
                    yield f"A slice of {one.wall_ns} ns - at `{place}.slices[{index}].wall_ns`"


def _numbers(value: object, place: str) -> Iterator[str]:
    """Yield the whole numbers, anywhere in a document, that no counter can reach and no float can hold."""
    if isinstance(value, int) and abs(value) > NUMBER_MAX:
        yield f"A number of {len(str(abs(value)))} digits - at `{place}`"
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from _numbers(item, f"{place}.{name}")
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for index, item in enumerate(value):
            yield from _numbers(item, f"{place}[{index}]")


def _plan(run: Run) -> Iterator[str]:
    workers = run.plan.workers
    limits = {"seconds_max": run.plan.seconds_max, "worker_seconds_max": run.plan.worker_seconds_max}
    yield from _seconds(limits, "$.plan")
    if not 0 <= run.plan.precision <= PRECISION_MAX:
        yield f"A precision of {run.plan.precision:g} - at `$.plan.precision`"
    if not any(worker.contestant.name == BASELINE for worker in workers):
        yield f"There is no baseline {BASELINE} - at `$.plan.workers`"
    keys = [worker.key for worker in workers]
    for key in keys:
        if keys.count(key) > 1:
            yield f"There is {key} twice - at `$.plan.workers`"
    for index, case in enumerate(run.plan.cases):
        rows = run.plan.rows_of(case)
        if rows and not any(worker.contestant.name == BASELINE for worker in rows):
            yield f"A case without the baseline {BASELINE} - at `$.plan.cases[{index}]`"
        if not 0 < case.iterations <= NUMBER_MAX:
            yield f"A case of {case.iterations} iterations - at `$.plan.cases[{index}].iterations`"


def _seconds(times: Mapping[str, float | None], place: str) -> Iterator[str]:
    for name, seconds in times.items():
        if seconds is not None and not 0 <= seconds <= SECONDS_MAX:
            yield f"A time of {seconds:g} s - at `{place}.{name}`"
