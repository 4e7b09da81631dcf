"""Functions that no binding can be given as they are: why, and one report of all that a header has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from ffibench.errors import FfibenchError
from ffibench.headers.types import Kind

AROUND = "declare a plain function around it instead"


class Refusal(Struct, frozen=True):
    """A function that fits no kind.

    Attributes:
        name: the function's.
        file: the header that declares it, and `line`, from 1.
        reasons: what hinders, `has no length beside it ...`, each with the parameters that it is said of as they are
            declared; with none where it is said of the function.
        offers: by `FUNCTION.PARAMETER` what the user can call what hinders, the likeliest first; without any, only
            another function helps.

    """

    name: str
    file: str
    line: int
    reasons: Mapping[str, tuple[str, ...]]
    offers: Mapping[str, tuple[Kind, ...]] = {}

    @property
    def reason(self) -> str:
        """All that hinders, with the parameters: the end of a sentence about the function."""
        return ", and ".join(" ".join(filter(None, (", ".join(of), why))) for why, of in self.reasons.items())

    @property
    def options(self) -> str:
        """The options of the command line that make it fit; empty where there are none."""
        return " ".join(f"--kind {place}={kinds[0]}" for place, kinds in self.offers.items())

    @property
    def fix(self) -> str:
        """What makes it fit."""
        if not self.offers:
            return AROUND
        fitting = ", ".join(dict.fromkeys(kind for kinds in self.offers.values() for kind in kinds))
        return f"say what is meant, as in `{self.options}` (what can fit: {fitting})"

    @property
    def error(self) -> FfibenchError:
        """The same for its user."""
        return FfibenchError(f"{self.file}:{self.line}: `{self.name}` fits no kind: {self.reason}", self.fix)


def by_reason(refusals: Iterable[Refusal]) -> dict[str, tuple[Refusal, ...]]:
    """Return the refusals by what hinders, without parameters, the reason of the most functions first.

    A function that more than one thing hinders stands under all of them together, so that it stands once.
    """
    groups: dict[str, list[Refusal]] = {}
    for each in refusals:
        groups.setdefault(", and ".join(each.reasons), []).append(each)
    return {why: tuple(groups[why]) for why in sorted(groups, key=lambda why: -len(groups[why]))}


def refusal_report(refusals: Iterable[Refusal]) -> str:
    """Return lines that tell of every refused function once, with its place, under what hinders it."""
    lines: list[str] = []
    for why, group in by_reason(refusals).items():
        lines.append(f"{why}:")
        for each in group:
            said_of = ", ".join(text for texts in each.reasons.values() for text in texts)
            lines.append(f"  {each.file}:{each.line}: `{each.name}`{': ' * bool(said_of)}{said_of}")
    return "\n".join(lines)
