"""What `ffibench run` does: prepare, plan, measure with a progress line, show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from rich.console import Console

from ffibench.errors import FfibenchError
from ffibench.harness.run import Progress, execute
from ffibench.host.machine import describe_host, worker_cpu
from ffibench.host.sampler import look
from ffibench.interrupts import INTERRUPTS
from ffibench.model import Audit, HostSample, Plan, Run, RunWarning
from ffibench.noise.warnings import gravest_noise, sample_warnings
from ffibench.plan.make import RunOptions, make_plan, work_of
from ffibench.report.table import one_line
from ffibench.report.terminal.console import console
from ffibench.results.compare import compare
from ffibench.results.gate import check_gates, require_gates
from ffibench.results.store import kept_path, save
from ffibench.units import format_seconds
from ffibench.workflow.audit import audited
from ffibench.workflow.prepare import prepare
from ffibench.workflow.report import Showing, show

NOISY = 3  # the exit status of a run that was to be quiet and was not


def measure(experiment: str, given: Mapping[str, Any], showing: Showing) -> int:
    """Carry out a run and return the exit status: 0, 1 where a row is not valid, 130 after Ctrl-C.

    `given` are those of the command. Raises FfibenchError where it cannot begin, and where a gate failed or it was
    to be quiet and was not: then after all is shown.
    """
    errors = console(stderr=True)
    options = RunOptions(
        mode=given["mode"] or "default",
        iterations=given["iterations"],
        rounds=given["rounds"],
        slices=given["slices"],
        warmup=given["warmup"],
        precision=given["precision"],
        seed=given["seed"],
        parameters=dict(given["parameters"]),
        sweep=given["sweep"],
        vary=given["vary"],
        assigned=given["assigned"],
        patterns=given["contestants"],
        worker_seconds_max=given["timeout"],
        audited=not given["no_audit"],
        verbose=showing.verbose,
    )
    ready = prepare(
        errors,
        experiment,
        patterns=_patterns(given),
        pythons=given["pythons"],
        library=given["library"],
        kinds=dict(given["kinds"]),
        check=lambda folder: work_of(folder, options),
    )
    for failure in ready.failures:
        errors.print(f"Warning: {failure}", soft_wrap=True)
    plan = make_plan(ready.folder, ready.chosen, ready.unavailable, ready.library, options)
    check_gates(plan, showing.gates)
    before = _quiet_host(errors, plan) if given["require_quiet"] else None
    audits = audited(errors, plan, ready.folder.experiment) if plan.audited else ()
    run = _execute(errors, plan, audits, before)
    judgements = show(run, compare(run), showing)
    _repeat_what_was_said(errors, run)
    if errors.is_terminal:
        errors.print(f"`ffibench show {kept_path(run)}` prints this again.", style="dim", soft_wrap=True)
    status = _status(run)
    require_gates(judgements, status or 1)
    if given["require_quiet"]:
        _require_quiet(run.warnings, status or NOISY)
    return status


def _patterns(given: Mapping[str, Any]) -> list[str]:
    """Whom to build: those that the user means, and who plays a role for all of them."""
    contestants, assigned = list(given["contestants"]), list(given["assigned"].values())
    return [*contestants, *assigned] if contestants else []


def _repeat_what_was_said(errors: Console, run: Run) -> None:
    """Print what workers that were asked to say more wrote to standard error, the same of one worker once."""
    names = {worker.key: f"{worker.contestant.name}, {worker.role}" for worker in run.plan.workers}
    records = (record for each in run.rounds for record in each.records)
    lines = ((names[record.key], one_line(line)) for record in records for line in record.said.splitlines())
    for name, line in dict.fromkeys(lines):
        errors.print(f"{name}: {line}", soft_wrap=True, markup=False, highlight=False)


def _quiet_host(errors: Console, plan: Plan) -> HostSample:
    """Look at the host while nothing of ours runs. Raises FfibenchError where it is noisy already."""
    with errors.status("Looking whether the host is quiet"):
        host = describe_host(worker_cpu() if plan.pinned else None)
        sample = look(host.siblings)
    _require_quiet(tuple(sample_warnings(sample, host, "before the first round")), NOISY)
    return sample


def _require_quiet(warnings: Sequence[RunWarning], status: int) -> None:
    """Raise FfibenchError with the gravest noise among the warnings."""
    warning = gravest_noise(warnings)
    if warning is not None:
        text = f"{warning.text[0].lower()}{warning.text[1:].rstrip('.')}"
        fix = f"{warning.fix[0].lower()}{warning.fix[1:].rstrip('.')}"
        raise FfibenchError(f"the host is not quiet, as --require-quiet asks: {text}", fix=fix, status=status)


def _execute(errors: Console, plan: Plan, audits: Sequence[Audit], before: HostSample | None) -> Run:
    """Run the rounds; what is kept after each is a whole run file, with its summary."""
    unsaved: list[OSError] = []
    kept: list[Path] = []  # where it is kept does not change, nor is it looked for again, once rounds are done

    def summarised(run: Run) -> Run:
        comparison = compare(run)
        return replace(run, summary=comparison.rows, warnings=comparison.warnings)

    def keep(run: Run) -> None:
        unsaved.clear()
        if not kept:
            kept.append(kept_path(run))
        try:
            save(summarised(run), kept[0])
        except OSError as error:  # a full disk must not end a run that goes well
            unsaved.append(error)

    # Four times a second: whatever the harness does while a worker runs, it does on the worker's machine.
    with errors.status(f"Round 1 of at most {plan.rounds_max}", refresh_per_second=4) as status:
        run = execute(
            plan, audits=audits, before=before, keep=keep, observe=lambda done: status.update(progress_line(done))
        )
    if unsaved:
        errors.print(f"Warning: the run is not kept: {unsaved[0].strerror}; --json FILE writes it where you say.")
    return summarised(run)


def progress_line(progress: Progress) -> str:
    """The progress line: round, rows still too wide, time left."""
    wide = f"{progress.wide} of {progress.rows} rows still too wide" if progress.wide else "all rows narrow enough"
    left = f"at most {format_seconds(progress.seconds_left)} left"
    return f"Round {progress.rounds} of at most {progress.rounds_max}: {wide}, {left}"


def _status(run: Run) -> int:
    if run.ending == "interrupted":
        return INTERRUPTS.status
    records = [record for each in run.rounds for record in each.records]
    failed = any(record.failure is not None for record in records)
    return 1 if run.plan.unavailable or failed or any(audit.verdict == "invalid" for audit in run.audits) else 0
