"""Which contestants a user selects with `--contestant`, and which of them cannot run here."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from msgspec import Struct

from ffibench.catalog.candidates import Candidate
from ffibench.catalog.folders import nearest
from ffibench.errors import FfibenchError
from ffibench.model import BASELINE, CONTROL, Unavailable


class Selection(Struct, frozen=True, kw_only=True):
    """The contestants of a run, and the selected ones that are not available."""

    present: tuple[Candidate, ...]
    unavailable: tuple[Unavailable, ...]


def select(found: Sequence[Candidate], patterns: Sequence[str], known: Sequence[str] = ()) -> Selection:
    """Return the contestants that match the patterns, all where there are none; baseline and control always.

    An optional one that is not here is left out, but where it is all that a pattern could mean.
    `known` are the names of all contestants, those of `found` where there are none.
    Raises FfibenchError for a pattern that matches none, for a contestant given by name that this
    machine cannot run, and where the baseline cannot run.
    """
    names = list(known) or list(dict.fromkeys(candidate.contestant.name for candidate in found))
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise FfibenchError(
                f"no contestant {pattern!r}{nearest(pattern, names)}",
                fix="run `ffibench list EXPERIMENT` to see all of them",
            )
    selected = [candidate for candidate in found if _selected(candidate, patterns)]
    for candidate in selected:
        name, missing = candidate.contestant.name, candidate.missing
        if missing is not None and (name == BASELINE or name in patterns):
            raise FfibenchError(f"{name} cannot run here: {missing.reason}", fix=f"{missing.fix}")
    present = tuple(candidate for candidate in selected if candidate.missing is None)
    here = {candidate.contestant.name for candidate in present}
    # Of a pattern that nobody here matches each is told: else a run of `rust/*` without Rust would say nothing of it.
    empty = [pattern for pattern in patterns if not any(fnmatchcase(name, pattern) for name in here)]
    return Selection(
        present=present,
        unavailable=tuple(
            Unavailable(contestant=each.contestant, reason=f"{each.missing.reason}; {each.missing.fix}")
            for each in selected
            if each.missing is not None
            and (not each.optional or any(fnmatchcase(each.contestant.name, pattern) for pattern in empty))
        ),
    )


def _selected(candidate: Candidate, patterns: Sequence[str]) -> bool:
    name = candidate.contestant.name
    return not patterns or name in {BASELINE, CONTROL} or any(fnmatchcase(name, pattern) for pattern in patterns)
