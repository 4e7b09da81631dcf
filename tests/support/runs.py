"""Runs made up for tests, slice by slice, from the nanoseconds that each contestant is to have taken."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ffibench.model import (
    Accepted,
    Audit,
    CalledFunction,
    Conditions,
    Host,
    HostSample,
    InterpreterBuild,
    PlannedWorker,
    Receipt,
    Round,
    Run,
    Slice,
    SliceKind,
    Usage,
    UsedFile,
    Value,
    WorkerRecord,
)
from support.contestants import ITERATIONS, LIBRARY, contestant, plan_of, planned_case

EMPTY_NS = 1.0
HOST = Host(
    system="Linux 6.1.0",
    machine="x86_64",
    processor="a processor",
    processors=2,
    pinned_to=1,
    governor="performance",
    virtualisation=None,
    tool="ffibench 0.1.0 on CPython 3.11.7",
)
QUIET = HostSample(load1=0.1, pressure=0.0, steal=0.0)
USAGE = Usage(
    real_s=0.2, user_s=0.1, system_s=0.05, peak_rss_bytes=10_000_000, voluntary_switches=3, involuntary_switches=1
)


def usage(number: int) -> Usage:
    """That of a process in a round: no two are the same in all of it."""
    return replace(USAGE, voluntary_switches=USAGE.voluntary_switches + number)


Times = Mapping[str, Sequence[float]]
"""By contestant, as `contestant` reads it: the nanoseconds an operation of each round."""


def run_of(times: Times, *, cases: Mapping[str, Times] | None = None, **changes: Any) -> Run:  # noqa: ANN401
    """A finished run; `cases` gives further cases with their times, `changes` replace fields of the plan."""
    by_case = {"send": times, **(cases or {})}
    workers = [PlannedWorker(contestant=contestant(key), role="worker", command=("work",)) for key in times]
    count = len(next(iter(times.values())))
    own = {"cases": tuple(planned_case(name) for name in by_case), "pinned": True}
    own |= {"rounds_min": min(count, 3), "rounds_max": count}
    plan = plan_of(*workers, **{**own, **changes})

    def record(worker: PlannedWorker, key: str, number: int) -> WorkerRecord:
        return WorkerRecord(
            key=worker.key,
            versions={"library": "4.3.5"},
            slices=tuple(each for case, own in by_case.items() for each in slices(case, own[key][number], plan.slices)),
            libraries=(LIBRARY,),
            usage=usage(number),
        )

    rounds = [
        Round(
            number=number + 1,
            seconds=1.0,
            records=tuple(record(worker, key, number) for worker, key in zip(workers, times, strict=True)),
            host=QUIET,
        )
        for number in range(count)
    ]
    return Run(started="2025-11-20T08:13:00.250+00:00", plan=plan, host=HOST, rounds=tuple(rounds), ending="rounds")


Along = Mapping[Value, Sequence[float] | None]
"""By value of the parameter that is swept: the nanoseconds an operation of each round; None where it cannot run."""


def swept_run(
    times: Mapping[str, Mapping[str, Along]],
    *,
    parameter: str = "threads",
    processors: int = 8,
    **changes: Any,  # noqa: ANN401
) -> Run:
    """A finished run over the values of a parameter, by series and contestant; a series is a case at every value.

    Every contestant has a process of its own at every value, with the cases that it is given there.
    """
    values = list(dict.fromkeys(value for each in times.values() for along in each.values() for value in along))
    contestants = list(dict.fromkeys(key for each in times.values() for key in each))
    cases = tuple(
        replace(
            planned_case(f"{series} {parameter}={value}"),
            operation="one submit",
            alias=series,
            series=series,
            point={parameter: value},
        )
        for value in values
        for series in times
    )
    workers, figures = [], {}
    for value in values:
        for key in contestants:
            own = {f"{name} {parameter}={value}": each[key] for name, each in times.items() if key in each}
            there = {case: along[value] for case, along in own.items() if value in along}
            worker = PlannedWorker(
                contestant=contestant(key),
                role="worker",
                command=("work",),
                label=f"{parameter}={value}",
                cases=tuple(there),
                cannot={case: "it serves one at a time" for case, each in there.items() if each is None},
            )
            workers.append(worker)
            figures[worker.key] = {case: each for case, each in there.items() if each is not None}
    count = len(next(along for each in figures.values() for along in each.values()))
    own_plan = {
        "cases": cases,
        "parameters": {parameter: ",".join(map(str, values))},
        "rounds_min": min(count, 3),
        "rounds_max": count,
    }
    plan = plan_of(*workers, **{**own_plan, **changes})

    def record(worker: PlannedWorker, number: int) -> WorkerRecord:
        own = figures[worker.key]
        told = [each for case, along in own.items() for each in slices(case, along[number], plan.slices)]
        return WorkerRecord(
            key=worker.key, versions={"library": "4.3.5"}, slices=tuple(told), libraries=(LIBRARY,), usage=usage(number)
        )

    rounds = [
        Round(
            number=number + 1,
            seconds=1.0,
            records=tuple(record(worker, number) for worker in workers if figures[worker.key]),
            host=QUIET,
        )
        for number in range(count)
    ]
    host = replace(HOST, processors=processors, pinned_to=None)
    return Run(started="2025-11-20T08:13:00.250+00:00", plan=plan, host=host, rounds=tuple(rounds), ending="rounds")


def slices(case: str, gross_ns: float, count: int) -> list[Slice]:
    """A warm-up slice and so many timed and empty ones, all alike."""

    def each(kind: SliceKind, number: int, ns: float, receipt: Receipt) -> Slice:
        wall_ns = round(ns * ITERATIONS)
        return Slice(case=case, slice=number, kind=kind, wall_ns=wall_ns, cpu_ns=wall_ns, receipt=receipt)

    work: Receipt = {"sends": ITERATIONS}
    return [
        each("warmup", 0, gross_ns, work),
        *(each("timed", number, gross_ns, work) for number in range(count)),
        *(each("empty", number, EMPTY_NS, {}) for number in range(count)),
    ]


def changed(
    run: Run, name: str, change: Callable[[WorkerRecord], WorkerRecord | None], rounds: Sequence[int] | None = None
) -> Run:
    """The run with one contestant's records changed, or left out, in all rounds or in those numbered."""

    def records(each: Round) -> tuple[WorkerRecord, ...]:
        if rounds is not None and each.number not in rounds:
            return each.records
        new = [change(record) if record.key.startswith(f"{name} ") else record for record in each.records]
        return tuple(record for record in new if record is not None)

    return replace(run, rounds=tuple(replace(each, records=records(each)) for each in run.rounds))


def with_file(run: Run, name: str, file: UsedFile) -> Run:
    """The run with a file that one contestant's command names."""
    workers = [
        replace(worker, command=(*worker.command, f"shim={file.owner}")) if worker.contestant.name == name else worker
        for worker in run.plan.workers
    ]
    return replace(run, plan=replace(run.plan, workers=tuple(workers)), files=(*run.files, file))


CONDITIONS = Conditions(switches=3, processors="1", tracer="gdb", instruments=("AddressSanitizer",))
TOLD = HostSample(
    load1=1.0,
    pressure=0.2,
    steal=0.0,
    group_pressure=0.1,
    others=1.5,
    sibling=0.5,
    throttles=2,
    suspended_s=0.5,
)


def watched(run: Run) -> Run:
    """The run, audited, and with all told of its host that a host can tell."""
    host = replace(
        run.host,
        turbo=True,
        clock_source="tsc",
        quota=1.5,
        siblings=(3,),
        numa_nodes=2,
        on_battery=True,
        power_profile="balanced",
        tracer="strace",
        injected={"LD_PRELOAD": "libasan.so.8"},
    )
    rounds = [
        replace(each, host=TOLD, records=(replace(each.records[0], conditions=CONDITIONS), *each.records[1:]))
        for each in run.rounds
    ]
    build = InterpreterBuild(name="CPython 3.11.7", debug=True, pgo=False, lto=None)
    sending = Accepted(calls={"work_send": 1}, length=("work_send", 2), size=5)
    cases = tuple(replace(case, accepts=(sending,)) for case in run.plan.cases)
    plan = replace(run.plan, cases=cases, interpreters=(build,), audited=True)
    audits = [
        Audit(
            key=worker.key,
            case=case.name,
            operations=3 * case.iterations,
            functions=(CalledFunction(name="work_send", calls=3 * case.iterations, bytes=15 * case.iterations),),
            delivered={"messages": 300},
            expected={"messages": 300},
            verdict="accepted",
        )
        for case in run.plan.cases
        for worker in run.plan.workers
    ]
    uncounted = {"functions": (), "delivered": None, "expected": None}
    audits[-1] = replace(audits[-1], **uncounted, verdict="not auditable", reason="it is static")
    return replace(run, plan=plan, host=host, audits=tuple(audits), before=TOLD, after=run.host, rounds=tuple(rounds))
