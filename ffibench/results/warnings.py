"""What a reader of the table must know: a control that differs from c, a noisy host, intervals wider than asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ffibench.model import CONTROL, Row, Run, RunWarning
from ffibench.noise.configuration import NOT_PINNED
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


def control_is_clean(row: Row, mode: str) -> bool:
    """Say whether the control's ratio is what two entries of one program must give; without an interval it may be."""
    if row.ratio is None or row.ratio_low is None or row.ratio_high is None:
        return True
    near = mode == "quick" or abs(row.ratio - 1) <= CONTROL_ESTIMATE
    return near and row.ratio_low <= 1 + CONTROL_INTERVAL and row.ratio_high >= 1 - CONTROL_INTERVAL


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
    """What this system does not show, and so was not held against anybody."""
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
    """What every case says of itself; the points of a sweep, which are many, are told at once."""
    controls = [row for row in rows if row.contestant == CONTROL and row.valid]
    unclean = [row for row in controls if not control_is_clean(row, run.plan.mode)]
    along = [row.ratio for row in unclean if row.point and row.ratio is not None]
    texts = [f"{row.ratio:.3f}" for row in unclean if not row.point or len(along) == 1]
    if len(along) > 1:
        points = sum(bool(row.point) for row in controls)
        texts.append(f"{min(along):.3f} to {max(along):.3f} in {len(along)} of {points} cells")
    for text in texts:
        yield RunWarning(
            code="control",
            text=f"The run is inconclusive: control, the same program as c, came out at {text}.",
            fix=QUIETER,
        )


def _imprecise(run: Run, rows: Sequence[Row]) -> Iterator[RunWarning]:
    """A run that was stopped by time or rounds may have rows that did not reach the precision asked for."""
    if run.ending not in {"time", "rounds"} or run.plan.mode == "quick":
        return
    wide = list(dict.fromkeys(row.contestant for row in rows if row.valid and _half_width(row) > run.plan.precision))
    if wide:
        names = ", ".join(wide[:3]) + (f" and {len(wide) - 3} more" if len(wide) > 3 else "")
        yield RunWarning(
            code="precision",
            text=f"Not every interval is within {format_share(run.plan.precision)} of its row: {names}.",
            fix=QUIETER,
        )


def _half_width(row: Row) -> float:
    """The width that the run went by; 0 where there is no interval to speak of."""
    if row.ratio_low is None or row.ratio_high is None:
        return 0.0
    return Interval(row.ratio_low, row.ratio_high).half_width


def _slices(run: Run, rows: Sequence[Row]) -> Iterator[RunWarning]:
    disturbed = sum(row.disturbed for row in rows if row.valid)
    slices = sum(row.rounds for row in rows if row.valid) * run.plan.slices
    if slices and disturbed / slices > DISTURBED_MAX:
        yield RunWarning(
            code=WAITS,
            text=f"{format_share(disturbed / slices)} of the timed slices were interrupted by other programs.",
            fix=QUIETER,
        )
