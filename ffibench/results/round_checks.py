"""Whether rounds are those of the plan: each once, with one process of each worker and its slices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from ffibench.model import BASELINE, NUMBER_MAX, Plan, PlannedWorker, Round, Run, Slice, SliceKind, WorkerRecord
from ffibench.proof.quoting import named
from ffibench.proof.slices import drawn_cases, expected

Step = tuple[str, SliceKind, int]
"""Case, kind and number of a slice."""


def round_contradictions(run: Run) -> Iterator[str]:
    """Yield what cannot be in the rounds of a run, each with its place."""
    if len(run.rounds) > run.plan.rounds_max:
        yield f"{len(run.rounds)} rounds in a plan of at most {run.plan.rounds_max} - at `$.rounds`"
    audited = {audit.key for audit in run.audits}
    sound = {audit.key for audit in run.audits if audit.verdict != "invalid"}
    teams = run.plan.teams()
    gone = _members(teams, audited - sound)
    for index, each in enumerate(run.rounds):
        place = f"$.rounds[{index}]"
        if each.number != index + 1:
            yield f"Round {each.number} in place of round {index + 1} - at `{place}.number`"
        yield from _records(run.plan, each, place)
        yield from _missing(teams, run.plan.repeated, each, gone, place)
        failed = {record.key for record in each.records if record.failure is not None}
        failed |= {audit.key for audit in each.audits if audit.verdict == "invalid"}
        if failed:
            gone |= _members(teams, failed)
    yield from _copies(run)
    yield from _ending(run)


def _copies(run: Run) -> Iterator[str]:
    """Yield the records that are those of another round: no two processes take the same nanoseconds everywhere."""
    seen: dict[tuple[object, ...], int] = {}
    for index, each in enumerate(run.rounds):
        for position, record in enumerate(each.records):
            if record.usage is not None and record.slices:
                times = (record.key, record.usage, *(one.wall_ns for one in record.slices))
                first = seen.setdefault(times, each.number)
                if first != each.number:
                    place = f"$.rounds[{index}].records[{position}]"
                    yield f"The record of {named(record.key)} in round {first} again - at `{place}`"


def _ending(run: Run) -> Iterator[str]:
    """Yield an end that its rounds do not have."""
    count, plan = len(run.rounds), run.plan
    if run.ending == "rounds" and count != plan.rounds_max:
        yield f"{count} rounds in a run that ended after the most of {plan.rounds_max} - at `$.rounds`"
    if run.ending == "precision" and count < plan.rounds_min:
        yield f"{count} rounds in a run that had to have {plan.rounds_min} - at `$.rounds`"
    records = run.rounds[-1].records if run.rounds else ()
    last = {record.key for record in records} - {record.key for record in records if record.failure is not None}
    if run.ending == "baseline failed" and all(plan.baseline_of(case).key in last for case in plan.compared()):
        yield "A baseline that failed and did not - at `$.ending`"


def _members(teams: Sequence[Sequence[PlannedWorker]], keys: set[str]) -> set[str]:
    """Return the keys of all that run together with one of these: where one fails the others run no more."""
    return {worker.key for team in teams if any(one.key in keys for one in team) for worker in team}


def _missing(
    teams: Sequence[Sequence[PlannedWorker]], repeated: Mapping[str, int], each: Round, gone: set[str], place: str
) -> Iterator[str]:
    """Yield the workers that have no record, though nothing kept them from running. The baseline's failure ends all."""
    found = Counter(record.key for record in each.records)
    failed = {record.key for record in each.records if record.failure is not None}
    workers = [worker for team in teams for worker in team]
    if any(worker.contestant.name == BASELINE and worker.key in failed for worker in workers):
        return
    for worker in workers:
        asked = repeated.get(worker.key, 1)
        if worker.key in gone or found[worker.key] >= asked:
            continue
        if not found[worker.key]:
            yield f"There is no record of {named(worker.key)} - at `{place}.records`"
        else:
            count, name = found[worker.key], named(worker.key)
            yield f"{count} record{'s'[: count != 1]} of {name}, and a round has {asked} - at `{place}.records`"


def _records(plan: Plan, each: Round, place: str) -> Iterator[str]:
    seen = Counter[str]()
    first = {worker.key: team[0].key for team in plan.teams() for worker in team}
    for position, record in enumerate(each.records):
        here = f"{place}.records[{position}]"
        seen[record.key] += 1
        most = plan.repeated.get(record.key, 1)
        if seen[record.key] > most:
            which = "second record" if most == 1 else f"record number {most + 1}"
            yield f"A {which} of {named(record.key)} - at `{here}`"
        worker = plan.by_key.get(record.key)
        if worker is None:
            yield f"A record of {named(record.key)}, which is not in the plan - at `{here}.key`"
            continue
        if record.usage is None and record.failure is None:
            yield f"A record with no usage and no failure - at `{here}`"
        if record.usage is not None and record.usage.real_s > each.seconds:
            yield f"A process of {record.usage.real_s:g} s in a round of {each.seconds:g} s - at `{here}.usage.real_s`"
        order = drawn_cases(plan, each.number, first.get(record.key, record.key), seen[record.key] - 1)
        yield from _slices(replace(plan, cases=order) if plan.shuffled else plan, worker, record, here)


def _slices(plan: Plan, worker: PlannedWorker, record: WorkerRecord, place: str) -> Iterator[str]:
    """Yield what of its slices cannot be: a process that failed has a part of them, in their order."""
    cases = [case.name for case in plan.cases_of(worker)]
    for name in record.unsupported:
        if name not in cases:
            yield f"A case {named(name)} that {named(worker.key)} does not run - at `{place}.unsupported`"
    steps = list(_steps(plan, worker, cases, record))
    for index, one in enumerate(record.slices):
        here = f"{place}.slices[{index}]"
        if index >= len(steps) or (one.case, one.kind, one.slice) != steps[index]:
            asked = _words(steps[index]) if index < len(steps) else "none"
            yield f"Slice {_words((one.case, one.kind, one.slice))}, where the plan has {asked} - at `{here}`"
            return
        yield from _times(one, here)
    if len(record.slices) < len(steps) and record.failure is None:
        yield f"There is no slice {_words(steps[len(record.slices)])} - at `{place}.slices`"


def _steps(plan: Plan, worker: PlannedWorker, cases: Sequence[str], record: WorkerRecord) -> Iterator[Step]:
    """Yield the slices that a record must have; a worker may say in the middle of a case that it cannot run it."""
    counts = dict.fromkeys(record.unsupported, 0)
    for one in record.slices if counts else ():
        if one.case in counts:
            counts[one.case] += 1
    kinds = list(expected(plan, worker))
    for name in cases:
        for kind, number in kinds[: counts.get(name)]:
            yield name, kind, number


def _times(one: Slice, place: str) -> Iterator[str]:
    if not 0 < one.wall_ns <= NUMBER_MAX:
        yield f"A slice of {_short(one.wall_ns)} ns - at `{place}.wall_ns`"
    if not 0 <= one.cpu_ns <= NUMBER_MAX:
        yield f"A slice of {_short(one.cpu_ns)} ns - at `{place}.cpu_ns`"
    for name, value in one.figures.items():
        if not 0 <= value <= NUMBER_MAX:
            yield f"A figure {named(name)} of {_short(value)} ns - at `{place}.figures`"


def _words(step: Step) -> str:
    case, kind, number = step
    return f"{number} of {named(case)}, {kind}"


def _short(number: int) -> str:
    """Give a number, or how many digits it has."""
    return str(number) if abs(number) <= NUMBER_MAX else f"a number of {len(str(abs(number)))} digits"
