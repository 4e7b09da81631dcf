"""What `ffibench explain -- COMMAND` shows: the calls with their prices, and the same calls through other bindings."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from pathlib import PurePath

from rich.console import ConsoleOptions, Group, RenderableType
from rich.text import Text

from ffibench.model import CalledByProgram, ProgramCost, ThroughBinding
from ffibench.report.table import one_line
from ffibench.report.terminal.layout import TABLE_WIDTH_MAX, Fitted, definitions, paragraph, quiet_table
from ffibench.report.terminal.waterfall import Step, Waterfall
from ffibench.units import aligned, format_count, format_ns, format_seconds, format_share

FUNCTIONS_MAX = 20
COMMAND_CHARACTERS_MAX = 200
BAR_MAX = 40
BAR_MIN = 12

LIMITS = (
    "A price is that of the call alone, with arguments made before and kept in a cache. What the program does around "
    "its calls is not in it: its own Python, wrappers, exceptions, calls back from C. Arguments are taken to be as the "
    "header declares them; docs/explain.md says what that means."
)


def program_screen(found: ProgramCost) -> RenderableType:
    """Show what a program's crossings cost, function by function, then binding by binding."""
    parts: list[RenderableType] = [
        paragraph(_headline(found), "bold"),
        Text(""),
        Fitted(_functions(found), TABLE_WIDTH_MAX),
    ]
    more = len(found.functions) - FUNCTIONS_MAX
    if more > 0:
        parts.append(paragraph(f"and {format_count(more)} further function{'s'[: more != 1]}, in the JSON", "dim"))
    parts += [Text(""), paragraph("The same calls through", "bold"), Fitted(_bindings(found), TABLE_WIDTH_MAX)]
    entries = [
        (Text(label, style="magenta" if label == "warning" else "dim"), Text(text)) for label, text in _facts(found)
    ]
    parts += [Text(""), Fitted(lambda _options: definitions(entries)), Text(""), paragraph(LIMITS, "dim")]
    return Group(*parts)


def _headline(found: ProgramCost) -> str:
    own = found.bindings[0]
    assert own.seconds is not None  # else there is no cost
    calls = f"{format_count(found.priced_calls)} call{'s'[: found.priced_calls != 1]}"
    cost = f"{calls} through {found.binding} cost {format_seconds(own.seconds)} to cross"
    if not found.cpu_seconds:  # less than the system's clock has of it
        return cost
    share = format_share(own.seconds / found.cpu_seconds)
    return f"{cost}, {share} of the program's {format_seconds(found.cpu_seconds)} of processor time"


def _functions(found: ProgramCost) -> Callable[[ConsoleOptions], RenderableType]:
    shown = found.functions[:FUNCTIONS_MAX]

    def build(options: ConsoleOptions) -> RenderableType:
        table = quiet_table(options)
        table.add_column("function", overflow="fold")
        for head in ("calls", "a call", "all"):
            table.add_column(head, justify="right", no_wrap=True)
        signatures = options.max_width >= 100
        table.add_column("", overflow="fold", style="dim")
        prices = aligned([_price(each) for each in shown])
        for each, price in zip(shown, prices, strict=True):
            whole = "" if each.price is None else format_seconds(max(each.calls * each.price.ns / 1e9, 0.0))
            told = each.reason or (each.signature if signatures else "")
            table.add_row(one_line(each.name), format_count(each.calls), price, whole, one_line(told))
        return table

    return build


def _price(each: CalledByProgram) -> str:
    return "no price" if each.price is None else format_ns(each.price.ns)


def _bindings(found: ProgramCost) -> Callable[[ConsoleOptions], RenderableType]:
    known = [each for each in found.bindings if each.seconds is not None]
    top = max((each.seconds or 0.0 for each in known), default=0.0)

    def build(options: ConsoleOptions) -> RenderableType:
        table = quiet_table(options)
        table.add_column("binding", no_wrap=True)
        for head in ("crossing", "saved", "of the time"):
            table.add_column(head, justify="right", no_wrap=True)
        spans = options.max_width >= 100
        if spans:
            table.add_column("saved, 95 % CI", no_wrap=True, style="dim")
        table.add_column("", overflow="fold")
        names = max(len(each.contestant) for each in found.bindings)
        room = options.max_width - names - 36 - (26 if spans else 0)
        drawn = Waterfall(top, max(min(room, BAR_MAX), BAR_MIN), options.ascii_only)
        for each in found.bindings:
            own = each is found.bindings[0]
            style = "bold" if own else "green" if (each.saved_seconds or 0.0) > 0 else ""
            table.add_row(*_row(each, found, own=own, spans=spans, drawn=drawn), style=style)
        return table

    return build


def _row(
    each: ThroughBinding, found: ProgramCost, *, own: bool, spans: bool, drawn: Waterfall
) -> Iterator[RenderableType]:
    yield each.contestant
    if each.seconds is None or each.saved_seconds is None:
        yield from [Text("")] * (4 if spans else 3)
        yield Text(one_line(each.reason), style="yellow")
        return
    yield format_seconds(max(each.seconds, 0.0))
    yield "" if own else _signed(each.saved_seconds)
    yield "" if own or not found.cpu_seconds else format_share(each.saved_seconds / found.cpu_seconds)
    if spans:
        low, high = each.low_saved_seconds, each.high_saved_seconds
        yield "" if own or low is None or high is None else f"{_signed(low)} to {_signed(high)}"
    yield drawn.bar(Step(0.0, each.seconds, ""))


def _signed(seconds: float) -> str:
    return f"-{format_seconds(-seconds)}" if seconds < 0 else format_seconds(seconds)


def _facts(found: ProgramCost) -> Iterator[tuple[str, str]]:
    command = one_line(shlex.join(found.command))
    yield (
        "command",
        command if len(command) <= COMMAND_CHARACTERS_MAX else f"{command[: COMMAND_CHARACTERS_MAX - 3]}...",
    )
    yield "wall time", f"{format_seconds(found.seconds)} without the count"
    if found.exit_status:
        yield "ended", f"with status {found.exit_status}"
    callers = sorted(found.callers.items(), key=lambda each: -each[1])
    yield "called by", ", ".join(f"{PurePath(path).name or 'code in no file'} {format_count(n)}" for path, n in callers)
    unpriced = found.calls - found.priced_calls
    if unpriced:
        yield "no price", f"{format_count(unpriced)} of {format_count(found.calls)} calls are in no sum above"
    yield "prices", f"{found.bindings[0].interpreter}, {found.rounds} rounds, by {one_line(found.header)}"
    for trouble in found.troubles:
        yield "warning", one_line(trouble)
