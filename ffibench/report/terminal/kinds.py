"""What `ffibench kinds` shows: each function of a header with how its parameters cross, and what cannot be bound."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePath

from rich.console import ConsoleOptions, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ffibench.model import Crossing, CrossingFunction, HeaderKinds, RefusedFunction
from ffibench.report.table import one_line
from ffibench.report.terminal.layout import TABLE_WIDTH_MAX, Fitted, paragraph

SPELLINGS = {
    "scalar": "a number or bool",
    "bytes": "bytes, read by C as long as the length says",
    "string": "bytes without a NUL inside; as a result bytes or None",
    "buffer": "a bytearray, which C fills",
    "array": 'any object of the buffer protocol with items of that type: array.array("d", ...), NumPy; not copied',
    "cell": 'native.cell("int"), made before the loop; read as cell[0]',
    "handle": "what another call gave, or native.NULL",
    "callback": "a callable or None",
    "user_data": "any object; the callback gets it back",
    "struct": "what native.NAME(...) made",
    "struct_pointer": "what native.NAME(...) made; C writes into it unless const",
    "owned": "bytes or None; the text is freed once copied",
}
"""What a caller in Python gives for each kind; docs/kinds.md has the whole of it."""

MORE = "docs/kinds.md explains each kind, and says what each binding accepts in its place."
INDENT = 2
NAME_MAX = 32

Widths = tuple[int, int, int, int]


def kinds_screen(found: HeaderKinds) -> RenderableType:
    """Show a header, function after function, at most 160 columns wide."""
    parts: list[RenderableType] = [paragraph(_summary(found), "bold"), Text("")]
    notes = _numbered(found)
    widths = _widths(found)
    for function in found.functions:
        parts += [Fitted(_drawn(function, notes, widths), TABLE_WIDTH_MAX)]
    parts += _section("Not bound by every technology", _lacking(found, notes))
    parts += _section("Cannot be bound", _refusals(found))
    parts += _section(f"Declared, and not exported by {found.library}", _places(found.not_exported))
    parts += _section("What the caller gives, in Python", _legend(found))
    parts += [Text(""), *(paragraph(hint, "dim") for hint in (*_hints(found), MORE))]
    return Group(*parts)


def _summary(found: HeaderKinds) -> str:
    refused = sum(map(len, found.refused.values()))
    whole = sum(not each.lacking for each in found.functions)
    many = f"{len(found.functions)} functions can be bound" if len(found.functions) != 1 else "1 function can be bound"
    some = "" if whole == len(found.functions) else f", {whole} of them by all {len(found.technologies)} technologies"
    return f"{found.header}: {many}{some}; {refused} cannot"


def _hints(found: HeaderKinds) -> list[str]:
    """Spell the option that changes a kind, with a parameter and a result of this header that have another."""
    parameters = [(f.name, c) for f in found.functions for c in f.crossings if c.others and c.name != "return"]
    texts = [f.name for f in found.functions for c in f.crossings if "owned:FREE" in c.others]
    hints = [f"`--kind {name}.{c.name}={c.others[0]}` passes it as what it could be, too." for name, c in parameters]
    freed = [f"`--kind {name}.return=owned:FREE` has its text freed by the function FREE." for name in texts]
    return [*hints[:1], *freed[:1]]


def _numbered(found: HeaderKinds) -> dict[str, int]:
    """Number what technologies lack, in the order of the functions."""
    numbers: dict[str, int] = {}
    for function in found.functions:
        for text in _lacks(function):
            numbers.setdefault(text, len(numbers) + 1)
    return numbers


def _lacks(function: CrossingFunction) -> list[str]:
    """Say for each reason which technologies have it: `perl/platypus, perl/xs: no array`."""
    by_kinds: dict[tuple[str, ...], list[str]] = {}
    for technology, kinds in function.lacking.items():
        by_kinds.setdefault(kinds, []).append(technology)
    return [f"{', '.join(of)}: no {', no '.join(kinds)}" for kinds, of in by_kinds.items()]


def _widths(found: HeaderKinds) -> Widths:
    """Give the columns of names, kinds, declarations and other kinds, the same in every function."""
    crossings = [each for function in found.functions for each in function.crossings]
    names, kinds, declared, others = (
        max((len(text(each)) for each in crossings), default=0)
        for text in (lambda each: each.name, _kind, lambda each: each.declaration, _others)
    )
    return names, kinds, declared, others


def _others(crossing: Crossing) -> str:
    return f"or {', '.join(crossing.others)}" if crossing.others else ""


def _kind(crossing: Crossing) -> str:
    """Write the kind and what it leaves open; the spelling of a cell names its kind already."""
    if crossing.note.startswith(crossing.kind):
        return crossing.note
    return " ".join(filter(None, (crossing.kind, _bracketed(crossing.note))))


def _bracketed(text: str) -> str:
    return f"({text})" if text else ""


def _drawn(
    function: CrossingFunction, notes: dict[str, int], widths: Widths
) -> Callable[[ConsoleOptions], RenderableType]:
    """Give what draws a function: its name and place, and a line for each parameter and the result."""

    def build(options: ConsoleOptions) -> RenderableType:
        marks = "".join(f" [{notes[text]}]" for text in _lacks(function))
        head = Text(function.name, style="bold")
        head.append(f"  {_place(function)}", "dim")
        head.append(marks, "yellow")
        return Group(head, *([_rows(function.crossings, widths, options)] if function.crossings else []))

    return build


def _rows(crossings: Sequence[Crossing], widths: Widths, options: ConsoleOptions) -> Table:
    """Lay out the parameters of a function; what is longer than the room for it folds."""
    names, kinds = min(widths[0], options.max_width // 5), min(widths[1], options.max_width * 3 // 10)
    declared, others = widths[2:]
    room = options.max_width - names - kinds - INDENT - 6  # 3 gaps of 2
    others = min(others, max(room // 2, room - declared))
    grid = Table.grid(padding=(0, 2, 0, 0))
    for width in (0, names, kinds, min(declared, room - others), others):
        grid.add_column(width=width, overflow="fold")
    for each in crossings:
        kind = Text(_kind(each))
        kind.stylize("green", 0, len(each.kind))
        grid.add_row("", each.name, kind, Text(each.declaration, style="dim"), Text(_others(each), style="dim"))
    return grid


def _place(function: CrossingFunction | RefusedFunction) -> str:
    return f"{PurePath(function.file).name}:{function.line}"


def _section(title: str, lines: Sequence[RenderableType]) -> Iterator[RenderableType]:
    if lines:
        yield Text("")
        yield paragraph(title, "bold")
        yield from lines


def _lacking(found: HeaderKinds, notes: dict[str, int]) -> list[RenderableType]:
    return [_hanging(f"[{number}]", text, len(f"[{len(notes)}]")) for text, number in notes.items()]


def _refusals(found: HeaderKinds) -> list[RenderableType]:
    lines: list[RenderableType] = []
    for why, group in found.refused.items():
        lines.append(paragraph(f"{' ' * INDENT}{why}", "yellow"))
        width = min(max(len(each.name) for each in group), NAME_MAX)
        for each in group:
            said = ", ".join(each.said_of)
            told = "  ".join(filter(None, (_place(each), one_line(said), _bracketed(each.fix))))
            lines.append(_hanging(f"{' ' * INDENT}{each.name}", told, width + INDENT))
    return lines


def _places(functions: Sequence[CrossingFunction]) -> list[RenderableType]:
    width = max((len(each.name) for each in functions), default=0)
    return [_hanging(each.name, _place(each), width) for each in functions]


def _legend(found: HeaderKinds) -> list[RenderableType]:
    used = {crossing.kind for function in found.functions for crossing in function.crossings}
    width = max((len(kind) for kind in used), default=0)
    lines = [_hanging(kind, text, width) for kind, text in SPELLINGS.items() if kind in used]
    made = ", ".join(f"native.{text}" for text in found.structs.values())
    return [*lines, *([_hanging("", f"structs: {made}", width)] if made else [])]


def _hanging(label: str, text: str, width: int) -> Fitted:
    """Show a label and its text, which wraps beside it."""

    def build(_options: ConsoleOptions) -> RenderableType:
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(width=width + INDENT, overflow="fold")
        grid.add_column(overflow="fold")
        grid.add_row(Text(f"{' ' * INDENT}{label}"), Text(text))
        return grid

    return Fitted(build, TABLE_WIDTH_MAX)
