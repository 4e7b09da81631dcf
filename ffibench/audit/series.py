"""The calls of a command over time: what was counted in each interval while it ran."""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec import Struct

from ffibench.audit.counting import Snapshot


class Interval(Struct, frozen=True, kw_only=True):
    """What was called between two moments, in seconds since the start of the command."""

    start_seconds: float
    end_seconds: float
    processes: int
    """Programs that had loaded the counting library by its end."""
    calls: dict[str, dict[str, int]]
    """By the path of the library and the name of the function; none is 0."""

    @property
    def seconds(self) -> float:
        """Its length."""
        return self.end_seconds - self.start_seconds

    def functions(self) -> list[str]:
        """Return the names of the functions that were called, of any library."""
        return [function for calls in self.calls.values() for function in calls]


class Series:
    """Takes a snapshot every so many seconds, as a look of `run_in_foreground`.

    Attributes:
        intervals: so far, without gaps; their calls add up to all calls.

    """

    def __init__(self, snapshot: Callable[[], Snapshot], every: float, observe: Callable[[Interval], None]) -> None:
        self.intervals: list[Interval] = []
        self._snapshot, self._every, self._observe = snapshot, every, observe
        self._started = time.monotonic()
        self._due = every
        self._before: dict[tuple[str, str], int] = {}

    def look(self) -> float:
        """Take the interval that is over; return the seconds until the next one is."""
        elapsed = time.monotonic() - self._started
        if elapsed >= self._due:
            self._take(elapsed, self._snapshot())
            # A multiple of `every`, so that the moments do not shift. On a busy machine one interval may be several.
            self._due = (elapsed // self._every + 1) * self._every
        return self._due - elapsed

    def finish(self, seconds: float, snapshot: Snapshot) -> tuple[Interval, ...]:
        """Take the rest, up to the last snapshot; return all intervals."""
        if self._calls(snapshot) != self._before or seconds > self._end():
            self._take(max(seconds, self._end()), snapshot)
        return tuple(self.intervals)

    def _end(self) -> float:
        return self.intervals[-1].end_seconds if self.intervals else 0.0

    def _take(self, seconds: float, snapshot: Snapshot) -> None:
        now = self._calls(snapshot)
        calls: dict[str, dict[str, int]] = {}
        for (path, function), count in now.items():
            if more := count - self._before.get((path, function), 0):
                calls.setdefault(path, {})[function] = more
        self._before = now
        interval = Interval(start_seconds=self._end(), end_seconds=seconds, processes=snapshot.processes, calls=calls)
        self.intervals.append(interval)
        self._observe(interval)

    @staticmethod
    def _calls(snapshot: Snapshot) -> dict[tuple[str, str], int]:
        """Add up the calls of files that share a path, such as one that was replaced while the command ran."""
        found: dict[tuple[str, str], int] = {}
        for library in snapshot.libraries:
            for function in library.functions:
                key = library.path, function.name
                found[key] = found.get(key, 0) + function.calls
        return found
