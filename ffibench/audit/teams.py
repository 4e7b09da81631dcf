"""The native calls of the processes of one team, counted from outside while they run as they would be timed.

The command line is that of a timed process. Where a worker reads its clocks through libc, as those of C, Python and
Perl do, the counts are cut at these readings, so that each slice is judged by itself: all work in the warm-up is as
wrong as too little of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from msgspec.structs import replace

from ffibench.audit.counting import counting
from ffibench.audit.loops import CountedLoops, of_case, watch
from ffibench.audit.program import program_of
from ffibench.audit.slices import Part
from ffibench.audit.support import linked_statically, unsupported
from ffibench.builds.library import library_identity
from ffibench.harness.cases import asked, in_drawn_order
from ffibench.harness.team import run_team
from ffibench.model import (
    Audit,
    AuditVerdict,
    CountedSlice,
    Experiment,
    Plan,
    PlannedCase,
    PlannedWorker,
    WorkerRecord,
)
from ffibench.proof.audits import judged
from ffibench.proof.calls import wrong_callers, wrong_file

NOT_AUDITABLE: AuditVerdict = "not auditable"


def audit_team(
    team: Sequence[PlannedWorker], plan: Plan, experiment: Experiment, address: str | None, cpu: int | None
) -> list[Audit]:
    """Audit the workers of a team in all their cases, in the order of the plan.

    Where one of them has several and does not read its clocks through libc, each case has a process of its own.
    """
    keys = [worker.key for worker in team]
    places = {case.name: place for place, case in enumerate(plan.cases)}
    mixed, drawn = in_drawn_order(team, plan, team[0].key, "counted")
    found = _audited(mixed, drawn, experiment, address, cpu)
    if found is not None:
        return sorted(found, key=lambda audit: (keys.index(audit.key), places[audit.case]))
    audits: list[Audit] = []
    own = [plan.cases_of(worker) for worker in team]
    for group in zip(*own, strict=True):  # the first of each worker, the second of each, and so on
        single = replace(plan, cases=group)
        audits += _audited([asked(worker, single) for worker in team], single, experiment, address, cpu) or ()
    return audits


def unaudited(team: Sequence[PlannedWorker], plan: Plan, reason: str) -> list[Audit]:
    """Return the audits of a team of which nothing could be counted."""
    workers = (worker for worker in team if not worker.supporting)
    return [audit for worker in workers for audit in _unseen(worker, plan, None, (NOT_AUDITABLE, reason))]


def _audited(
    team: Sequence[PlannedWorker], plan: Plan, experiment: Experiment, address: str | None, cpu: int | None
) -> list[Audit] | None:
    """Audit a team; None where a worker has several cases and its counts cannot be split between them."""
    verdicts = [_verdict_before(worker) for worker in team]
    loops: list[CountedLoops | None] = []
    with ExitStack() as counters:
        for worker, verdict in zip(team, verdicts, strict=True):
            wanted = watch(plan, worker, experiment.functions)
            watched = verdict is None and not worker.supporting
            counts = counters.enter_context(counting(wanted, private=True)) if watched else None
            loops.append(None if counts is None else CountedLoops(counts, wanted.exports))
        records: Sequence[WorkerRecord | None] = [None] * len(team)
        if any(loops):
            records = run_team(team, plan, endpoint=address, cpu=cpu, observers=loops)
        found: list[Audit] = []
        for worker, verdict, seen, record in zip(team, verdicts, loops, records, strict=True):
            if worker.supporting:
                continue
            audits = _unseen(worker, plan, record, verdict) if seen is None else _judged(worker, plan, seen, record)
            if audits is None:
                return None
            found += audits
    return found


def _verdict_before(worker: PlannedWorker) -> tuple[AuditVerdict, str] | None:
    """Return the verdict on a worker whose calls cannot be counted, with its reason; None where they can."""
    program = program_of(worker.command)
    if worker.contestant.static:
        return NOT_AUDITABLE, "it is linked statically"
    if not worker.contestant.native:
        return NOT_AUDITABLE, "it makes no native calls"
    if linked_statically(program):
        reason = "is linked statically, so that its calls cannot be counted, and does not say so"
        return "invalid", f"{reason}; `ffibench: static` in its file does"
    hindered = unsupported(program)
    return None if hindered is None else (NOT_AUDITABLE, str(hindered))


def _audits(worker: PlannedWorker, plan: Plan, record: WorkerRecord | None) -> list[tuple[PlannedCase, Audit]]:
    """Return the cases that a worker ran with their audits, which are not judged yet."""
    cannot = {} if record is None else record.unsupported
    return [
        (case, Audit(key=worker.key, case=case.name, operations=_operations(case, plan, worker), verdict="not judged"))
        for case in plan.cases_of(worker)
        if case.name not in cannot
    ]


def _operations(case: PlannedCase, plan: Plan, worker: PlannedWorker) -> int:
    return plan.cold + case.iterations * (plan.warmup_of(worker) + plan.slices)


def _unseen(
    worker: PlannedWorker, plan: Plan, record: WorkerRecord | None, verdict: tuple[AuditVerdict, str] | None
) -> list[Audit]:
    """Return the audits of a worker whose calls were not counted; a failure comes before that."""
    if record is not None and record.failure is not None:
        verdict = "invalid", f"{record.failure}, while its team was audited"
    assert verdict is not None
    return [replace(audit, verdict=verdict[0], reason=verdict[1]) for _, audit in _audits(worker, plan, record)]


def _judged(worker: PlannedWorker, plan: Plan, seen: CountedLoops, record: WorkerRecord | None) -> list[Audit] | None:
    """Judge what was counted, case by case; None where they cannot be split between several cases."""
    assert record is not None
    audits = _audits(worker, plan, record)
    if record.failure is not None:
        reason = f"{record.failure}, while it was audited"
        return [replace(audit, verdict="invalid", reason=reason) for _, audit in audits]
    files, functions = seen.counted()
    parts = seen.parts(len(record.slices))
    if not parts and len(audits) > 1:
        return None
    elsewhere = _elsewhere(worker, plan, files)
    found = []
    for case, audit in audits:
        own = [] if isinstance(parts, str) else _of(case, record, parts)
        counted = replace(
            audit,
            functions=of_case(part for _, part in own) if len(audits) > 1 else functions,
            slices=tuple(each for each, _ in own),
            cpu_ns=_timed_cpu_ns(case, record),
        )
        verdict = judged(worker, case, counted)
        wrong = wrong_file(case, plan.cases, elsewhere) or verdict.reason or wrong_callers(worker, case, functions)
        if wrong is None and case.accepts and isinstance(parts, str):
            wrong = parts
        found.append(verdict if wrong is None else replace(counted, verdict="invalid", reason=wrong))
    return found


def _timed_cpu_ns(case: PlannedCase, record: WorkerRecord) -> int | None:
    times = [each.cpu_ns for each in record.slices if each.case == case.name and each.kind == "timed"]
    return round(median(times)) if times else None


def _of(case: PlannedCase, record: WorkerRecord, parts: Sequence[Part]) -> list[tuple[CountedSlice, Part]]:
    """Return the slices of a case with their counts; those of a worker are in the order in which it printed them."""
    return [
        (CountedSlice(kind=one.kind, slice=one.slice, functions=part.loop), part)
        for one, part in zip(record.slices, parts, strict=False)
        if one.case == case.name
    ]


def _elsewhere(worker: PlannedWorker, plan: Plan, files: Mapping[str, Sequence[str]]) -> Mapping[str, str]:
    """Return the file of each function that was called in one that is not the run's library.

    A library that a contestant brings is allowed.
    """
    found: dict[str, str] = {}
    for path, functions in files.items() if not worker.contestant.own_library else ():
        try:
            same = library_identity(Path(path)).sha256 == plan.library.sha256
        except OSError:
            same = False
        if not same:
            found.update(dict.fromkeys(functions, path))
    return found
