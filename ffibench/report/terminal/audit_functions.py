"""The functions of one library file that a command called, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.cells import cell_len

from ffibench.audit.command import CommandAudit
from ffibench.audit.counting import CountedLibrary, FunctionCount
from ffibench.report.table import Block, Heading, Tabular, figures, one_line, tabulated
from ffibench.report.terminal.layout import GAP, TABLE_WIDTH_MAX, Fitted
from ffibench.report.terminal.table import drawn_table
from ffibench.units import format_count

FUNCTIONS_MAX = 50
"""Rows of a table; what is called more rarely than so many others is one row. The JSON has them all."""

NAME_WIDTH_MIN = 24
"""A terminal that is too narrow for this and the figures wraps the names."""

CUT = "..."


def called(library: CountedLibrary) -> list[FunctionCount]:
    """Give the functions that were called at all, most called first, then by name."""
    functions = [function for function in library.functions if function.calls]
    return sorted(functions, key=lambda function: (-function.calls, function.name))


def drawn_functions(library: CountedLibrary, audit: CommandAudit, *, same_path: bool) -> Fitted:
    """Draw one library file as a table; one that shares its path with another has its inode beside it."""
    whole = _function_table(library, audit, same_path=same_path)
    return Fitted(lambda options: drawn_table(_shortened(whole, options.max_width)), TABLE_WIDTH_MAX)


def _function_table(library: CountedLibrary, audit: CommandAudit, *, same_path: bool) -> Tabular:
    functions = called(library)
    rest = functions[FUNCTIONS_MAX:] if len(functions) > FUNCTIONS_MAX + 1 else []
    single = functions[: len(functions) - len(rest)]
    total = sum(function.calls for function in functions)
    names = [one_line(audit.source_names.get(function.name, function.name)) for function in single]
    calls = [function.calls for function in single]
    if rest:
        names.append(f"{format_count(len(rest))} further functions")
        calls.append(sum(function.calls for function in rest))
    if len(functions) > 1:
        names.append("total")
        calls.append(total)
    everywhere = [True] * len(calls)
    headings, blocks = tabulated(
        {
            Heading("function", ("function",), numeric=False): names,
            Heading("calls", ("calls",)): _aligned([format_count(count) for count in calls]),
            Heading("rate", ("calls", "per second")): figures([count / audit.seconds for count in calls], everywhere),
            Heading("share", ("share of", "calls, %")): figures([100 * count / total for count in calls], everywhere),
        },
        ["ranked"] * len(calls),
        {"": len(calls)},
    )
    path = one_line(library.path)
    inode = f", inode {library.inode} of device {library.device}" if same_path else ""
    return Tabular(title=path.rpartition("/")[2], caption=f"{path}{inode}", headings=headings, blocks=blocks)


def _aligned(texts: Sequence[str]) -> list[str]:
    width = max(map(len, texts))
    return [f"{text:>{width}}" for text in texts]


def _shortened(table: Tabular, width: int) -> Tabular:
    """Shorten the names that a width has no room for, in their middle: overloads of C++ differ at their ends."""
    cells = [line.cells for line in table.lines()]
    figures_width = sum(
        GAP + max(map(cell_len, (*heading.lines, *texts)))
        for heading, texts in zip(table.headings[1:], [*zip(*cells, strict=True)][1:], strict=True)
    )
    room = max(width - figures_width, NAME_WIDTH_MIN)
    blocks = tuple(
        Block(
            block.name,
            tuple(replace(line, cells=(_middle_cut(line.cells[0], room), *line.cells[1:])) for line in block.lines),
        )
        for block in table.blocks
    )
    return replace(table, blocks=blocks)


def _middle_cut(name: str, room: int) -> str:
    if len(name) <= room:
        return name
    tail = (room - len(CUT)) // 2
    return f"{name[: room - len(CUT) - tail]}{CUT}{name[-tail:]}"
