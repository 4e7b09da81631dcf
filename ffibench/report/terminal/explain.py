"""What `ffibench explain EXPERIMENT` shows: where the nanoseconds go, part below part, and whether they add up."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from rich.console import ConsoleOptions, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ffibench.model import Explanation, Explanations, PartKind, Priced
from ffibench.model.price import WITHIN
from ffibench.report.table import one_line
from ffibench.report.terminal.layout import TABLE_WIDTH_MAX, Fitted, definitions, paragraph, quiet_table
from ffibench.report.terminal.waterfall import Step, Waterfall
from ffibench.units import EN_DASH, aligned, format_number, format_share

STYLES: dict[PartKind, str] = {
    "loop": "dim",
    "call": "cyan",
    "argument": "cyan",
    "callback": "cyan",
    "result": "cyan",
    "together": "blue",
    "lock": "magenta",
    "native": "green",
}
BAR_MIN = 12
BAR_MAX = 72
WATERFALLS_MAX = 4
"""Of more there is the table alone; the JSON has all parts."""

LIMITS = (
    "No part has a price for what a real program does around a call: memory that is in no cache, the Python between "
    "two calls, exceptions. docs/explain.md says what is measured for each part."
)


def explain_screen(found: Explanations) -> RenderableType:
    """Show each explanation, a table of all where there are several, and what has none."""
    parts: list[RenderableType] = [paragraph(f"{found.experiment}: {one_line(found.title)}", "bold")]
    cases = {each.case for each in found.explained}
    if len(found.explained) > 1:
        parts += [Text(""), Fitted(_all(found.explained, several=len(cases) > 1), TABLE_WIDTH_MAX)]
    if len(found.explained) > WATERFALLS_MAX:
        one = found.explained[0]
        case = f" --case {shlex.quote(one.case)}" if len(cases) > 1 else ""
        hint = f"`ffibench explain {found.experiment} {one.contestant}{case}` shows where its time goes."
        parts += [Text(""), paragraph(hint, "dim")]
    else:
        for each in found.explained:
            parts += [Text(""), *_one(each, several=len(cases) > 1)]
    reasons: dict[str, list[str]] = {}
    for left in found.unexplained:
        name = f"{left.contestant}, {left.case}" if left.case and len(cases) > 1 else left.contestant
        reasons.setdefault(left.reason, []).append(name)
    if reasons:
        entries = [(Text(", ".join(names)), Text(one_line(why))) for why, names in reasons.items()]
        parts += [Text(""), paragraph("Not explained", "bold"), *(_reason(name, why) for name, why in entries)]
    parts += [Text(""), paragraph(_measured(found), "dim"), paragraph(LIMITS, "dim")]
    return Group(*parts)


def _reason(names: Text, why: Text) -> RenderableType:
    return Fitted(lambda _options: definitions([(Text("  "), Group(names, Text.assemble(why, style="yellow")))]))


def _measured(found: Explanations) -> str:
    rounds = f"{found.rounds} round{'s'[: found.rounds != 1]}"
    few = "" if found.rounds >= 6 else "; a 95 % interval takes 6"
    return f"Processor time of {rounds}; each part is its median share of what was measured in the same round{few}."


def _one(each: Explanation, *, several: bool) -> Iterator[RenderableType]:
    head = Text(each.contestant, style="bold")
    head.append(f" {each.version}".rstrip(), "dim")
    head.append(f"  {each.interpreter}", "dim")
    if several:
        head.append(f"  {one_line(each.case)}")
    yield head
    yield paragraph(one_line(each.operation), "dim")
    yield Fitted(_parts(each), TABLE_WIDTH_MAX)
    yield from (paragraph(sentence, style) for sentence, style in verdict(each))


def verdict(each: Explanation) -> Iterator[tuple[str, str]]:
    """Say whether the parts account for the whole, and what is missing where they do not."""
    apart = each.predicted_ns - each.measured.ns
    share = format_share(abs(each.difference))
    if each.within:
        yield f"The parts add up to within {format_share(WITHIN)} of what was measured.", "green"
    elif apart < 0:
        yield f"Missing: {format_number(-apart)} ns, {share} of what was measured, belong to no part.", "yellow"
    else:
        yield f"The parts cost {format_number(apart)} ns more alone than together, {share} of the whole.", "yellow"
    if not each.within and _spans(each):
        yield "The interval of the difference holds smaller ones too: more rounds, or a quieter host, decide.", "yellow"
    if each.missing:
        yield f"Without a price: {'; '.join(each.missing)}.", "yellow"


def _spans(each: Explanation) -> bool:
    low, high = each.difference_low, each.difference_high
    return low is not None and high is not None and low <= WITHIN and high >= -WITHIN


def _parts(each: Explanation) -> Callable[[ConsoleOptions], RenderableType]:
    """Give what draws the parts: name, nanoseconds, interval where there is room, a bar from where the last ended."""
    figures = [part.price.ns for part in each.parts]
    ends = list(accumulate(figures))
    steps = [Step(end - ns, end, STYLES[part.kind]) for part, ns, end in zip(each.parts, figures, ends, strict=True)]
    steps += [Step(0.0, each.predicted_ns, "bold"), Step(0.0, each.measured.ns, "bold")]
    rows = [(_label(part.name, part.what), part.price) for part in each.parts]
    rows += [(Text("predicted", "bold"), Priced(ns=each.predicted_ns)), (Text("measured", "bold"), each.measured)]
    texts = aligned([format_number(price.ns, finest=1) for _, price in rows])
    difference = Text("difference", "bold"), _signed(each.difference), _interval_of(each)

    def build(options: ConsoleOptions) -> RenderableType:
        spans = options.max_width >= 100
        wide = max(*(len(label) for label, _ in rows), len(difference[0]))
        names = min(wide, options.max_width // 2 - 4)
        room = options.max_width - names - len(texts[0]) - 8 - (18 if spans else 0)
        drawn = Waterfall(max(step.high for step in steps), max(min(room, BAR_MAX), BAR_MIN), options.ascii_only)
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(width=names, overflow="fold")
        table.add_column(justify="right", no_wrap=True)
        if spans:
            table.add_column(no_wrap=True, style="dim", min_width=16)
        table.add_column(no_wrap=True)
        for (label, price), text, step in zip(rows, texts, steps, strict=True):
            between = [_interval(price)] if spans else []
            table.add_row(label, f"{text} ns", *between, drawn.bar(step))
        table.add_row(difference[0], difference[1], *([difference[2]] if spans else []), "")
        return table

    return build


def _label(name: str, what: str) -> Text:
    label = Text(f"{name}  ") if name else Text()
    label.append(what, "dim" if name else "")
    return label


def _interval(price: Priced) -> str:
    if price.low_ns is None or price.high_ns is None:
        return ""
    return f"{format_number(price.low_ns, finest=1)} to {format_number(price.high_ns, finest=1)}"


def _interval_of(each: Explanation) -> str:
    if each.difference_low is None or each.difference_high is None:
        return ""
    return f"{_signed(each.difference_low)} to {_signed(each.difference_high)}"


def _signed(share: float) -> str:
    text = format_share(share)
    return text if text.startswith("-") or not share > 0 else f"+{text}"


def _all(explained: Sequence[Explanation], *, several: bool) -> Callable[[ConsoleOptions], RenderableType]:
    """Give what draws all of them, a line each."""

    def build(options: ConsoleOptions) -> RenderableType:
        table = quiet_table(options)
        table.add_column("contestant", overflow="fold")
        if several:
            table.add_column("case", overflow="fold")
        for head in ("predicted", "measured", "difference", "95 % CI"):
            table.add_column(head, justify="right", no_wrap=True)
        predicted = aligned([format_number(each.predicted_ns) for each in explained])
        measured = aligned([format_number(each.measured.ns) for each in explained])
        for each, left, right in zip(explained, predicted, measured, strict=True):
            style = "green" if each.within else "yellow"
            names = [each.contestant, *([one_line(each.case)] if several else [])]
            between = _interval_of(each).replace(" to ", EN_DASH if "-" not in _interval_of(each) else " to ")
            table.add_row(*names, f"{left} ns", f"{right} ns", Text(_signed(each.difference), style), between)
        return table

    return build
