"""The audit of a plan: every contestant runs once before the timed rounds, with its native calls counted from outside.

It has the arguments of a timed worker, but one slice, so that it cannot know that it is audited.
The counters are read while it waits: before `go`, and after its last line. In between it runs nothing but its loops.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from ffibench.audit.counting import Counting, FunctionCount, Snapshot, Sum, Watch, counting
from ffibench.audit.deliveries import delivered, with_arguments
from ffibench.audit.program import program_of
from ffibench.audit.support import linked_statically, unsupported
from ffibench.builds.library import library_identity
from ffibench.errors import FfibenchError
from ffibench.harness.rounds import endpoints
from ffibench.harness.team import run_team
from ffibench.host.machine import worker_cpu
from ffibench.host.maps import library_stem
from ffibench.interrupts import postponed
from ffibench.model import (
    BASELINE,
    Audit,
    AuditVerdict,
    CalledFunction,
    Case,
    Experiment,
    Plan,
    PlannedCase,
    PlannedWorker,
)
from ffibench.proof.calls import wrong_calls


def audit_plan(plan: Plan, experiment: Experiment, *, observe: Callable[[int], None]) -> tuple[Audit, ...]:
    """Audit every contestant of a plan in every case that it can run, in the order of the plan.

    `observe` is called with the number of audited contestants. Raises FfibenchError where it cannot start, and where
    the experiment does not accept the calls of the baseline itself.
    """
    cases = {planned.name: _case(experiment, plan, planned) for planned in plan.cases}
    for case in cases.values():
        if case.delivery is not None and plan.transport is None and len(experiment.roles) == 1:
            raise FfibenchError(
                f"the case {case.name} of {plan.experiment} has a delivery and no endpoint to deliver to",
                fix="give its Experiment transport='ipc'",
            )
    cpu = worker_cpu() if plan.pinned else None
    audits: list[Audit] = []
    with postponed(), endpoints(plan) as addresses:  # interrupts are delivered in a wait and leave nothing behind
        by_key = dict(zip((worker.key for worker in plan.workers), addresses, strict=True))
        for done, team in enumerate(plan.teams()):
            observe(done)
            address = by_key[team[0].key]
            for group in _groups(team, plan):
                found = _audit(team, replace(plan, cases=group, slices=1), address, cpu)
                audits += [delivered(each, team, plan, cases, address, cpu) for each in found]
            _check_baseline(team, audits)
    return tuple(audits)


def _case(experiment: Experiment, plan: Plan, planned: PlannedCase) -> Case:
    """Return the experiment's own case, which has the delivery that a plan does not keep."""
    found = experiment.cases({**plan.parameters, **planned.point})
    return next(case for case in found if case.name == planned.worker_name)


def _groups(team: Sequence[PlannedWorker], plan: Plan) -> list[tuple[PlannedCase, ...]]:
    """Return the cases that run together: the first of each role, the second of each role, and so on."""
    own = [[case for case in plan.cases if worker.runs(case) and case.name not in worker.cannot] for worker in team]
    return list(zip(*own, strict=True))


def _check_baseline(team: Sequence[PlannedWorker], audits: Sequence[Audit]) -> None:
    keys = {worker.key for worker in team if worker.contestant.name == BASELINE and not worker.supporting}
    for audit in audits:
        if audit.key in keys and audit.verdict == "invalid":
            raise FfibenchError(
                f"the baseline {BASELINE} is not what the experiment accepts: it {audit.reason}",
                fix="correct it or the experiment, or leave the audit out with --no-audit",
            )


def _audit(team: Sequence[PlannedWorker], plan: Plan, address: str | None, cpu: int | None) -> list[Audit]:
    """Audit the workers of a team in the cases of a reduced plan. A worker that cannot run its case has no audit."""
    audits: list[Audit] = []
    loops: list[_Loops | None] = []
    with ExitStack() as counters:
        for worker, planned in zip(team, plan.cases, strict=True):
            audit = _unfinished(worker, plan, planned)
            watched = not worker.supporting and audit.verdict != "invalid" and audit.reason is None
            loops.append(_Loops(counters.enter_context(counting(_watch(plan, planned)))) if watched else None)
            audits.append(audit)
        if not any(loops):
            return [audit for worker, audit in zip(team, audits, strict=True) if not worker.supporting]
        narrowed = [with_arguments(worker, plan) for worker in team]
        records = run_team(narrowed, plan, endpoint=address, cpu=cpu, observers=loops)
    found: list[Audit] = []
    for worker, planned, audit, seen, record in zip(team, plan.cases, audits, loops, records, strict=True):
        if worker.supporting or record.unsupported:
            continue
        if record.failure is not None:
            found.append(replace(audit, verdict="invalid", reason=f"{record.failure}, while it was audited"))
        elif seen is None:
            found.append(audit)
        else:
            files, functions = seen.counted()
            wrong = _wrong_file(worker, plan, files) or wrong_calls(planned, functions, audit.operations)
            verdict: AuditVerdict = "accepted" if planned.accepts else "not judged"
            found.append(replace(audit, functions=functions, verdict="invalid" if wrong else verdict, reason=wrong))
    return found


def _unfinished(worker: PlannedWorker, plan: Plan, planned: PlannedCase) -> Audit:
    """Return the audit of a worker before it runs, with a reason where its calls cannot be counted."""
    operations = planned.iterations * (plan.warmup + plan.slices)
    audit = Audit(key=worker.key, case=planned.name, operations=operations, verdict="not auditable")
    program = program_of(worker.command)
    if linked_statically(program) and not worker.contestant.static:
        return replace(
            audit,
            verdict="invalid",
            reason="is linked statically, so that its calls cannot be counted, and does not say so; "
            "`ffibench: static` in its file does",
        )
    if worker.contestant.static:
        return replace(audit, reason="it is linked statically")
    hindered = unsupported(program)
    return replace(audit, reason=None if hindered is None else str(hindered))


def _watch(plan: Plan, case: PlannedCase) -> Watch:
    """Watch the library by its name, and any other object that defines one of the accepted functions."""
    sums = dict.fromkeys(way.length for way in case.accepts if way.length is not None)
    return Watch(
        patterns=(f"{library_stem(plan.library.path)}[.-]*",),
        exports=tuple(dict.fromkeys(name for way in case.accepts for name in way.calls)),
        sums=tuple(Sum(function=function, position=position) for function, position in sums),
    )


@dataclass
class _Loops:
    """Reads the counters around a worker's loops."""

    counts: Counting
    before: Snapshot | None = None
    after: Snapshot | None = None

    @property
    def environment(self) -> Mapping[str, str]:
        return self.counts.environment

    def ready(self, endpoint: str | None) -> None:
        self.before = self.counts.snapshot()

    def done(self) -> None:
        self.after = self.counts.snapshot()

    def counted(self) -> tuple[list[str], tuple[CalledFunction, ...]]:
        """Return the files that were called, and the calls of each function between both readings, over all files."""
        assert self.before is not None
        assert self.after is not None
        at_first = {(path, each.name): each for path, each in _counters(self.before)}
        files: dict[str, None] = {}
        calls, sums = Counter[str](), Counter[str]()
        for path, each in _counters(self.after):
            first = at_first.get((path, each.name))
            grown = each.calls - (first.calls if first else 0)
            if grown:
                files[path] = None
                calls[each.name] += grown
                if each.sum is not None:
                    sums[each.name] += each.sum - ((first.sum or 0) if first else 0)
        return list(files), tuple(
            CalledFunction(name=name, calls=count, bytes=sums.get(name)) for name, count in calls.most_common()
        )


def _counters(snapshot: Snapshot) -> Iterator[tuple[str, FunctionCount]]:
    return ((library.path, each) for library in snapshot.libraries for each in library.functions)


def _wrong_file(worker: PlannedWorker, plan: Plan, files: Sequence[str]) -> str | None:
    """Return an error for a called file that is not the run's library. One that a contestant brings is allowed."""
    if worker.contestant.own_library:
        return None
    for path in files:
        try:
            same = library_identity(Path(path)).sha256 == plan.library.sha256
        except OSError:
            same = False
        if not same:
            return f"called another file than the library under test: {path}"
    return None
