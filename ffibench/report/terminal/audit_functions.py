"""The functions of one library file that a command called, as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

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

CALLERS_MAX = 5
"""Files that are named as callers of a function; the JSON has them all."""

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
    files = _file_names(functions)
    rows: list[_Row] = []
    for function in single:
        rows += _rows(audit.source_names.get(function.name, function.name), [function], files)
    if rest:
        rows += _rows(f"{format_count(len(rest))} further functions", rest, files)
    if len(functions) > 1:
        rows += _rows("total", functions, files)
    calls = [row.calls for row in rows]
    everywhere = [True] * len(rows)
    headings, blocks = tabulated(
        {
            Heading("function", ("function",), numeric=False): [row.name for row in rows],
            Heading("caller", ("called by",), numeric=False): [row.caller for row in rows],
            Heading("calls", ("calls",)): _aligned([format_count(count) for count in calls]),
            Heading("rate", ("calls", "per second")): figures([count / audit.seconds for count in calls], everywhere),
            Heading("share", ("share of", "calls, %")): figures([100 * count / total for count in calls], everywhere),
        },
        ["ranked"] * len(rows),
        {"": len(rows)},
    )
    path = one_line(library.path)
    inode = f", inode {library.inode} of device {library.device}" if same_path else ""
    return Tabular(title=path.rpartition("/")[2], caption=f"{path}{inode}", headings=headings, blocks=blocks)


class _Row(NamedTuple):
    name: str
    caller: str
    calls: int


def _rows(name: str, functions: Sequence[FunctionCount], files: Mapping[str, str]) -> list[_Row]:
    """Give the row of some functions, with those of their callers below it where there are several."""
    callers = Counter[str]()
    for function in functions:
        callers.update(dict(function.callers))
    first = _Row(one_line(name), "", sum(function.calls for function in functions))
    if len(callers) < 2:
        return [first._replace(caller="".join(files[path] for path in callers))]
    below = [_Row("", files[path], calls) for path, calls in callers.most_common(CALLERS_MAX)]
    hidden = callers.most_common()[CALLERS_MAX:]
    if hidden:
        files_and_calls = f"{format_count(len(hidden))} further files", sum(calls for _, calls in hidden)
        below.append(_Row("", *files_and_calls))
    return [first, *below]


def _file_names(functions: Sequence[FunctionCount]) -> dict[str, str]:
    """Name the files that call, by their paths; those of the same name by the whole path."""
    paths = {path for function in functions for path, _ in function.callers}
    names = Counter(Path(path).name for path in paths)
    return {
        path: one_line(path if names[Path(path).name] > 1 else Path(path).name) or "code in no file" for path in paths
    }


def _aligned(texts: Sequence[str]) -> list[str]:
    width = max(map(len, texts))
    return [f"{text:>{width}}" for text in texts]


def _shortened(table: Tabular, width: int) -> Tabular:
    """Shorten the names that a width has no room for, in their middle: overloads of C++ differ at their ends."""
    columns = [*zip(*(line.cells for line in table.lines()), strict=True)]
    widths = [
        max(map(cell_len, (*heading.lines, *texts))) for heading, texts in zip(table.headings, columns, strict=True)
    ]
    texts = [place for place, heading in enumerate(table.headings) if not heading.numeric]
    taken = sum(size for place, size in enumerate(widths) if place not in texts) + GAP * (len(widths) - 1)
    room = max(width - taken, NAME_WIDTH_MIN)
    if len(texts) > 1:  # the caller has a third, and what the function leaves
        widths[1] = min(widths[1], max(room // 3, room - widths[0]))
        room = max(room - widths[1], NAME_WIDTH_MIN)
    widths[0] = min(widths[0], room)
    blocks = tuple(
        Block(
            block.name,
            tuple(
                replace(
                    line,
                    cells=tuple(
                        _middle_cut(cell, widths[place]) if place in texts else cell
                        for place, cell in enumerate(line.cells)
                    ),
                )
                for line in block.lines
            ),
        )
        for block in table.blocks
    )
    return replace(table, blocks=blocks)


def _middle_cut(name: str, room: int) -> str:
    if len(name) <= room:
        return name
    tail = (room - len(CUT)) // 2
    return f"{name[: room - len(CUT) - tail]}{CUT}{name[-tail:]}"
