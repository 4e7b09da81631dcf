"""A plan: what will be done, decided before the first round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Literal

from msgspec import Struct

from ffibench.model.contestant import BASELINE, Contestant
from ffibench.model.experiment import Accepted, Figure, Receipt, Value
from ffibench.model.host import InterpreterBuild
from ffibench.model.numbers import Count, Number, Positive, Seconds, Share


class PlannedWorker(Struct, frozen=True, kw_only=True):
    """How the worker of one contestant is started: the command, and the arguments of the worker contract."""

    contestant: Contestant
    role: str
    command: tuple[str, ...]
    arguments: dict[str, Value] = {}
    """All but the endpoint, which each round gives."""
    label: str = ""
    """What distinguishes it from its contestant's other workers: its role, its point of a sweep."""
    team: str = ""
    """Workers of one team run at the same time, in the order of the plan; empty: it runs alone."""
    cases: tuple[str, ...] | None = None
    """The plan's cases that it runs; None: all."""
    supporting: bool = False
    """It only supports the role that is varied, and has no rows of its own."""
    binding_folder: str = ""
    """Where its binding was generated and compiled, and so where its native calls come from; empty for all others."""
    cannot: dict[str, str] = {}
    """Case to reason, where the experiment says that this contestant cannot run it."""

    warmup: Count | None = None
    """Its warm-up slices, where its language needs more than the plan has for all."""

    compiles: bool = False
    """Whether its language compiles while it runs."""

    @property
    def has_threads(self) -> bool:
        """Whether its runtime may have threads of its own, which take the processor from its loop now and then."""
        return self.compiles or self.contestant.runtime == "continues"

    def invocation(self, endpoint: str | None = None) -> tuple[str, ...]:
        """Return the whole command line of one process, with its endpoint where it has one."""
        arguments = self.arguments if endpoint is None else {**self.arguments, "endpoint": endpoint}
        return (*self.command, *(f"{name}={value}" for name, value in arguments.items()))

    @property
    def key(self) -> str:
        """The contestant's name, with the interpreter and its label: unique in a plan."""
        return " ".join([f"{self.contestant.name} [{self.contestant.interpreter}]", *filter(None, [self.label])])

    @property
    def files(self) -> tuple[str, ...]:
        """The absolute paths that its command names, alone or as the value of an argument, each once."""
        return tuple(dict.fromkeys(path for word in self.command if (path := word.rpartition("=")[2]).startswith("/")))

    def runs(self, case: PlannedCase) -> bool:
        """Return whether it runs a case of its plan."""
        return self.cases is None or case.name in self.cases


class Unavailable(Struct, frozen=True, kw_only=True):
    """A contestant that was selected and cannot run: its shim does not build, its package is not installed."""

    contestant: Contestant
    reason: str
    cases: tuple[str, ...] | None = None
    """The plan's cases that it was selected for; None: all."""


class PlannedCase(Struct, frozen=True, kw_only=True):
    """A case with the iterations of this run and the receipt that the oracle expects of each slice."""

    name: str
    operation: str
    iterations: Positive
    receipt: Receipt
    accepts: tuple[Accepted, ...] = ()
    alias: str = ""
    """The case's name in the worker contract, shared by all points of a sweep; empty: `name`."""
    clock: Literal["wall", "cpu"] = "wall"
    figures: tuple[Figure, ...] = ()
    group: str = ""
    """The heading under which it stands in a grid."""
    bytes: Count = 0
    """What one operation takes across the boundary; 0: it is not a matter of bytes."""
    series: str = ""
    """The series that the points of a sweep belong to."""
    alternative: str = ""
    """The series that does the same another way."""
    point: dict[str, Value] = {}
    """The swept parameter with its value at this point; empty without a sweep."""
    cold: Count = 0
    """Iterations of the slice that each process begins it with, before any warm-up; 0: there is none."""
    cold_receipt: Receipt | None = None
    """That of this slice."""
    counter: str = ""
    """The field of the receipt that the library itself counts: 0 for who makes no native calls."""
    decides: bool = True
    """Whether a run continues until the intervals of its rows are narrow enough."""

    @property
    def worker_name(self) -> str:
        """The case's name in the worker contract."""
        return self.alias or self.name

    @property
    def names(self) -> tuple[str, ...]:
        """What it is chosen by: its name and, at a point of a sweep, that without the point."""
        plain = self.name.removesuffix(f" {point_label(self.point)}")
        return (self.name,) if plain == self.name else (plain, self.name)


def chosen_names(pattern: str, names: Iterable[str]) -> frozenset[str]:
    """Return the names of cases that a pattern chooses; empty where it chooses none.

    These are the names that it matches as a glob, and where there are none the first one that begins with its words:
    `int` is `int -> int`.
    """
    every = list(names)
    found = [name for name in every if fnmatchcase(name, pattern)]
    return frozenset(found or [name for name in every if name.startswith(f"{pattern} ")][:1])


def point_label(point: Mapping[str, Value]) -> str:
    """Return how a point of a sweep is named; empty without a sweep."""
    return " ".join(f"{name}={value}" for name, value in point.items())


class LibraryIdentity(Struct, frozen=True, kw_only=True):
    """The library file under test. The sha256 is its identity; the path may differ by interpreter."""

    path: str
    sha256: str


class Plan(Struct, frozen=True, kw_only=True, dict=True):
    """Everything that a run does, decided before its first round."""

    experiment: str
    title: str
    cases: tuple[PlannedCase, ...]
    parameters: dict[str, Value]
    workers: tuple[PlannedWorker, ...]
    unavailable: tuple[Unavailable, ...] = ()
    library: LibraryIdentity
    slices: Positive
    warmup: Count
    mode: Literal["quick", "default", "rigorous"]
    rounds_min: Positive
    rounds_max: Positive
    seconds_max: Seconds | None
    """None: no time limit."""
    precision: Share
    seed: Number
    worker_seconds_max: Seconds
    transport: Literal["ipc"] | None = None
    pinned: bool = True
    """Whether each process is pinned to one processor. In a team the main thread of the first process is pinned to
    it, and all other threads run on the other processors."""
    baseline_every: Count = 0
    """At each point a round has a process of the baseline beside every so many others, and each of these is paired with
    the nearest; 0: one that all are paired with."""
    placement: str = ""
    """On which processors the threads of a worker run, as the experiment declares it, where it places them itself."""
    around: str = ""
    """What a worker does outside the clocks of a slice, as the experiment declares it."""
    shuffled: bool = False
    """Whether each process runs its cases in an order of its own, drawn from the seed, and not in that of the plan."""
    audited: bool = True
    """Whether each contestant's native calls are counted before the first round."""
    interpreters: tuple[InterpreterBuild, ...] = ()
    """How the interpreters that run contestants were built."""
    verbose: bool = False
    """Whether workers are asked for verbose output, and their standard error is kept."""

    @cached_property
    def alone(self) -> bool:
        """Whether a measured process is a single pinned thread, with no other process of a team beside it."""
        return self.pinned and len({worker.role for worker in self.workers}) == 1

    @cached_property
    def cold(self) -> int:
        """How many iterations the slice of the first calls has, in every case; 0: there is none."""
        return max(case.cold for case in self.cases)

    def warmup_of(self, worker: PlannedWorker) -> int:
        """Return how many warm-up slices a worker has in each case: more, where its language compiles meanwhile."""
        return self.warmup if worker.warmup is None else worker.warmup

    def teams(self) -> list[tuple[PlannedWorker, ...]]:
        """Return the workers that have a case to run, grouped by team: a team runs at the same time."""
        teams: dict[str, list[PlannedWorker]] = {}
        for worker in self.workers:
            teams.setdefault(worker.team or worker.key, []).append(worker)
        busy = (team for team in teams.values() if any(self._has_work(worker) for worker in team))
        return [tuple(team) for team in busy]

    @cached_property
    def repeated(self) -> Mapping[str, int]:
        """By key, how many processes a round has of a worker, where there are several: of the baseline and its team."""
        if not self.baseline_every:
            return {}
        counts: dict[str, int] = {}
        for case in self.compared():
            rows, baseline = self.rows_of(case), self.baseline_of(case)
            others = len(rows) - sum(worker.contestant.name == BASELINE for worker in rows)
            team = baseline.team or baseline.key
            counts[team] = max(counts.get(team, 1), -(-others // self.baseline_every))
        found = {worker.key: counts.get(worker.team or worker.key, 1) for worker in self.workers}
        return {key: count for key, count in found.items() if count > 1}

    @cached_property
    def by_key(self) -> Mapping[str, PlannedWorker]:
        """Each worker by its key."""
        return {worker.key: worker for worker in self.workers}

    @cached_property
    def by_name(self) -> Mapping[str, PlannedCase]:
        """Each case by its name."""
        return {case.name: case for case in self.cases}

    def cases_of(self, worker: PlannedWorker) -> list[PlannedCase]:
        """Return the cases that a worker runs, in the order in which it runs them."""
        if worker.cases is None:
            return [case for case in self.cases if case.name not in worker.cannot]
        named = (name for name in worker.cases if name in self.by_name and name not in worker.cannot)
        return [self.by_name[name] for name in sorted(named, key=self._places.__getitem__)]

    def rows_of(self, case: PlannedCase) -> list[PlannedWorker]:
        """Return the workers that have a row in a case of this plan."""
        return list(self._rows.get(case.name, ()))

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {case.name: place for place, case in enumerate(self.cases)}

    @cached_property
    def _rows(self) -> Mapping[str, list[PlannedWorker]]:
        """The workers that have a row, by the name of the case: of a sweep of thousands each has a few."""
        rows: dict[str, list[PlannedWorker]] = {case.name: [] for case in self.cases}
        for worker in self.workers:
            if not worker.supporting:
                for name in rows if worker.cases is None else dict.fromkeys(worker.cases):
                    if name in rows:
                        rows[name].append(worker)
        return rows

    def compared(self) -> list[PlannedCase]:
        """Return the cases that have rows: the cases of supporting roles have none."""
        return [case for case in self.cases if self.rows_of(case)]

    def baseline_of(self, case: PlannedCase) -> PlannedWorker:
        """Return the baseline's worker in a case."""
        return next(worker for worker in self.rows_of(case) if worker.contestant.name == BASELINE)

    def _has_work(self, worker: PlannedWorker) -> bool:
        return bool(self.cases_of(worker))
