"""The audit of a plan: every contestant runs once before the timed rounds, with its native calls counted from outside.

Its counters are read while it waits: before `go`, and after its last line. In between it runs nothing but its loops.
Then it does some of its work for a real peer, where the experiment has one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ffibench.audit.deliveries import delivered
from ffibench.audit.teams import audit_team
from ffibench.errors import FfibenchError
from ffibench.harness.rounds import endpoints
from ffibench.host.machine import worker_cpu
from ffibench.interrupts import postponed
from ffibench.model import BASELINE, Audit, Case, Experiment, Plan, PlannedWorker
from ffibench.model.plan import point_label


def audit_plan(plan: Plan, experiment: Experiment, *, observe: Callable[[int], None]) -> tuple[Audit, ...]:
    """Audit every contestant of a plan in every case that it can run, in the order of the plan.

    `observe` is called with the number of audited contestants. Raises FfibenchError where it cannot start, and where
    the experiment does not accept the calls of the baseline itself.
    """
    cases = _cases(experiment, plan)
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
            found = audit_team(team, plan, experiment, address, cpu)
            audits += [delivered(each, team, plan, cases, address, cpu) for each in found]
            _check_baseline(team, audits, experiment)
    return tuple(audits)


def _cases(experiment: Experiment, plan: Plan) -> dict[str, Case]:
    """Return the experiment's own cases by the names of the plan's: they have the delivery, which a plan does not keep.

    Those of a point are made once: to make each anew would take a second where there are eighty.
    """
    found: dict[str, dict[str, Case]] = {}
    own: dict[str, Case] = {}
    for planned in plan.cases:
        label = point_label(planned.point)
        if label not in found:
            made = experiment.cases({**plan.parameters, **planned.point})
            found[label] = {case.key or case.name: case for case in made}
        own[planned.name] = found[label][planned.worker_name]
    return own


def _check_baseline(team: Sequence[PlannedWorker], audits: Sequence[Audit], experiment: Experiment) -> None:
    own = "correct it or the experiment, or leave the audit out with --no-audit"
    generated = "measure another call: this one is not made once in C, as `ffibench audit` with the same words shows"
    keys = {worker.key for worker in team if worker.contestant.name == BASELINE and not worker.supporting}
    for audit in audits:
        if audit.key in keys and audit.verdict == "invalid":
            raise FfibenchError(
                f"the baseline {BASELINE} is not what the experiment accepts: it {audit.reason}",
                fix=generated if experiment.calls else own,
            )
