"""Counts the native calls of one worker between `go` and its last line, in all and for each of its slices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ffibench.audit.counting import Counting, FunctionCount, Snapshot, Sum, Watch
from ffibench.audit.slices import READINGS, Part, added, parts
from ffibench.host.maps import library_stem
from ffibench.model import CalledFunction, Plan, PlannedWorker
from ffibench.proof.slices import expected

READINGS_SPARE = 1_000
"""Room for readings of its clock in its set-up."""
NEXT_TO_EACH = 3
"""Beside each reading of the processor's clock at most two of the monotonic clock are kept."""


def watch(plan: Plan, worker: PlannedWorker, functions: Sequence[str]) -> Watch:
    """Watch the library by its name, any other object that defines one of the functions, and the worker's clocks.

    These are what the cases accept, and the further `functions` of the experiment.
    """
    cases = plan.cases_of(worker)
    sums = dict.fromkeys(way.length for case in cases for way in case.accepts if way.length is not None)
    returns = dict.fromkeys(each for case in cases for way in case.accepts for each in way.returns)
    accepted = [name for case in cases for way in case.accepts for name in way.calls]
    slices = len(cases) * sum(1 for _ in expected(plan, worker))
    return Watch(
        patterns=(f"{library_stem(plan.library.path)}[.-]*",),
        exports=tuple(dict.fromkeys([*accepted, *(each.function for each in returns), *functions])),
        sums=tuple(Sum(function=function, position=position) for function, position in sums),
        returns=tuple(returns),
        callers=True,
        readings_max=READINGS_SPARE + 2 * NEXT_TO_EACH * READINGS * slices,
    )


class CountedLoops:
    """Observes a worker: reads the counters while it waits, before `go` and after its last line."""

    def __init__(self, counts: Counting, exports: Sequence[str]) -> None:
        self._counts = counts
        self._exports = exports
        self._before: Snapshot | None = None
        self._after: Snapshot | None = None
        self._set_up = 0

    @property
    def environment(self) -> Mapping[str, str]:
        """What makes the worker count."""
        return self._counts.environment

    @property
    def pass_fds(self) -> tuple[int, ...]:
        """What the worker counts into: a file that has no path, whose descriptor it loses before its own code runs."""
        return self._counts.pass_fds

    def ready(self, endpoint: str | None) -> None:
        """Read the counters at `go`."""
        self._before = self._counts.snapshot()
        self._set_up = len(self._counts.readings())

    def done(self) -> None:
        """Read the counters after the last line."""
        self._after = self._counts.snapshot()

    def counted(self) -> tuple[dict[str, tuple[str, ...]], tuple[CalledFunction, ...]]:
        """Return the exports called in each file, and the calls of each function over all files, from `go` to its end.

        A file of which none of the exports was called is another library that defines one of their names: libc has a
        `modf` beside that of libm, and everybody calls libc for other things.
        """
        assert self._before is not None
        assert self._after is not None
        at_first = {(path, each.name): each for path, each in _counters(self._before)}
        called = [
            (path, each, at_first.get((path, each.name)))
            for path, each in _counters(self._after)
            if each.calls > (at_first[path, each.name].calls if (path, each.name) in at_first else 0)
        ]
        files: dict[str, tuple[str, ...]] = {}
        for path, each, _ in called:
            if (name := each.name.partition("@")[0]) in self._exports:
                files[path] = (*files.get(path, ()), name)
        calls, sums, wrong = Counter[str](), Counter[str](), Counter[str]()
        callers: dict[str, Counter[str]] = {}
        for path, each, first in called:
            if path in files:
                grown = each.calls - (first.calls if first else 0)
                calls[each.name] += grown
                of_function = callers.setdefault(each.name, Counter())
                of_function.update(dict(each.callers))
                of_function.subtract(dict(first.callers if first else ()))
                wrong[each.name] += (each.wrong or 0) - ((first.wrong or 0) if first else 0)
                if each.sum is not None:
                    sums[each.name] += each.sum - ((first.sum or 0) if first else 0)
        return files, tuple(
            CalledFunction(
                name=name,
                calls=count,
                bytes=sums.get(name),
                wrong=wrong[name],
                callers=dict((+callers[name]).most_common()),
            )
            for name, count in calls.most_common()
        )

    def parts(self, slices: int) -> list[Part] | str:
        """Return the counts of each of so many slices, as `parts` of slices does."""
        readings = self._counts.readings()
        if self._counts.readings_cut():
            return f"read its clocks more than {len(readings):,} times"
        assert self._before is not None
        at_go = [_summed(self._before, name) for name in self._exports]
        return parts(readings[self._set_up :], at_go, slices)


def of_case(own: Iterable[Part]) -> tuple[CalledFunction, ...]:
    """Return the calls of all slices of a case, with what is done around them."""
    total: tuple[CalledFunction, ...] = ()
    for part in own:
        total = added(total, part.whole)
    return total


def _summed(snapshot: Snapshot, name: str) -> FunctionCount:
    """Return the count of an export over all files and versions, as a reading has it."""
    found = [each for _, each in _counters(snapshot) if each.name.partition("@")[0] == name]
    sums = [each.sum for each in found if each.sum is not None]
    wrong = [each.wrong for each in found if each.wrong is not None]
    return FunctionCount(
        name=name,
        calls=sum(each.calls for each in found),
        sum=sum(sums) % 2**64 if sums else None,
        wrong=sum(wrong) if wrong else None,
    )


def _counters(snapshot: Snapshot) -> Iterator[tuple[str, FunctionCount]]:
    return ((library.path, each) for library in snapshot.libraries for each in library.functions)
