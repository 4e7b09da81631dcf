"""What `ffibench audit EXPERIMENT` does, and `ffibench run` before its rounds: each contestant's calls are counted."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ffibench.audit.contestants import audit_plan
from ffibench.audit.teams import audit_team, unaudited
from ffibench.errors import FfibenchError
from ffibench.harness.rounds import removed_file
from ffibench.model import Audit, Experiment, Plan, PlannedWorker
from ffibench.plan.make import make_plan, plan_work
from ffibench.plan.options import PlanOptions
from ffibench.workflow.machine import require_proc
from ffibench.workflow.prepare import prepare
from ffibench.workflow.steps import Counting, Observer, unobserved


class ExperimentAudit(Struct, frozen=True, kw_only=True):
    """The native calls of each contestant of an experiment."""

    plan: Plan
    audits: tuple[Audit, ...]
    """One for each contestant and case."""

    @property
    def valid(self) -> bool:
        """Whether every contestant that was meant took part and did the calls that the experiment accepts."""
        return not self.plan.unavailable and all(audit.verdict != "invalid" for audit in self.audits)


def audit_experiment(
    experiment: str, options: PlanOptions | None = None, *, observe: Observer = unobserved
) -> ExperimentAudit:
    """Count the native calls of every contestant of an experiment.

    Raises FfibenchError for a mistake of the user, and where the baseline is not what the experiment accepts.
    """
    require_proc()
    options = options or PlanOptions()
    prepared = prepare(experiment, options, check=lambda folder: plan_work(folder, options), observe=observe)
    plan = make_plan(prepared.folder, prepared.chosen, prepared.unavailable, prepared.library, options)
    return ExperimentAudit(plan=plan, audits=count_calls(plan, prepared.folder.experiment, observe=observe))


def count_calls(plan: Plan, experiment: Experiment, *, observe: Observer) -> tuple[Audit, ...]:
    """Count the native calls of the contestants of a plan. Raises FfibenchError as `audit_plan` does."""
    contestants = len(plan.workers)
    observe(Counting(done=0, contestants=contestants))
    try:
        return audit_plan(plan, experiment, observe=lambda done: observe(Counting(done=done, contestants=contestants)))
    except FfibenchError:  # the baseline is at fault, or what it was started from is gone
        removed = removed_file(plan)
        if removed is None:
            raise
        raise FfibenchError(f"{removed} was removed meanwhile", fix="run it again: what is missing is built") from None


def count_again(
    plan: Plan, experiment: Experiment, team: Sequence[PlannedWorker], address: str | None, cpu: int | None
) -> list[Audit]:
    """Count the native calls of a team among the rounds, where it cannot expect it.

    A machine that can count no longer, as on a full disk, does not end a run that goes well: the audits say so.
    """
    try:
        return audit_team(team, plan, experiment, address, cpu)
    except FfibenchError as error:
        return unaudited(team, plan, str(error))
