"""What `ffibench audit -- COMMAND` shows: a table for each library file that was counted, and how the command went."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from ffibench.audit.command import CommandAudit
from ffibench.audit.comparison import PAIRS_FOR_INTERVAL, Added, Comparison
from ffibench.report.table import one_line
from ffibench.report.terminal.audit_functions import called, drawn_functions
from ffibench.report.terminal.layout import Fitted, definitions, paragraph
from ffibench.report.terminal.table import stacked
from ffibench.stats import Estimate
from ffibench.units import EN_DASH, format_count, format_ns, format_number, format_seconds

COSTED_CALLS_MIN = 1_000_000
"""Fewer calls add less than the start of a process differs by from one to the next, some milliseconds."""

SURVIVORS_MAX = 5
"""Processes that are named; the JSON has them all."""

NAMES_MAX = 3
"""Functions that are named in a sentence; the JSON marks them all."""

COMMAND_CHARACTERS_MAX = 200
"""A program given as text, `python -c ...`, may be of any length."""


def drawn_audit(audit: CommandAudit) -> RenderableType:
    """Show the calls of a command, most called first, and under them what stands beside the counts."""
    twins = Counter(library.path for library in audit.libraries)
    parts: list[RenderableType] = [
        drawn_functions(library, audit, same_path=twins[library.path] > 1)
        for library in audit.libraries
        if called(library)
    ]
    parts += [paragraph(sentence) for sentence in nothing_counted(audit)]
    entries = [(Text(label, style=_STYLES.get(label, "dim")), Text(text)) for label, text in _facts(audit)]
    return stacked([*parts, Fitted(lambda _options: definitions(entries))])


def nothing_counted(audit: CommandAudit) -> Iterator[str]:
    """Say of each library that was asked for and has no count why it has none."""
    program = shlex.quote(audit.program)
    if audit.processes == 0:
        yield (
            f"Nothing was counted: {one_line(program)} did not load the counting library, though nothing is known "
            "that would keep it from that; what its loader said stands above, or below as a warning."
        )
        return
    for library in audit.libraries:
        if not called(library):
            yield f"{one_line(library.path)} was mapped, and none of its functions was called from outside of it."
    for pattern in audit.unmatched:
        yield (
            f"Nothing was counted for {one_line(pattern)}: no process mapped a shared library of a matching name. "
            f"`ldd {one_line(program)}` shows what the program is linked to, `LD_DEBUG=files COMMAND 2>&1 | grep "
            "'calling init'` all that it maps; code that is linked statically, or started with a cleared "
            "environment, cannot be counted."
        )


_STYLES = {"warning": "magenta"}


def _facts(audit: CommandAudit) -> Iterator[tuple[str, str]]:
    yield "command", _shortened(one_line(shlex.join(audit.command)))
    if audit.killed_by is not None:
        yield "ended", f"killed by {audit.killed_by}"
    elif audit.exit_status != 0:
        yield "ended", f"with status {audit.exit_status}"
    yield from _times(audit)
    yield "processes", f"{format_count(audit.processes)}, {'each ' if audit.processes > 1 else ''}with its forks"
    yield from _doubts(audit)
    for trouble in audit.troubles:
        yield "warning", one_line(trouble)
    yield "not counted", "\n".join(map(one_line, _not_counted(audit)))


def _doubts(audit: CommandAudit) -> Iterator[tuple[str, str]]:
    """Name the functions whose count may be a little off, and those that the symbol table does not call functions."""
    taken = [each for library in audit.libraries for each in called(library) if each.address_taken]
    if taken:
        names = _named(audit, [each.name for each in taken])
        yield "tail calls", f"to {names} may be counted wrong, since the library takes their address"
    for library in audit.libraries:
        calls = {each.name for each in called(library)}
        untyped = [name for name in library.untyped if name in calls]
        if untyped:
            yield "no type", f"{_named(audit, untyped)}: taken for functions, as they lie in the code of the library"


def _named(audit: CommandAudit, names: Sequence[str]) -> str:
    shown = [one_line(audit.source_names.get(name, name)) for name in names[:NAMES_MAX]]
    rest = len(names) - len(shown)
    return ", ".join(shown) + (f" and {format_count(rest)} more" if rest else "")


def _not_counted(audit: CommandAudit) -> Iterator[str]:
    """Say which calls are in no figure above: the kinds that never are last."""
    for each in audit.uncounted:
        times = f" ({format_count(each.processes)} processes)" if each.processes > 1 else ""
        yield f"{each.program}{times} {each.reason}"
    for survivor in audit.survivors[:SURVIVORS_MAX]:
        yield f"{survivor.program}, process {survivor.pid}, was still running: its later calls are missing"
    if len(audit.survivors) > SURVIVORS_MAX:
        yield f"{format_count(len(audit.survivors) - SURVIVORS_MAX)} further processes were still running"
    if audit.survivors and not audit.followed:
        yield "--follow waits for processes that outlive the command"
    yield "calls through pointers that a library hands out; uncounted programs that end at once"


def _shortened(text: str) -> str:
    return text if len(text) <= COMMAND_CHARACTERS_MAX else f"{text[: COMMAND_CHARACTERS_MAX - 3]}..."


def _times(audit: CommandAudit) -> Iterator[tuple[str, str]]:
    """Tell how long the command took, and where it was run again to compare how much longer the count made it.

    The cost of a call is taken from processor time: waiting, and being kept waiting by others, is no cost of it.
    """
    wall = f"{format_seconds(audit.seconds)} while counting"
    cpu = f"{format_seconds(audit.cpu_seconds)} while counting"
    comparison = audit.comparison
    if comparison is None:
        yield "wall time", wall
        yield "processor time", cpu
        return
    yield "wall time", f"{wall}, {_times_as(comparison.seconds, 'as long as without')}"
    if comparison.cpu_seconds is not None:
        cpu += f", {_times_as(comparison.cpu_seconds, 'as much as without')}"
    calls = sum(function.calls for library in audit.libraries for function in library.functions)
    if calls >= COSTED_CALLS_MIN and (added := comparison.added(calls)).ns > 0:
        cpu += f", {_added(added)}"
    yield "processor time", cpu
    yield "compared", _pairs(comparison)


def _times_as(estimate: Estimate, what: str) -> str:
    """Give a ratio with its interval; in parentheses where there is none."""
    ratio = format_number(estimate.ratio)
    if estimate.interval is None:
        return f"({ratio}) times {what}"
    low, high = (format_number(value) for value in (estimate.interval.low, estimate.interval.high))
    return f"{ratio} times {what} (95 % CI {low}{EN_DASH}{high})"


def _added(added: Added) -> str:
    if added.low_ns is None or added.high_ns is None:
        return f"({format_ns(added.ns, 2)}) more a call"
    low, high = format_number(added.low_ns, 2), format_number(added.high_ns, 2)
    return f"{format_ns(added.ns, 2)} more a call (95 % CI {low} to {high})"


def _pairs(comparison: Comparison) -> str:
    pairs = len(comparison.pairs)
    made = f"{pairs} {'pair' if pairs == 1 else 'pairs'} of runs, with the count and without, in random order"
    if comparison.seconds.interval is not None:
        return made
    return f"{made}; a confidence interval takes {PAIRS_FOR_INTERVAL} pairs"
