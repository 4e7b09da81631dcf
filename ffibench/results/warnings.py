"""What a reader of the table must know: a control that differs from c, a noisy host, intervals wider than asked."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ffibench.model import BASELINE, CONTROL, Row, Run, RunWarning
from ffibench.noise.configuration import NOT_PINNED
from ffibench.noise.descriptions import named
from ffibench.noise.disturbances import QUIETER
from ffibench.noise.warnings import WAITS, host_warnings
from ffibench.stats import Interval
from ffibench.units import format_share

# The control is the baseline entered twice. It is clean where its interval meets 1 +- 0.01 and, in a run that
# had the rounds for it, its estimate lies within 1 +- 0.02.
CONTROL_INTERVAL = 0.01
CONTROL_ESTIMATE = 0.02

DISTURBED_MAX = 0.05
SUSPENDED_SECONDS_MIN = 0.1  # the two clocks are not read at once

CASES_TOLD = 3
"""Of so many cases each that is off has a warning of its own."""


def control_is_clean(row: Row, mode: str) -> bool:
    """Say whether the control's ratio is what two entries of one program must give.

    After too few rounds for an interval the estimate alone is judged, in every mode.
    """
    if row.ratio is None:
        return True
    near = abs(row.ratio - 1) <= CONTROL_ESTIMATE
    if row.ratio_low is None or row.ratio_high is None:
        return near
    return (
        (near or mode == "quick") and row.ratio_low <= 1 + CONTROL_INTERVAL and row.ratio_high >= 1 - CONTROL_INTERVAL
    )


def run_warnings(run: Run, rows: Sequence[Row]) -> tuple[RunWarning, ...]:
    """Return the warnings of a run, the gravest first."""
    return (
        *_control(run, rows),
        *_unchecked(run),
        *_left_behind(run),
        *_imprecise(run, rows),
        *host_warnings(run),
        *_slices(run, rows),
    )


def _unchecked(run: Run) -> Iterator[RunWarning]:
    """What this system does not show, so that nobody was judged by it."""
    records = [record for each in run.rounds for record in each.records]
    if any(record.failure is None and record.libraries is None for record in records):
        yield RunWarning(
            code="library",
            text="This system does not show which library a live process has mapped, so that was not checked.",
            fix="Run on Linux to have it checked.",
        )
    if run.plan.pinned and run.host.pinned_to is None:
        yield NOT_PINNED


def _left_behind(run: Run) -> Iterator[RunWarning]:
    """A process that a worker left was ended before the next one started, but ran beside its own slices."""
    left: dict[str, tuple[str, ...]] = {}
    for each in run.rounds:
        for record in each.records:
            if record.left_behind:
                left.setdefault(record.key.partition(" [")[0], record.left_behind)
    for name, processes in left.items():
        yield RunWarning(
            code="left behind",
            text=f"{name} left processes behind, which were ended: {', '.join(processes)}.",
            fix="Let it wait for all that it starts before it ends.",
        )


def _control(run: Run, rows: Sequence[Row]) -> Iterator[RunWarning]:
    """One warning a case that is off; where there are many, as the points of a sweep are, in one."""
    controls = [row for row in rows if row.contestant == CONTROL and row.valid]
    unclean = [(row, row.ratio) for row in controls if row.ratio and not control_is_clean(row, run.plan.mode)]
    texts = [f"{ratio:.3f}x c in {row.case}" for row, ratio in unclean]
    if len(unclean) > 1 and (len(controls) > CASES_TOLD or unclean[0][0].point):
        ratios = [ratio for _, ratio in unclean]
        worst, _ = max(unclean, key=lambda pair: abs(math.log(pair[1])))
        span = f"{min(ratios):.3f}x to {max(ratios):.3f}x c"
        texts = [f"{span} in {len(unclean)} of {len(controls)} cells, worst in {worst.case}"]
    few = [row.rounds for row, _ in unclean if row.ratio_low is None]
    only = f" after only {few[0]} round{'s'[: few[0] != 1]}" if few else ""
    for text in texts:
        yield RunWarning(
            code="control",
            text=f"The run is inconclusive: control, the same program as c, measured {text}{only}.",
            fix=QUIETER,
        )


def _imprecise(run: Run, rows: Sequence[Row]) -> Iterator[RunWarning]:
    """A run that was stopped by time or rounds may have rows that did not reach the precision asked for."""
    if run.ending not in {"time", "rounds"} or run.plan.mode == "quick":
        return
    known = [row for row in rows if row.valid and row.ratio_low is not None and row.contestant != BASELINE]
    wide = [row.contestant for row in known if _half_width(row) > run.plan.precision]
    if wide:
        names = named(list(dict.fromkeys(wide)))
        yield RunWarning(
            code="precision",
            text=f"{len(wide)} of {len(known)} intervals wider than {format_share(run.plan.precision)}: {names}.",
            fix=QUIETER,
        )


def _half_width(row: Row) -> float:
    """The width that the run went by; 0 where there is no interval to speak of."""
    if row.ratio_low is None or row.ratio_high is None:
        return 0.0
    return Interval(row.ratio_low, row.ratio_high).half_width


def _slices(run: Run, rows: Sequence[Row]) -> Iterator[RunWarning]:
    disturbed = sum(row.disturbed for row in rows if row.valid)
    slices = sum(row.timed_slices for row in rows if row.valid)
    if slices and disturbed / slices > DISTURBED_MAX:
        yield RunWarning(
            code=WAITS,
            text=f"{format_share(disturbed / slices)} of the timed slices were interrupted by other programs.",
            fix=QUIETER,
        )
