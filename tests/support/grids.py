"""Grids made up for tests: a small one, and one of calls in groups, with three blocks and some that cannot."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from ffibench.model import Lock, Run
from ffibench.report.options import ReportOptions
from ffibench.report.report import Report, make_report
from ffibench.report.table import Tabular
from ffibench.results.compare import compare
from support.runs import Times, changed, run_of

HELD = ("capi", "cython", "pybind11", "nanobind", "nanobind~method", "ctypes-pydll")
RELEASED = ("ctypes", "cffi-api", "nanobind~nogil", "pyzmq")
PERL = ("xs", "platypus")
GROUPS: Mapping[str, Sequence[str]] = {
    "scalars": ("noop()", "add(1, 2)", "scale(1.5)"),
    "bytes and strings": ("digest(bytes(1024), 1024, 0)", 'length("ohhai")'),
    "callbacks": ("each(callback)",),
}
ROUNDS = 12


def steady(c: float, rounds: int = ROUNDS, **ns: float) -> Times:
    own = {name: [c] * rounds for name in ("c", "control")}
    return {**own, **{f"python/{name}": [each] * rounds for name, each in ns.items()}}


def several(rounds: int = ROUNDS) -> Run:
    others = {"echo text": steady(10.0, rounds, a=20.0, b=15.0), "sum": steady(5.0, rounds, a=5.5, b=50.0)}
    return run_of(steady(2.0, rounds, a=20.0, b=30.0), cases=others)


def report_of(run: Run, **options: object) -> Report:
    return make_report(run, compare(run), ReportOptions(**options))  # type: ignore[arg-type]


def grid_of(run: Run, *, net: bool = False, ratio: bool = False, reference: str = "") -> Tabular:
    (grid,) = report_of(run, net=net, ratio=ratio, reference=reference).tables
    return grid


def cells(grid: Tabular) -> dict[str, list[str]]:
    return {line.cells[0]: [cell.strip() for cell in line.cells[1:]] for line in grid.lines()}


def many_cases(rounds: int = 20, groups: Mapping[str, Sequence[str]] = GROUPS, copies: int = 1) -> Run:
    """A run of every case in `groups`; each binding takes part `copies` times, under as many names."""
    drawn = random.Random(20)
    suffixes = ["", *(f"{number}" for number in range(2, copies + 1))]
    own = [f"python/{name}{suffix}" for suffix in suffixes for name in (*HELD, *RELEASED)]
    names = ["c", "control", *own, *(f"perl/{name}{suffix}" for suffix in suffixes for name in PERL)]
    overheads = {name: 0.0 if "/" not in name else drawn.uniform(20, 200) for name in names}
    times = {}
    for place, case in enumerate(case for cases in groups.values() for case in cases):
        work = 1.5 * 3 ** (place % 4)
        middles = {name: work + overhead * drawn.choice((1, 1, 1.3, 4)) for name, overhead in overheads.items()}
        times[case] = {
            name: [middle * (1 + drawn.gauss(0, 0.02)) for _ in range(rounds)] for name, middle in middles.items()
        }
    first, *others = times
    run = run_of(times[first], cases={case: times[case] for case in others})
    return _without(_arranged(run, first, groups))


def _arranged(run: Run, first: str, groups: Mapping[str, Sequence[str]]) -> Run:
    """Name the first case, and put cases into their groups and contestants into their blocks."""
    group_of = {case: group for group, cases in groups.items() for case in cases}
    names = {run.plan.cases[0].name: first}
    cases = []
    for case in run.plan.cases:
        name = names.get(case.name, case.name)
        cases.append(replace(case, name=name, group=group_of[name]))

    def lock_of(name: str) -> Lock | None:
        language, _, binding = name.partition("/")
        return None if language != "python" else "released" if binding.rstrip("23") in RELEASED else "held"

    workers = [
        replace(worker, contestant=replace(worker.contestant, lock=lock_of(worker.contestant.name)))
        for worker in run.plan.workers
    ]
    rounds = [
        replace(
            each,
            records=tuple(
                replace(record, slices=tuple(replace(one, case=names.get(one.case, one.case)) for one in record.slices))
                for record in each.records
            ),
        )
        for each in run.rounds
    ]
    return replace(run, plan=replace(run.plan, cases=tuple(cases), workers=tuple(workers)), rounds=tuple(rounds))


def _without(run: Run) -> Run:
    """The run in which two contestants say that they cannot run a case, for one reason."""
    case, reason = run.plan.cases[-1].name, "it has no callbacks"
    cannot = {"python/pyzmq", "perl/platypus"}
    workers = [
        replace(worker, cannot={case: reason}) if worker.contestant.name in cannot else worker
        for worker in run.plan.workers
    ]
    run = replace(run, plan=replace(run.plan, workers=tuple(workers)))
    for name in sorted(cannot):
        run = changed(
            run, name, lambda record: replace(record, slices=tuple(one for one in record.slices if one.case != case))
        )
    return run
