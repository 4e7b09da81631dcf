"""From contestants, roles and the points of a sweep to the workers of a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ffibench.catalog.candidates import Candidate
from ffibench.catalog.folders import nearest
from ffibench.errors import FfibenchError
from ffibench.languages import languages
from ffibench.model import (
    BASELINE,
    CONTROL,
    PAIR,
    Case,
    Contestant,
    Experiment,
    PlannedCase,
    PlannedWorker,
    Unavailable,
    Value,
)
from ffibench.model.plan import point_label

BuiltContestant = tuple[Candidate, Path | None]
"""A contestant with its built or rendered shim, where it has one."""

BOTH = "both"
"""The value of `--vary` for which the contestant plays every role."""


class RoleAssignment(Struct, frozen=True, kw_only=True):
    """Who plays which role."""

    varied: tuple[str, ...]
    """The roles that each contestant plays in turn."""
    assigned: dict[str, str] = {}
    """The other roles, with the contestant that plays each for all."""


class Point(Struct, frozen=True, kw_only=True):
    """One point of a sweep, or the only one: its cases, and the arguments of workers at it."""

    where: dict[str, Value]
    cases: tuple[tuple[Case, PlannedCase], ...]
    arguments: dict[str, Value]

    @property
    def label(self) -> str:
        """Its name among the points."""
        return point_label(self.where)


def assign_roles(experiment: Experiment, name: str, vary: str | None, assigned: Mapping[str, str]) -> RoleAssignment:
    """Return who plays which role: `vary` is that of `--vary`, `assigned` those of `--ROLE CONTESTANT`.

    Raises FfibenchError where the experiment has no such role, and where the two contradict each other.
    """
    roles = [role.name for role in experiment.roles]
    if len(roles) == 1 and (vary is not None or assigned):
        option = "--vary" if vary is not None else f"--{next(iter(assigned))}"
        raise FfibenchError(
            f"{option}: the experiment {name} has one role, which every contestant plays", fix="leave it out"
        )
    if vary not in {None, BOTH, *roles}:
        raise FfibenchError(f"--vary {vary}: {name} has no such role", fix=f"use one of {', '.join([*roles, BOTH])}")
    if vary is not None and vary in assigned:
        raise FfibenchError(f"--vary {vary} and --{vary} {assigned[vary]} contradict each other", fix="leave one out")
    varied = [role for role in roles if role not in assigned and vary in {None, BOTH, role}]
    fixed = {role: assigned.get(role, BASELINE) for role in roles if role not in varied}
    return RoleAssignment(varied=tuple(varied), assigned=fixed)


def check_cases(experiment: Experiment, name: str, cases: Sequence[Case]) -> None:
    """Raise FfibenchError where the cases of an experiment have no names of their own or do not fit its roles."""
    roles = [role.name for role in experiment.roles]
    names = [case.name for case in cases]
    wrong = next((case.name for case in cases if "," in (case.key or case.name)), None)
    if wrong is not None:
        raise FfibenchError(f"the experiment {name} has a case {wrong!r}", fix="give it a name without a comma")
    twice = next((each for each in names if names.count(each) > 1), None)
    if twice is not None:
        raise FfibenchError(f"the experiment {name} has two cases {twice!r}", fix="give each a name of its own")
    stray = next((case for case in cases if case.role and case.role not in roles), None)
    if stray is not None:
        raise FfibenchError(
            f"the experiment {name} has a case {stray.name!r} of a role {stray.role!r}, which it does not have",
            fix=f"use one of {', '.join(roles)}",
        )
    if len(roles) == 1:
        return
    # The first case of each role runs together with the first of the others, the second with the second.
    counts = {role: sum((case.role or roles[0]) == role for case in cases) for role in roles}
    if len(set(counts.values())) > 1:
        found = ", ".join(f"{role} {count}" for role, count in counts.items())
        raise FfibenchError(
            f"the roles of the experiment {name} do not have the same number of cases: {found}",
            fix="give each role as many cases",
        )
    single = next((case.name for case in cases if case.only or case.cannot is not None), None)
    if single is not None:
        raise FfibenchError(
            f"the case {single!r} of {name} says who can run it, which no other role would know",
            fix="leave out its `only` and `cannot`",
        )


def plan_workers(
    experiment: Experiment,
    chosen: Sequence[BuiltContestant],
    assignment: RoleAssignment,
    points: Sequence[Point],
    patterns: Sequence[str],
    *,
    warmed: bool = True,
) -> tuple[PlannedWorker, ...]:
    """Return the workers of a plan: for every contestant that `patterns` match, every point and every role.

    With `warmed` each has the warm-up slices that its language or binding needs, where these are more than those of its
    arguments.
    Raises FfibenchError for a player that is not among the chosen.
    """
    entries = list(_entries(experiment, chosen, assignment, patterns))
    several = len(experiment.roles) > 1
    workers: list[PlannedWorker] = []
    for point in points:
        for contestant, parts in entries:
            team = " ".join([f"{contestant.name} [{contestant.interpreter}]", *filter(None, [point.label])])
            for role, built in parts.items():
                supporting = role in assignment.assigned and bool(assignment.varied)
                part = built[0].contestant if supporting else _as(contestant, built[0].contestant)
                words = [role if several else "", point.label, f"beside {contestant.name}" if supporting else ""]
                if supporting and contestant.interpreter != part.interpreter:
                    words.append(f"[{contestant.interpreter}]")
                # Cases that only some run are in a separate process, so that all do the same in the others.
                for group in [None] if several else dict.fromkeys(case.only for case, _ in point.cases):
                    worker = _worker(built, part, role, point, experiment.roles[0].name, group, warmed=warmed)
                    label = " ".join(filter(None, [*words, f"only {' '.join(group)}" if group else ""]))
                    if worker.cases or several:
                        workers.append(
                            replace(worker, label=label, team=team if several else "", supporting=supporting)
                        )
    return tuple(workers)


def _entries(
    experiment: Experiment, chosen: Sequence[BuiltContestant], assignment: RoleAssignment, patterns: Sequence[str]
) -> Iterator[tuple[Contestant, dict[str, BuiltContestant]]]:
    """Yield each contestant that has rows, with the contestants that play its roles."""
    by_name = {built[0].contestant.name: built for built in chosen}
    for role, name in assignment.assigned.items():
        if name not in by_name:
            raise FfibenchError(
                f"--{role} {name}: there is no such contestant here{nearest(name, list(by_name))}",
                fix="run `ffibench list EXPERIMENT` to see all of them",
            )
    fixed = {role: by_name[name] for role, name in assignment.assigned.items()}
    roles = [role.name for role in experiment.roles]
    for built in chosen:
        contestant = built[0].contestant
        if not assignment.varied and contestant.name not in {BASELINE, CONTROL}:
            continue
        if patterns and contestant.name not in {BASELINE, CONTROL} and not _matches(contestant.name, patterns):
            continue
        yield contestant, {role: fixed[role] if role in fixed and assignment.varied else built for role in roles}
    if not assignment.varied:
        # The pair is a contestant of its own, since the row measures both together.
        assigned = [fixed[role][0].contestant for role in roles]
        interpreters = dict.fromkeys(player.interpreter for player in assigned)
        yield (
            Contestant(
                name=" > ".join(player.name for player in assigned),
                language=PAIR,
                interpreter=" > ".join(interpreters),
            ),
            fixed,
        )


def _as(contestant: Contestant, player: Contestant) -> Contestant:
    """Return a contestant for one of its roles: in a pair each player has its own version and library."""
    if contestant.language != PAIR:
        return contestant
    return replace(
        contestant,
        version=player.version,
        own_library=player.own_library,
        static=player.static,
        native=player.native,
    )


def takes_part(contestant: Contestant, case: Case) -> bool:
    """Return whether a contestant may run a case, by what the case says and by what the contestant's loop has."""
    if contestant.cases and not _matches(case.key or case.name, contestant.cases):
        return False
    return not case.only or contestant.name == BASELINE or _matches(contestant.name, case.only)


def meant_for(unavailable: Unavailable, points: Sequence[Point], assignment: RoleAssignment) -> Unavailable:
    """Return an unavailable contestant with the cases that it would have run, where these are not all."""
    everything = [planned.name for point in points for _, planned in point.cases]
    meant = [
        planned.name
        for point in points
        for case, planned in point.cases
        if takes_part(unavailable.contestant, case) and (not case.role or case.role in assignment.varied)
    ]
    return unavailable if meant == everything else replace(unavailable, cases=tuple(meant))


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _worker(
    built: BuiltContestant,
    part: Contestant,
    role: str,
    point: Point,
    first: str,
    group: tuple[str, ...] | None,
    *,
    warmed: bool,
) -> PlannedWorker:
    """Return the process that plays a role at a point; `first` is the role of cases without one.

    It runs the cases whose `only` is the `group`; all where that is None.
    """
    candidate, artifact = built
    assert candidate.runtime is not None
    language = languages()[candidate.contestant.language]
    own = [
        (case, planned) for case, planned in point.cases if (case.role or first) == role and group in {None, case.only}
    ]
    mine = [(case, planned) for case, planned in own if takes_part(part, case)]
    reasons = {planned.name: case.cannot(part) for case, planned in mine if case.cannot is not None}
    cannot = {name: reason for name, reason in reasons.items() if reason is not None}
    own_cases = [planned for _, planned in mine if planned.name not in cannot]
    binding = candidate.binding
    options = {} if binding is None else binding.options
    needed = language.warmup if binding is None or binding.warmup is None else binding.warmup
    warmup = needed if warmed and needed > int(point.arguments["warmup"]) else None
    return PlannedWorker(
        contestant=part,
        role=role,
        command=tuple(language.command(candidate.runtime, candidate.source.path, artifact, options)),
        arguments={
            "binding": candidate.contestant.name.rpartition("/")[2],
            **point.arguments,
            "role": role,
            "cases": ",".join(f"{each.worker_name}:{each.iterations}" for each in own_cases),
            **({} if warmup is None else {"warmup": warmup}),
        },
        warmup=warmup,
        compiles=needed > 1,
        cases=tuple(planned.name for _, planned in mine),
        binding_folder=candidate.binding_folder(artifact),
        cannot=cannot,
    )
