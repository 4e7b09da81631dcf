"""Options that several commands share, and the types of their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ffibench.units import parse_count

if TYPE_CHECKING:
    from ffibench.plan.options import ContestantOptions
    from ffibench.results.gate import Gate


class Count(click.ParamType[int]):
    """A positive whole number, which may be written 10_000_000, 10M or 1e7; 0 too, where that makes sense."""

    name = "count"

    def __init__(self, most: int, *, zero: bool = False) -> None:
        self.most = most
        self.zero = zero

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ANN401
        """Read the number; the message says what was wrong."""
        if isinstance(value, int):
            return value
        if self.zero and value == "0":
            return 0
        try:
            count = parse_count(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        if count > self.most:
            self.fail(f"{value} is more than {self.most:,}, the most that makes sense here", param, ctx)
        return count


class Share(click.ParamType[float]):
    """A share between 0 and 1, which may be written 0.02 or 2%."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        """Read the share; the message says what was wrong."""
        if isinstance(value, float):
            return value
        try:
            share = float(value.rstrip("%")) / (100 if value.endswith("%") else 1)
        except ValueError:
            self.fail(f"{value!r} is no share; 0.02 and 2% are", param, ctx)
        if not 0 < share < 1:
            self.fail(f"{value} is not between 0 and 1; 0.02 and 2% are", param, ctx)
        return share


class Pair(click.ParamType[tuple[str, str]]):
    """NAME=VALUE."""

    name = "NAME=VALUE"

    def __init__(self, form: str = "NAME=VALUE") -> None:
        self.form = form

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:  # noqa: ANN401
        """Split at the first equals sign."""
        if isinstance(value, tuple):
            return value
        name, equals, text = value.partition("=")
        if not equals or not name:
            self.fail(f"{value!r} is not {self.form}", param, ctx)
        return name, text


class Threshold(click.ParamType["Gate"]):
    """[SERIES=]FACTOR, which throughput has to reach over a sweep."""

    name = "[SERIES=]FACTOR"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Gate:  # noqa: ANN401
        """Read the gate; the message says what was wrong."""
        from ffibench.results.gate import Gate, parse_gate

        if isinstance(value, Gate):
            return value
        try:
            return parse_gate(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


contestants = click.option(
    "--contestant",
    "-c",
    "contestants",
    multiple=True,
    metavar="NAME",
    help="Only this contestant, or those that match a glob such as 'python/*'; repeatable. "
    "c and control always take part.",
)

pythons = click.option(
    "--python",
    "pythons",
    multiple=True,
    metavar="PATH",
    help="Run the Python contestants under this interpreter, their shims built for it; repeatable.",
)

library = click.option(
    "--library", metavar="PATH", help="Use this shared library in place of the one that the experiment names."
)

kinds = click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=Pair(),
    metavar="FUNCTION.PARAMETER=KIND",
    help="How a parameter of the header crosses the boundary, where its type does not tell; repeatable.",
)


def contestant_options(given: dict[str, Any], **changes: Any) -> ContestantOptions:  # noqa: ANN401 (as click gives)
    """Make typed options of those of a command that say who takes part; `changes` are those that it has not."""
    from ffibench.plan.options import ContestantOptions

    return ContestantOptions(**{**given, "kinds": dict(given["kinds"]), **changes})
