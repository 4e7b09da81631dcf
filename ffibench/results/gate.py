"""Whether throughput scales as a user says it has to: the gates of `--gate`, and what a run says of each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Literal

from msgspec import Struct

from ffibench.errors import FfibenchError
from ffibench.model import BASELINE, Comparison, Lock, Plan, Run
from ffibench.results.scaling import Scaling, scalings
from ffibench.results.validity import CANNOT
from ffibench.units import EN_DASH, format_number

PROCESSORS_MIN = 4
"""With fewer, work that scales over threads and work that does not look alike."""

Outcome = Literal["passed", "failed", "not applicable"]


class Gate(Struct, frozen=True, kw_only=True):
    """The throughput at the last point of a sweep must be at least `factor` times that at the first."""

    text: str
    """As the user wrote it."""
    contestant: str = BASELINE
    series: str = ""
    """Judges this series and those that begin with it and a hyphen; empty: all that the contestant has."""
    factor: float

    def means(self, series: str) -> bool:
        """Tell whether it judges a series."""
        return not self.series or series == self.series or series.startswith(f"{self.series}-")


class Judgement(Struct, frozen=True, kw_only=True):
    """What a run says of a gate, in a sentence."""

    outcome: Outcome
    text: str


def parse_gate(text: str) -> Gate:
    """Read `FACTOR`, `SERIES=FACTOR` or `CONTESTANT:SERIES=FACTOR`. Raises ValueError that says what is wrong."""
    name, equals, number = text.rpartition("=")
    contestant, colon, series = name.rpartition(":")
    try:
        factor = float(number)
    except ValueError:
        raise ValueError(f"{number!r} is no factor; write a gate like 1.5 or sharded=1.5") from None
    if not (factor > 0 and math.isfinite(factor)):
        raise ValueError(f"{number} is no factor of throughput; it has to be over 0")
    if (equals and not name) or (colon and not contestant):
        raise ValueError(f"{text!r} is not [SERIES=]FACTOR; write a gate like 1.5 or sharded=1.5")
    return Gate(text=text, contestant=contestant or BASELINE, series=series, factor=factor)


def check_gates(plan: Plan, gates: Iterable[Gate]) -> None:
    """Raise FfibenchError for a gate that no result of this plan could meet or fail."""
    for gate in gates:
        rows = [(case, worker) for case in plan.compared() for worker in plan.rows_of(case) if case.point]
        if not rows:
            raise FfibenchError(
                f"--gate {gate.text}: nothing is swept in this run, so there is no scaling to judge",
                fix="leave it out, or add --sweep NAME=1,2,4 with a number among the parameters",
            )
        contestants = list(dict.fromkeys(worker.contestant.name for _, worker in rows))
        if gate.contestant not in contestants:
            raise FfibenchError(
                f"--gate {gate.text}: no contestant {gate.contestant!r} in this run"
                f"{nearest(gate.contestant, contestants)}",
                fix=f"use one of {', '.join(contestants)}",
            )
        series = dict.fromkeys(
            case.series or case.name for case, worker in rows if worker.contestant.name == gate.contestant
        )
        if not any(gate.means(each) for each in series):
            stems = [each[:end] for each in series for end, sign in enumerate(each) if sign == "-"]
            raise FfibenchError(
                f"--gate {gate.text}: {gate.contestant} has no series {gate.series!r} in this run"
                f"{nearest(gate.series, [*series, *stems])}",
                fix=f"use one of {', '.join(series)}",
            )


def judge(run: Run, scalings: Sequence[Scaling], gate: Gate) -> list[Judgement]:
    """Return what a run says of a gate, a judgement a series. Raises FfibenchError as `check_gates` does."""
    check_gates(run.plan, [gate])
    meant = [each for each in scalings if each.contestant == gate.contestant and gate.means(each.series)]
    if (reason := _too_small(run)) is not None:
        return [Judgement(outcome="not applicable", text=f"{gate.text} is not applicable: {reason}")]
    gils = {(each.contestant.name, each.contestant.interpreter): each.contestant.lock for each in run.plan.workers}
    judged = [_judged(each, gate, gils[each.contestant, each.interpreter]) for each in meant]
    return judged or [Judgement(outcome="failed", text=f"{gate.text} failed: no round was finished")]


def judge_all(run: Run, comparison: Comparison, gates: Iterable[Gate]) -> list[Judgement]:
    """Return what a run says of several gates, in their order. Raises FfibenchError as `check_gates` does."""
    found = scalings(run, comparison.rows)
    return [judgement for gate in gates for judgement in judge(run, found, gate)]


def require_gates(judgements: Iterable[Judgement], status: int = 1) -> None:
    """Raise FfibenchError, with this exit status, that names the gates that failed, where one did."""
    failed = [each.text for each in judgements if each.outcome == "failed"]
    if failed:
        raise FfibenchError(
            f"gate {'; '.join(failed)}",
            fix="find out what made it scale worse, or lower the gate's FACTOR",
            status=status,
        )


def _too_small(run: Run) -> str | None:
    """Say why the machine cannot tell; one that works on one thread, pinned, asks for no second processor."""
    host = run.host
    if run.plan.pinned:
        return None
    if host.processors < PROCESSORS_MIN:
        has = f"this machine has {host.processors} processor{'s'[: host.processors != 1]}"
    elif host.quota is not None and host.quota < PROCESSORS_MIN:
        has = f"the control group may use {host.quota:g} of {host.processors} processors"
    else:
        return None
    return f"{has}, and whether threads scale shows on {PROCESSORS_MIN} or more"


def _judged(scaling: Scaling, gate: Gate, lock: Lock | None) -> Judgement:
    who = f"{scaling.series} of {scaling.contestant}"
    first, last = (f"{scaling.parameter}={point.value}" for point in (scaling.first, scaling.last))
    if lock == "held":
        text = f"{gate.text} is not applicable to {who}: its producers share a lock, which its calls hold"
        return Judgement(outcome="not applicable", text=text)
    if scaling.factor is None:
        reasons = list(_reasons(scaling))
        cannot = bool(reasons) and all(reason.startswith(CANNOT) for reason in reasons)
        said = "is not applicable to" if cannot else "failed,"
        text = f"{gate.text} {said} {who}: there is no figure to judge by. {' '.join(reasons)}".rstrip(". ")
        return Judgement(outcome="not applicable" if cannot else "failed", text=text)
    factor, interval = scaling.factor.ratio, scaling.factor.interval
    bounds = (
        "too few rounds for an interval"
        if interval is None
        else f"95 % CI {format_number(interval.low)}{EN_DASH}{format_number(interval.high)}"
    )
    said = f"{who} does {format_number(factor)} times as much at {last} as at {first} ({bounds})"
    if factor < gate.factor:
        return Judgement(outcome="failed", text=f"{gate.text} failed: {said}, expected {gate.factor:g}")
    return Judgement(outcome="passed", text=f"{gate.text} passed: {said}")


def _reasons(scaling: Scaling) -> Iterator[str]:
    """Give the reasons why the first or the last point has no figure, each once."""
    rows = [point.row for point in (scaling.first, scaling.last) if point.ns is None]
    yield from dict.fromkeys(row.reason or "It has no figures." for row in rows)


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ` (did you mean a or b?)` for the known names that are similar; empty where none is."""
    near = get_close_matches(name, list(dict.fromkeys(known)), n=3, cutoff=0.5)
    return f" (did you mean {' or '.join(near)}?)" if near else ""
