"""Options that several commands share, and the types of their values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from ffibench.cli._help import CONTESTANTS, EFFORT, FILES, PARAMETERS, F, option
from ffibench.errors import FfibenchError
from ffibench.units import parse_count

if TYPE_CHECKING:
    from ffibench.plan.options import ContestantOptions
    from ffibench.results.gate import Gate


class Count(click.ParamType[int]):
    """A positive whole number, which may be written 10_000_000, 10M or 1e7; 0 too, where that makes sense."""

    name = "n"

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
            self.fail(f"{value} is too large; use {self.most:,} or less", param, ctx)
        return count


class Percent(click.ParamType[float]):
    """A share between 0 and 1, which may be written 0.02 or 2%."""

    name = "percent"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        """Read the share; the message says what was wrong."""
        if isinstance(value, float):
            return value
        try:
            share = float(value.rstrip("%")) / (100 if value.endswith("%") else 1)
        except ValueError:
            self.fail(f"{value!r} is not a share; write 2% or 0.02", param, ctx)
        if not 0 < share < 1:
            self.fail(f"{value} is not between 0 and 1; write 2% or 0.02", param, ctx)
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
            self.fail(f"{value!r} is not of the form {self.form}", param, ctx)
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


contestants = option(
    "--contestant",
    "-c",
    "contestants",
    group=CONTESTANTS,
    multiple=True,
    metavar="NAME",
    help="Only this contestant, or those that match a glob such as 'python/*'; repeatable. "
    "c and control always take part.",
)

pythons = option(
    "--python",
    "pythons",
    group=CONTESTANTS,
    multiple=True,
    metavar="PATH",
    help="Build and run the Python contestants for this interpreter; repeatable, each gets rows of its own.",
)

programs = option(
    "--with",
    "programs",
    group=CONTESTANTS,
    multiple=True,
    type=Pair("LANGUAGE=PATH"),
    metavar="LANGUAGE=PATH",
    help="Use this interpreter or compiler of a language, not the first on PATH: node=/opt/node/bin/node; repeatable, "
    "one of each language.",
)


def runtimes(command: F) -> F:
    """Give the options that say which interpreters and compilers run the contestants."""
    return pythons(programs(command))


library = option(
    "--library",
    group=CONTESTANTS,
    metavar="PATH",
    help="Use this file, or what the loader finds by this name, in place of the library that the experiment names.",
)

kinds = option(
    "--kind",
    "kinds",
    group=CONTESTANTS,
    multiple=True,
    type=Pair(),
    metavar="FUNCTION.PARAMETER=KIND",
    help="Pass a parameter of the header as this kind, where its C type does not say; repeatable.",
)

calls = option(
    "--call",
    "calls",
    group=CONTESTANTS,
    multiple=True,
    metavar="EXPRESSION",
    help="Of a header, measure this: 'foo_add(1, 2)', or a sequence, 'h = f(); g(h)'; repeatable.",
)

setup = option(
    "--setup",
    group=CONTESTANTS,
    multiple=True,
    metavar="EXPRESSION",
    help="Call this before the loop of each --call: 'sqlite3_open(\":memory:\", out(db)) == 0'; repeatable.",
)

teardown = option(
    "--teardown", group=CONTESTANTS, multiple=True, metavar="EXPRESSION", help="Call this after it; repeatable."
)

unchecked = option(
    "--unchecked",
    group=CONTESTANTS,
    is_flag=True,
    help="Do not compare what the calls answer with what they answer in C.",
)


def measured_calls(command: F) -> F:
    """Give the options that say what is measured of a header."""
    return calls(setup(teardown(unchecked(command))))


parameters = option(
    "--set",
    "parameters",
    group=PARAMETERS,
    multiple=True,
    type=Pair(),
    help="Set a parameter of the experiment; repeatable. `ffibench list EXPERIMENT` shows them.",
)


def chosen_cases(group: str, what: str) -> Callable[[F], F]:
    """Give `--case`; `what` it does, in a sentence."""
    return option(
        "--case",
        "cases",
        group=group,
        multiple=True,
        metavar="GLOB",
        help=f"{what}; a name may be cut after a word; repeatable.",
    )


seed = option(
    "--seed",
    group=EFFORT,
    type=Count(10**15, zero=True),
    metavar="SEED",
    help="Seed of the random order of the contestants.  [default: drawn]",
)


def json_file(what: str) -> Callable[[F], F]:
    """Give `--json`, of a command that has one format."""
    return option("--json", "file", group=FILES, metavar="FILE", help=f"Write {what} as JSON; - is standard output.")


def contestant_options(given: dict[str, Any], **changes: Any) -> ContestantOptions:  # noqa: ANN401 (as click gives)
    """Make typed options of those of a command that say who takes part; `changes` are those that it has not."""
    from ffibench.plan.options import ContestantOptions

    return ContestantOptions(**{**typed(given), **changes})


def typed(given: dict[str, Any]) -> dict[str, Any]:
    """Return options as click gives them with mappings for pairs, and the calls of a header as values."""
    from ffibench.model import Call

    values: dict[str, Any] = {
        name: dict(value) if name in {"parameters", "kinds", "programs"} else value for name, value in given.items()
    }
    _require_one_program(given.get("programs", ()))
    for name in ("setup", "teardown", "unchecked"):
        if values.get(name) and not values.get("calls"):
            raise FfibenchError(f"--{name} is for a --call, and there is none", fix="add --call 'foo_add(1, 2)'")
    setup, teardown = values.pop("setup", ()), values.pop("teardown", ())
    checked = not values.pop("unchecked", False)
    calls = (Call(expression=each, setup=setup, teardown=teardown, checked=checked) for each in values.get("calls", ()))
    return {**values, "calls": tuple(calls)}


def _require_one_program(programs: Sequence[tuple[str, str]]) -> None:
    """Raise FfibenchError where `--with` names two programs of a language, of which one would have no rows."""
    for place, (language, path) in enumerate(programs):
        earlier = dict(programs[:place]).get(language)
        if earlier is not None:
            raise FfibenchError(
                f"--with names two programs of {language}, {earlier} and {path}",
                fix="give --python for each of them" if language == "python" else "name one of them in each run",
            )
