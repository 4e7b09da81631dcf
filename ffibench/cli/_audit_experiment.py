"""What `ffibench audit EXPERIMENT` does, and `ffibench run` before its rounds: every contestant counted once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console

from ffibench.audit.contestants import audit_plan
from ffibench.cli._prepare import prepare
from ffibench.model import Audit, Experiment, Plan
from ffibench.plan.make import RunOptions, make_plan, work_of
from ffibench.report.audit_table import audit_tables
from ffibench.report.terminal.console import console
from ffibench.report.terminal.table import drawn_tables


def audit_experiment(
    experiment: str,
    *,
    patterns: Sequence[str],
    pythons: Sequence[str],
    library: str | None,
    kinds: Mapping[str, str],
    parameters: Mapping[str, str],
    report_to_errors: bool,
) -> tuple[tuple[Audit, ...], int]:
    """Count, print the table, and return the audits with the exit status: 1 where one is invalid or unavailable.

    Raises FfibenchError for a mistake of the user, and where the baseline is not what the experiment accepts.
    """
    errors = console(stderr=True)
    options = RunOptions(parameters=parameters)
    ready = prepare(
        errors,
        experiment,
        patterns=patterns,
        pythons=pythons,
        library=library,
        kinds=kinds,
        check=lambda folder: work_of(folder, options),
    )
    for failure in ready.failures:
        errors.print(f"Warning: {failure}", soft_wrap=True)
    plan = make_plan(ready.folder, ready.chosen, ready.unavailable, ready.library, options)
    audits = audited(errors, plan, ready.folder.experiment)
    console(stderr=report_to_errors).print(drawn_tables(audit_tables(plan, audits)))
    return audits, int(bool(plan.unavailable) or any(audit.verdict == "invalid" for audit in audits))


def audited(errors: Console, plan: Plan, experiment: Experiment) -> tuple[Audit, ...]:
    """Count the native calls of every contestant, with progress. Raises FfibenchError as `audit_plan` does."""
    contestants = len(plan.workers)
    with errors.status("Counting native calls", refresh_per_second=4) as status:
        return audit_plan(
            plan,
            experiment,
            observe=lambda done: status.update(f"Counting native calls: {done} of {contestants} contestants"),
        )
