"""What `ffibench explain EXPERIMENT` does: the time of an operation from its parts, beside what it really takes."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ffibench.catalog import Candidate, Folder
from ffibench.errors import FfibenchError
from ffibench.explain.operations import of_case, of_operation, unpriced
from ffibench.explain.prices import NoPriceError, PartRounds, added_up, crossing
from ffibench.explain.signatures import Signature
from ffibench.headers.reader import Header
from ffibench.model import BASELINE, CONTROL, Case, Explanation, Explanations, PlannedCase, Unexplained
from ffibench.plan.make import make_plan, plan_work
from ffibench.plan.options import PlanOptions
from ffibench.shims.shim import declarations
from ffibench.stats import measured
from ffibench.workflow.machine import require_proc
from ffibench.workflow.prepare import Prepared, find, prepare_folder
from ffibench.workflow.prices import (
    SLICES,
    MeasuredPrices,
    invalid,
    lock_of,
    measure_prices,
    require_one_interpreter,
    short,
)
from ffibench.workflow.steps import Observer, Searching, unobserved

OWN_FILE = "Its file calls the library in its own way, so that its calls are not known."


def explain(
    experiment: str,
    options: PlanOptions | None = None,
    *,
    observe: Observer = unobserved,
) -> Explanations:
    """Predict the time of each contestant in each case from the prices of its parts, and measure it in the same rounds.

    The contestants of the options are names or globs of generated bindings; all where there are none. Raises
    FfibenchError for a mistake of the user, for an experiment whose operations have no price, and where a baseline
    cannot be built or fails.
    """
    require_proc()
    options = options or PlanOptions()
    options = replace(options, slices=options.slices or SLICES)
    require_one_interpreter(options)
    observe(Searching())
    folder = find(experiment, options)
    _require_alone(folder)
    prepared = prepare_folder(folder, options, check=lambda each: plan_work(each, options), observe=observe)
    shims, others = _sorted(prepared, options)
    folder = short(prepared.folder)
    chosen = [each for each in prepared.chosen if each[0].contestant.name in {*shims, BASELINE, CONTROL}]
    plan = make_plan(folder, chosen, prepared.unavailable, prepared.library, options)
    header = declarations(folder.header, {**folder.experiment.kinds, **options.kinds})
    (point,) = plan_work(folder, options).points
    calls = {planned.name: _calls(folder, case, header) for case, planned in point.cases}
    found = measure_prices(
        [signature for signatures, _ in calls.values() for signature in signatures],
        header.all_structs,
        shims,
        options,
        beside=[(plan, prepared)],
        title=f"{plan.experiment}: {plan.title}",
        observe=observe,
    )
    (run,) = found.beside  # its plan is not quite the one above: see `by_processor_time_beside_c`
    told = [_told(name, case, found, *calls[case.name]) for case in run.plan.compared() for name in shims]
    return Explanations(
        experiment=plan.experiment,
        title=plan.title,
        library=plan.library.path,
        rounds=found.rounds,
        explained=tuple(each for each in told if isinstance(each, Explanation)),
        unexplained=(
            *(Unexplained(contestant=each.contestant.name, reason=f"{each.reason}.") for each in plan.unavailable),
            *(each for each in told if isinstance(each, Unexplained)),
            *(Unexplained(contestant=name, reason=OWN_FILE) for name in others),
        ),
    )


def _require_alone(folder: Folder) -> None:
    """Raise FfibenchError where the time of an operation is not the sum of one process's calls."""
    experiment = folder.experiment
    why = ""
    if len(experiment.roles) > 1:
        why = "has several processes that wait for each other"
    elif experiment.threads > 1:
        why = "has several threads that work at the same time"
    if why:
        raise FfibenchError(
            f"{folder.name} {why}, so that its time is no sum of calls", fix="explain an experiment of one process"
        )


def _sorted(prepared: Prepared, options: PlanOptions) -> tuple[list[str], list[str]]:
    """Return the names of generated bindings, and those of contestants with a file of their own."""
    found = [each for each, _ in prepared.chosen if each.contestant.name not in {BASELINE, CONTROL}]
    shims = [each.contestant.name for each in found if _generated(each)]
    others = [each.contestant.name for each in found if not _generated(each)]
    if not shims:
        named = f"{', '.join(others)}: {OWN_FILE.rstrip('.').lower()}" if others else "no contestant can be explained"
        raise FfibenchError(
            named if not options.contestants or others else f"{', '.join(options.contestants)} cannot take part here",
            fix=f"`ffibench list {prepared.folder.name}` shows the bindings, such as python/cffi-api",
        )
    return shims, others


def _generated(candidate: Candidate) -> bool:
    technology = candidate.technology
    return technology is not None and bool(technology.kinds) and candidate.source.drives_shims


def _calls(folder: Folder, case: Case, header: Header) -> tuple[list[Signature], list[str]]:
    """Return the calls of an operation, and what it does besides them."""
    if case.key in folder.operations:
        operation, answers = folder.operations[case.key]
        signatures = of_operation(operation, answers)
        return signatures, unpriced(operation, signatures)
    signatures = of_case(case, folder.experiment.functions, header)
    return signatures, unpriced(None, signatures)


def _told(
    name: str, case: PlannedCase, found: MeasuredPrices, signatures: Sequence[Signature], missing: Sequence[str]
) -> Explanation | Unexplained:
    """Return the parts of one contestant's time, or why it has none."""
    (run,) = found.beside
    times = measured(run.rounds)
    wrong = next((reason for each in (name, BASELINE) if (reason := invalid(run, times, each, case))), None)
    if wrong is not None:
        return Unexplained(contestant=name, case=case.name, reason=wrong)
    worker = next(each for each in run.plan.rows_of(case) if each.contestant.name == name)
    own = times.sample(worker.key, case)
    c = times.beside(worker.key, run.plan.baseline_of(case).key, case)
    assert own is not None  # `invalid` has looked
    assert c is not None
    loop = tuple(gross - net for gross, net in zip(own.gross_ns, own.net_ns, strict=True))
    parts = [PartRounds("loop", "loop, with its test of the result", loop)]
    try:
        for signature in signatures:
            several = len(signatures) > 1
            parts += crossing(signature, found.prices, name, lock_of(name), qualified=several)
    except NoPriceError as error:
        return Unexplained(contestant=name, case=case.name, reason=str(error))
    parts.append(PartRounds("native", "native work, as in C", c.net_ns))
    compared = added_up(parts, own.gross_ns)
    return Explanation(
        contestant=name,
        interpreter=worker.contestant.interpreter,
        version=worker.contestant.version,
        lock=worker.contestant.lock,
        case=case.name,
        operation=case.operation,
        rounds=len(run.rounds),
        parts=compared.parts,
        predicted_ns=compared.predicted_ns,
        measured=compared.measured,
        difference=compared.difference,
        difference_low=compared.low,
        difference_high=compared.high,
        missing=tuple(missing),
    )
