"""The options of `ffibench run` that a plan depends on, as typed values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ffibench.errors import FfibenchError
from ffibench.languages import languages
from ffibench.model import Call, Effort, Experiment, Mode, Value

# Eight rows need 11 rounds for significant differences. The seconds leave time for set-up and the audit, so that a
# quick run takes 15 and a default run 60.
EFFORTS: Mapping[Mode, Effort] = {
    "quick": Effort(rounds_min=6, rounds_max=10, seconds_max=11.0, precision=0.05),
    "default": Effort(rounds_min=11, rounds_max=60, seconds_max=55.0, precision=0.02),
    "rigorous": Effort(rounds_min=30, rounds_max=500, seconds_max=600.0, precision=0.01),
}


def effort_of(experiment: Experiment, mode: Mode, cases: Sequence[str] = ()) -> Effort:
    """Return how much is measured of an experiment, or of these cases of it: one of its own is for all its cases."""
    return EFFORTS[mode] if cases else experiment.efforts.get(mode, EFFORTS[mode])


WIDE = 24
"""Contestants: a round of more takes longer than those that the efforts are for."""
WIDE_ROUNDS = 15
"""Thirty rows of one block take as many for letters."""
WIDE_SLICES = 2
"""Timed in each process: the third would add a second to a round, and no interval comes from it."""
WIDE_TIMES = 2.5
"""So many times as long it may take, and twice that for the first rounds: with the audit five minutes."""


def widened(effort: Effort, named: Sequence[str]) -> Effort:
    """Return an effort for contestants of these languages, one each: of all of them it is less in more time."""
    if len(named) <= WIDE or not any(languages()[name].asked for name in named):
        return effort
    rounds = max(effort.rounds_min, min(WIDE_ROUNDS, effort.rounds_max))
    slices = min(effort.slices, WIDE_SLICES)
    return replace(effort, rounds_min=rounds, seconds_max=effort.seconds_max * WIDE_TIMES, slices=slices)


class ContestantOptions(Struct, frozen=True, kw_only=True):
    """Which contestants take part, and what their bindings are built for.

    Raises FfibenchError for a single string in place of several, a language that there is not, and an interpreter of
    Python in `programs` where `pythons` has some.
    """

    contestants: Sequence[str] = ()
    """Names or globs such as `python/c*`; all contestants where there are none. c and control always take part."""
    pythons: Sequence[str] = ()
    """Interpreters for the Python contestants; the tool's own where there are none."""
    programs: Mapping[str, str] = {}
    """Language to the path of the interpreter or compiler that is used for it, in place of the first one on PATH."""
    library: str | None = None
    """The file of the library under test, in place of the one that the experiment names."""
    kinds: Mapping[str, str] = {}
    """`FUNCTION.PARAMETER` to the kind of that parameter, where its C type does not determine it."""
    calls: Sequence[Call] = ()
    """What is measured of a header, where that is named in place of an experiment."""
    parameters: Mapping[str, Value] = {}
    """The experiment's parameters; a text is read as `--set` reads it."""

    def __post_init__(self) -> None:
        """Reject a string, which Python would iterate as many names of one letter."""
        for name, value in (("contestants", self.contestants), ("pythons", self.pythons)):
            if isinstance(value, str):
                raise FfibenchError(f"{name} is the text {value!r}", fix=f"write {name}=({value!r},)")
        strange = next((name for name in self.programs if name not in languages()), None)
        if strange is not None:
            raise FfibenchError(
                f"--with {strange}={self.programs[strange]}: there is no language {strange!r} here",
                fix=f"use one of {', '.join(sorted(languages()))}",
            )
        if self.pythons and "python" in self.programs:
            raise FfibenchError(
                f"--with python={self.programs['python']} and --python {self.pythons[0]} name different interpreters",
                fix="give --python for each of them",
            )

    @property
    def requested(self) -> Mapping[str, Sequence[str]]:
        """By language, the interpreters or compilers that the user named."""
        named = {name: (path,) for name, path in self.programs.items()}
        return {**named, "python": tuple(self.pythons)} if self.pythons else named


class PlanOptions(ContestantOptions, frozen=True, kw_only=True):
    """All options of a plan; None leaves a value to the mode or to the experiment.

    Raises FfibenchError for a value out of range.
    """

    mode: Mode = "default"
    cases: Sequence[str] = ()
    """Globs of the cases that are measured; all where there are none."""
    iterations: int | None = None
    """Per slice, the same for every contestant."""
    rounds: int | None = None
    """The exact number of rounds, regardless of precision and time."""
    slices: int | None = None
    warmup: int | None = None
    precision: float | None = None
    """The half-width of an interval, as a share of its row, at which the run stops."""
    seed: int | None = None
    """Of the random order; drawn where there is none."""
    sweep: tuple[str, str] | None = None
    """The parameter of `--sweep` and the text of its values."""
    vary: str | None = None
    """The role that each contestant plays, where there are several; C plays the others."""
    roles: Mapping[str, str] = {}
    """Role to the contestant that plays it for all."""
    worker_seconds_max: float | None = None
    """Time limit of one worker."""
    audit: bool = True
    """Whether native calls are counted before the rounds."""
    costs: bool = False
    """Whether workers are asked what the start of their binding costs: its import, its first call, its memory."""
    cold: bool = False
    """Whether each process begins a case with a slice of its first calls, before any warm-up."""
    verbose: bool = False
    """Whether workers are asked for verbose output."""

    def __post_init__(self) -> None:
        """Check the ranges."""
        super().__post_init__()
        if self.mode not in EFFORTS:
            raise FfibenchError(f"there is no mode {self.mode!r}", fix=f"use one of {', '.join(EFFORTS)}")
        least = {"iterations": 1, "rounds": 1, "slices": 1, "warmup": 0, "seed": 0}
        for name, low in least.items():
            value: int | None = getattr(self, name)
            if value is not None and value < low:
                raise FfibenchError(f"{name} is {value}", fix=f"use {low} or more")
        if self.precision is not None and not 0 < self.precision < 1:
            raise FfibenchError(f"precision is {self.precision}", fix="use a share between 0 and 1, such as 0.02")
        seconds = self.worker_seconds_max
        if seconds is not None and not (seconds > 0 and math.isfinite(seconds)):
            raise FfibenchError(f"worker_seconds_max is {seconds}", fix="use a number of seconds over 0")
