"""The prices that `ffibench explain` adds up, measured: shapes as an experiment, a round of it beside one of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ffibench.builds.project import Project, build
from ffibench.catalog import Folder
from ffibench.catalog.calls import provisional_cases
from ffibench.errors import FfibenchError
from ffibench.explain.prices import Lock, Prices, Rounds
from ffibench.explain.shape_files import HEADER, ITERATIONS, SOURCE, ShapeFiles, Structs, shape_files
from ffibench.explain.shapes import Shape
from ffibench.explain.signatures import Signature
from ffibench.harness.beside import execute_beside
from ffibench.model import (
    BASELINE,
    Case,
    Contestant,
    Experiment,
    LibrarySources,
    Plan,
    PlannedCase,
    Progress,
    Run,
    Value,
)
from ffibench.plan.make import make_plan, plan_work
from ffibench.plan.options import PlanOptions
from ffibench.results.compare import compare
from ffibench.results.validity import counted_rows, wrong_row
from ffibench.shims.technology import technologies
from ffibench.stats import Measured, measured
from ffibench.workflow.audit import count_calls
from ffibench.workflow.prepare import Prepared, prepare_folder
from ffibench.workflow.steps import Measuring, Observer, RoundDone

NAME = "shapes"
SLICES = 5
"""Of 1 ms at 100 ns an operation: the speed of a processor that is shared changes in tens of milliseconds, and a
process should see one of its speeds, not several."""


class MeasuredPrices(Struct, frozen=True, kw_only=True):
    """Prices, and the runs that were measured beside them."""

    prices: Prices
    contestants: Mapping[str, Contestant]
    """By name, those that have prices."""
    beside: tuple[Run, ...]
    rounds: int


def measure_prices(
    signatures: Sequence[Signature],
    structs: Structs,
    names: Sequence[str],
    options: PlanOptions,
    *,
    parts: bool = True,
    beside: Sequence[tuple[Plan, Prepared]] = (),
    title: str,
    observe: Observer,
) -> MeasuredPrices:
    """Measure these calls through contestants, and the plans `beside` in the same rounds.

    `names` are contestants by name. With `parts` what the calls are made of is measured too, and those contestants are
    added whose locks price the lock of others. Raises FfibenchError as `prepare` does, and where a baseline fails.
    """
    files = shape_files(signatures, structs, parts=parts)
    folder = shapes_folder(files)
    locks = [lock for lock in map(lock_of, names) if lock is not None and parts]
    wanted = dict.fromkeys([*names, *(name for lock in locks for name in (lock.held, lock.released))])
    shapes_options = PlanOptions(
        contestants=tuple(wanted),
        pythons=options.pythons,
        programs=options.programs,
        mode=options.mode,
        rounds=options.rounds,
        slices=options.slices or SLICES,
        seed=options.seed,
    )
    prepared = prepare_folder(
        folder, shapes_options, check=lambda each: plan_work(each, shapes_options), observe=observe
    )
    plan = make_plan(prepared.folder, prepared.chosen, prepared.unavailable, prepared.library, shapes_options)
    together = (*beside, (plan, prepared))
    plans = [by_processor_time_beside_c(each) for each, _ in together]
    experiments = [each.folder.experiment for _, each in together]
    audits = [count_calls(*each, observe=observe) for each in zip(plans, experiments, strict=True)]
    observe(Measuring(title=title, rounds_max=plans[0].rounds_max))
    *others, shapes = execute_beside(plans, audits, observe=lambda runs, seconds: observe(_done(runs[0], seconds)))
    return MeasuredPrices(
        prices=_prices(shapes, files.names),
        contestants={worker.contestant.name: worker.contestant for worker in shapes.plan.workers},
        beside=tuple(others),
        rounds=len(shapes.rounds),
    )


def short(folder: Folder) -> Folder:
    """Return an experiment whose slices are no longer than those of the prices that they are compared with."""
    experiment = folder.experiment

    def cases(values: Mapping[str, Value]) -> tuple[Case, ...]:
        return tuple(
            each if each.fixed else replace(each, iterations=min(each.iterations, ITERATIONS))
            for each in experiment.cases(values)
        )

    return replace(folder, experiment=replace(experiment, cases=cases))


def by_processor_time_beside_c(plan: Plan) -> Plan:
    """Return a plan whose figures are processor time, and in which each process stands beside one of C.

    What other programs take meanwhile belongs to no part. What C takes is subtracted, at the speed that the processor
    had at that moment.
    """
    return replace(plan, cases=tuple(replace(case, clock="cpu") for case in plan.cases), baseline_every=1)


def shapes_folder(files: ShapeFiles) -> Folder:
    """Return shapes as an experiment, whose files lie in the cache."""
    project = Project(
        name="explain/shapes",
        inputs=(files.header, files.source),
        artifact=HEADER,
        compiled=False,
        render=lambda: {HEADER: files.header, SOURCE: files.source},
    )
    header = build(project)
    experiment = Experiment(
        title="what calls are made of",
        header=HEADER,
        functions=files.functions,
        library=LibrarySources(sources=(SOURCE,)),
        cases=lambda values: provisional_cases(files.calls, values),
        calls=files.calls,
        kinds=dict(files.kinds),
    )
    return Folder(name=NAME, path=Path(header).parent, experiment=experiment, header=header, sources=())


def lock_of(name: str) -> Lock | None:
    """Return what prices the lock of a contestant; None where it does not release one.

    Two variants of its own technology that differ in the lock alone; where it has but one, those of the first of its
    language that has both, since what is called to release the lock is the language's.
    """
    language, _, binding = name.rpartition("/")
    own = next((each for each in technologies() if each.language == language and binding in each.bindings), None)
    if own is None or own.bindings[binding].lock != "released":
        return None
    for technology in (own, *(each for each in technologies() if each.language == language)):
        by_lock = {each.lock: name for name, each in technology.bindings.items() if not each.asked}
        if "held" in by_lock and "released" in by_lock:
            return Lock(held=f"{language}/{by_lock['held']}", released=f"{language}/{by_lock['released']}")
    return None


def require_one_interpreter(options: PlanOptions) -> None:
    """Raise FfibenchError for several: a price is one interpreter's."""
    if len(options.pythons) > 1:
        raise FfibenchError("--python is there more than once", fix="explain one interpreter at a time")


def invalid(run: Run, found: Measured, name: str, case: PlannedCase) -> str | None:
    """Say in a sentence why a contestant has no figures in a case; None where it has."""
    worker = next((each for each in run.plan.rows_of(case) if each.contestant.name == name), None)
    if worker is None:
        missing = next((each.reason for each in run.plan.unavailable if each.contestant.name == name), None)
        return f"It cannot take part: {missing}." if missing else "It does not run this case."
    wrong = wrong_row(run, found, worker, case, counted_rows(run))
    return wrong or (None if found.sample(worker.key, case) is not None else "It failed in a round.")


def _prices(run: Run, names: Mapping[Shape, str]) -> Prices:
    """Return what each contestant takes more than C for each shape; of those that are not valid the reason."""
    found = measured(run.rounds)
    crossing: dict[tuple[str, Shape], Rounds] = {}
    reasons: dict[str, str] = {each.contestant.name: f"{each.reason}." for each in run.plan.unavailable}
    for shape, name in names.items():
        case = next(each for each in run.plan.cases if each.name == name)
        baseline = run.plan.baseline_of(case)
        for worker in run.plan.rows_of(case):
            contestant = worker.contestant.name
            wrong = invalid(run, found, contestant, case)
            own, c = found.sample(worker.key, case), found.beside(worker.key, baseline.key, case)
            if wrong is not None or own is None or c is None:
                reasons[contestant] = wrong or "It has no figures."
            elif contestant != BASELINE:
                crossing[contestant, shape] = tuple(
                    mine - theirs for mine, theirs in zip(own.net_ns, c.net_ns, strict=True)
                )
    return Prices(crossing, reasons)


def _done(run: Run, seconds: float) -> RoundDone:
    rounds, plan = len(run.rounds), run.plan
    left = max(plan.rounds_min - rounds, 0) * seconds / rounds
    if plan.seconds_max is not None:
        left = max(left, plan.seconds_max - seconds)
    progress = Progress(
        run=run,
        comparison=compare(run),
        rounds_max=plan.rounds_max,
        rows=0,
        wide=0,
        widest=None,
        seconds=seconds,
        seconds_left=left,
    )
    return RoundDone(progress=progress)
