"""What `ffibench audit -- COMMAND` shows while the command runs, on standard error: a line for each interval."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console

from ffibench.audit.command import Observer
from ffibench.audit.series import Interval
from ffibench.report.table import one_line
from ffibench.units import format_rate

BUSIEST = 3
"""Functions that are named, as far as they fit into the line."""
NAME_CHARACTERS_MAX = 32

ERASED = "\r\x1b[2K"
"""To the start of a terminal's line, which is then empty."""


class Watching(Observer):
    """Prints to a console. The program may print there too, so no line is changed later but that of the pairs.

    No thread redraws anything: the runs are timed.
    """

    def __init__(self, errors: Console, pairs: int) -> None:
        """Show which of so many pairs of runs is made."""
        self._errors, self._pairs = errors, pairs
        self._standing = False

    def pair(self, number: int) -> None:
        """Show, on a terminal, how far the comparison is."""
        if self._errors.is_terminal:
            self._errors.file.write(f"{ERASED}Comparing: pair {number} of {self._pairs}")
            self._errors.file.flush()
            self._standing = True

    def interval(self, interval: Interval, source_names: Mapping[str, str]) -> None:
        """Print the calls per second of an interval."""
        line = interval_line(interval, source_names, self._errors.width)
        self._errors.print(line, soft_wrap=True)

    def close(self) -> None:
        """Erase what stands of the comparison."""
        if self._standing:
            self._errors.file.write(ERASED)
            self._errors.file.flush()


def interval_line(interval: Interval, source_names: Mapping[str, str], width: int) -> str:
    """Give the time, the calls per second of all functions and those of the busiest, in a line of `width` at most."""
    seconds = max(interval.seconds, 1e-9)
    counted = [(count, name) for calls in interval.calls.values() for name, count in calls.items()]
    line = f"ffibench: {interval.end_seconds:.1f} s, "
    if not counted:
        return f"{line}no calls"
    line += format_rate(sum(count for count, _ in counted) / seconds).replace("/s", " calls/s")
    separator = ": "
    for count, name in sorted(counted, key=lambda each: (-each[0], each[1]))[:BUSIEST]:
        shown = one_line(source_names.get(name, name))
        if len(shown) > NAME_CHARACTERS_MAX:
            shown = f"{shown[: NAME_CHARACTERS_MAX - 3]}..."
        longer = f"{line}{separator}{shown} {format_rate(count / seconds)}"
        if len(longer) > width:
            break
        line, separator = longer, ", "
    return line
