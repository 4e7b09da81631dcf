"""The functions of one library file that a command called, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from ffibench.audit.command import CommandAudit
from ffibench.audit.counting import CountedLibrary, FunctionCount
from ffibench.report.table import Heading, Tabular, figures, one_line, tabulated
from ffibench.units import format_count

FUNCTIONS_MAX = 50
"""Rows of a table; what is called more rarely than so many others is one row. The JSON has them all."""


def called(library: CountedLibrary) -> list[FunctionCount]:
    """Give the functions that were called at all, most called first, then by name."""
    functions = [function for function in library.functions if function.calls]
    return sorted(functions, key=lambda function: (-function.calls, function.name))


def function_table(library: CountedLibrary, audit: CommandAudit, *, same_path: bool) -> Tabular:
    """Tabulate one library file; one that shares its path with another is named with its inode."""
    functions = called(library)
    rest = functions[FUNCTIONS_MAX:] if len(functions) > FUNCTIONS_MAX + 1 else []
    single = functions[: len(functions) - len(rest)]
    total = sum(function.calls for function in functions)
    names = [one_line(function.name) for function in single]
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
