"""What `ffibench run` does: prepare, plan, count native calls, measure round after round, keep what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from ffibench.harness.rounds import Count
from ffibench.harness.run import execute
from ffibench.interrupts import postponed
from ffibench.model import Audit, BindingParts, Comparison, HostSample, Plan, Run, UsedFile
from ffibench.plan.make import make_plan, plan_work
from ffibench.plan.options import ContestantOptions
from ffibench.report.tables import check_grid
from ffibench.results.compare import compare, with_warnings
from ffibench.results.gate import check_gates
from ffibench.results.store import kept_path, save
from ffibench.results.verify import verified
from ffibench.workflow.audit import count_again, count_calls
from ffibench.workflow.costs import binding_parts
from ffibench.workflow.machine import require_proc
from ffibench.workflow.options import RunOptions
from ffibench.workflow.prepare import prepare
from ffibench.workflow.quiet import sample_of_quiet_host
from ffibench.workflow.result import Result
from ffibench.workflow.steps import CheckingHost, Measuring, NotKept, Observer, RoundDone, unobserved
from ffibench.workflow.used_files import looked_at_again, used_files, worth_keeping


def run(experiment: str, options: RunOptions | None = None, *, observe: Observer = unobserved) -> Result:
    """Measure an experiment, a name that `ffibench list` shows or the path of a folder, and return what was found.

    The run is kept in a file after every round. Ctrl-C ends it with the finished rounds, and so it returns too.

    Raises FfibenchError where it cannot begin: a mistake in the options, a baseline that does not build or does not
    do what the experiment expects, a gate that does not fit, a noisy host where `require_quiet` is set.
    """
    require_proc()
    options = options or RunOptions()
    prepared = prepare(
        experiment,
        _to_prepare(options),
        players=tuple(options.roles.values()),
        check=lambda folder: plan_work(folder, options),
        observe=observe,
    )
    plan = make_plan(prepared.folder, prepared.chosen, prepared.unavailable, prepared.library, options)
    check_gates(plan, options.gates)
    check_grid(plan, options.grid)
    before = None
    if options.require_quiet:
        observe(CheckingHost())
        before = sample_of_quiet_host(plan)
    files = used_files(plan)
    bindings = binding_parts(prepared, plan, options.kinds) if options.costs else ()
    if not plan.audited:
        return _execute(plan, (), None, before, files, bindings, observe)
    measured = prepared.folder.experiment
    audits = count_calls(plan, measured, observe=observe)
    return _execute(plan, audits, partial(count_again, plan, measured), before, files, bindings, observe)


def _to_prepare(options: RunOptions) -> ContestantOptions:
    """Those that have rows, and those that play a role for all of them."""
    contestants = options.contestants and (*options.contestants, *options.roles.values())
    swept = {} if options.sweep is None else {options.sweep[0]: options.sweep[1].partition(",")[0]}
    return ContestantOptions(
        contestants=contestants,
        pythons=options.pythons,
        programs=options.programs,
        library=options.library,
        kinds=options.kinds,
        calls=options.calls,
        parameters={**options.parameters, **swept},
    )


def _execute(
    plan: Plan,
    audits: Sequence[Audit],
    count: Count | None,
    before: HostSample | None,
    files: Sequence[UsedFile],
    bindings: Sequence[BindingParts],
    observe: Observer,
) -> Result:
    """Run the rounds; what is kept after each is a whole run file, with its summary.

    After the last one, of an interrupted run too, the `files` are looked at again: who used one that changed meanwhile
    has no valid row.
    """
    unsaved: list[OSError] = []
    kept: list[Path] = []  # where it is kept does not change, nor is it looked for again, once rounds are done

    def keep(run: Run, comparison: Comparison) -> None:
        unsaved.clear()
        if not kept:
            kept.append(kept_path(run))
        try:
            save(_with(run, files, bindings), with_warnings(run, comparison), kept[0])
        except OSError as error:  # a full disk must not end a run that goes well
            unsaved.append(error)

    observe(Measuring(title=f"{plan.experiment}: {plan.title}", rounds_max=plan.rounds_max))
    run, comparison = execute(
        plan,
        audits=audits,
        before=before,
        count=count,
        compare=compare,
        keep=keep,
        observe=lambda progress: observe(RoundDone(progress=progress)),
    )
    with postponed():
        files = looked_at_again(files)
        run = _with(run, files, bindings)
        if any(file.changed for file in files):
            run = verified(run)
            comparison = compare(run)
        keep(run, comparison)
    for error in unsaved:
        observe(NotKept(reason=error.strerror or str(error)))
    return Result(run=run, comparison=with_warnings(run, comparison), file=None if unsaved else kept[0])


def _with(run: Run, files: Sequence[UsedFile], bindings: Sequence[BindingParts]) -> Run:
    return replace(run, files=worth_keeping(files), bindings=tuple(bindings))
