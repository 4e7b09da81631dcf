"""A plan: what will be done, decided before the first round."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ffibench.model.contestant import BASELINE, Contestant
from ffibench.model.experiment import Accepted, Figure, Receipt, Value
from ffibench.model.host import InterpreterBuild


class PlannedWorker(Struct, frozen=True, kw_only=True):
    """How the worker of one contestant is started: the command, and the arguments of the worker contract."""

    contestant: Contestant
    role: str
    command: tuple[str, ...]
    arguments: dict[str, Value] = {}
    """All but the endpoint, which each round gives."""
    label: str = ""
    """What tells it from its contestant's other workers: its role, its point of a sweep."""
    team: str = ""
    """Workers of one team run at the same time, in the order of the plan; empty: it runs alone."""
    cases: tuple[str, ...] | None = None
    """The plan's cases that it runs; None: all."""
    beside: bool = False
    """It only stands beside the one that is varied, so that it has no rows."""
    cannot: dict[str, str] = {}
    """Case to reason, where the experiment says that this contestant can never run it."""

    def invocation(self, endpoint: str | None = None) -> tuple[str, ...]:
        """Return the whole command line of one process, with its endpoint where it has one."""
        arguments = self.arguments if endpoint is None else {**self.arguments, "endpoint": endpoint}
        return (*self.command, *(f"{name}={value}" for name, value in arguments.items()))

    @property
    def key(self) -> str:
        """The contestant's name, with the interpreter and its label: unique in a plan."""
        return " ".join([f"{self.contestant.name} [{self.contestant.interpreter}]", *filter(None, [self.label])])

    def runs(self, case: PlannedCase) -> bool:
        """Tell whether it runs a case of its plan."""
        return self.cases is None or case.name in self.cases


class Unavailable(Struct, frozen=True, kw_only=True):
    """A contestant that was meant to take part and cannot: its shim does not build, its package is not to be had."""

    contestant: Contestant
    reason: str
    cases: tuple[str, ...] | None = None
    """The plan's cases that it was meant to run; None: all."""


class PlannedCase(Struct, frozen=True, kw_only=True):
    """A case with the iterations of this run and the receipt that the oracle expects of each slice."""

    name: str
    operation: str
    iterations: int
    receipt: Receipt
    accepts: tuple[Accepted, ...] = ()
    told: str = ""
    """The name by which workers know it; empty: its own. Points of a sweep have it in common."""
    clock: Literal["wall", "cpu"] = "wall"
    figures: tuple[Figure, ...] = ()
    series: str = ""
    """What its points on the axis of a sweep have in common."""
    point: dict[str, Value] = {}
    """The parameter that is swept, with its value here; empty where none is."""
    decides: bool = True
    """Whether a run goes on until its rows are narrow enough."""

    @property
    def word(self) -> str:
        """The name by which workers know it."""
        return self.told or self.name


class LibraryIdentity(Struct, frozen=True, kw_only=True):
    """Which file is under test. The sha256 is the identity; the path may differ by interpreter."""

    path: str
    sha256: str


class Plan(Struct, frozen=True, kw_only=True):
    """All that a run does, decided before its first round."""

    experiment: str
    title: str
    cases: tuple[PlannedCase, ...]
    parameters: dict[str, Value]
    workers: tuple[PlannedWorker, ...]
    unavailable: tuple[Unavailable, ...] = ()
    library: LibraryIdentity
    slices: int
    warmup: int
    mode: Literal["quick", "default", "rigorous"]
    rounds_min: int
    rounds_max: int
    seconds_max: float | None
    """None: the rounds alone decide."""
    precision: float
    seed: int
    worker_seconds_max: float
    transport: Literal["ipc"] | None = None
    pinned: bool = True
    """Whether each process is bound to one processor; of a team the loop of the first, and all else to the others."""
    audited: bool = True
    """Whether each contestant's native calls are counted before the first round."""
    interpreters: tuple[InterpreterBuild, ...] = ()
    """How those that run contestants were built."""
    verbose: bool = False
    """Whether workers are asked to say more, and what they write to standard error is kept."""

    @property
    def alone(self) -> bool:
        """Whether each process works alone while it is measured, one thread on a processor of its own."""
        return self.pinned and len({worker.role for worker in self.workers}) == 1

    def teams(self) -> list[tuple[PlannedWorker, ...]]:
        """Return the workers that have something to run, those that run at the same time together."""
        teams: dict[str, list[PlannedWorker]] = {}
        for worker in self.workers:
            teams.setdefault(worker.team or worker.key, []).append(worker)
        busy = (team for team in teams.values() if any(self._has_work(worker) for worker in team))
        return [tuple(team) for team in busy]

    def rows_of(self, case: PlannedCase) -> list[PlannedWorker]:
        """Return the workers that have a row in a case."""
        return [worker for worker in self.workers if worker.runs(case) and not worker.beside]

    def compared(self) -> list[PlannedCase]:
        """Return the cases that have rows: those of roles that are only played beside another have none."""
        return [case for case in self.cases if self.rows_of(case)]

    def baseline_of(self, case: PlannedCase) -> PlannedWorker:
        """Return the baseline's worker in a case."""
        return next(worker for worker in self.rows_of(case) if worker.contestant.name == BASELINE)

    def _has_work(self, worker: PlannedWorker) -> bool:
        return any(worker.runs(case) and case.name not in worker.cannot for case in self.cases)
