"""The table of what each binding costs once: to write, to build, to load and to keep in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ffibench.model import BASELINE, BindingCosts, BindingParts, Run, Spread
from ffibench.report.case_table import interval_text
from ffibench.report.names import contestant_names
from ffibench.report.notes import INTERVAL_ROUNDS, Notes
from ffibench.report.table import Heading, Tabular, figures, one_line, tabulated
from ffibench.results.costs import binding_costs
from ffibench.units import ABSENT, EN_DASH, format_count, format_seconds

MS, KIB = 1e6, 1024

CAPTION = (
    "What a binding costs once. Times are medians over the rounds; RSS and PSS are by how much the memory of the "
    "process grew during the import."
)
DISPENSABLE = ("files", "pss", "stripped", "first call interval", "import interval")

LINES = "Lines of its own source that are not blank, without the build file and what a generator makes."
FIRST_CALL = "From the start of the import to the end of the first operation, with the set-up of the experiment."
MEMORY = "With the library under test, where the import loads it."
NO_BINDING = "It has no binding: a program in C calls the library itself."
OWN = "Its binding is not generated here: the import is that of its file, which imports the binding."
NOT_REPORTED = "No process reported the import of its binding."
UNRECORDED = "It was built before the time of a build was recorded: `ffibench build --force` builds it again."


def cost_table(run: Run) -> Tabular | None:
    """Build the table, a row a contestant, C first, then by the time of their import; None where it was not asked for.

    A cell without a figure has a dash: nothing is built of a binding, or the kernel does not report it.
    """
    rows = sorted(binding_costs(run), key=_place)
    if not rows:
        return None
    names, letters = contestant_names([(row.contestant, row.interpreter) for row in rows])
    notes = Notes(rounds=0)
    headings, blocks = tabulated(
        {
            Heading("contestant", ("contestant",), numeric=False): [
                names[row.contestant, row.interpreter] for row in rows
            ],
            Heading("lines", ("lines",)): _of_parts(rows, lambda parts: sum(parts.sources.values()), 0),
            Heading("compile", ("compile", "s")): _of_parts(rows, lambda parts: parts.compile_seconds, 2),
            Heading("module", ("module", "KiB")): _of_parts(rows, lambda parts: sum(parts.modules.values()) / KIB, 1),
            Heading("stripped", ("stripped", "KiB")): _of_parts(rows, _stripped_kib, 1),
            **_times(rows, "import", ("import", "ms"), lambda row: row.import_ns),
            **_times(rows, "first call", ("first call", "ms"), lambda row: row.first_call_ns),
            Heading("rss", ("RSS", "KiB")): _memory(rows, lambda row: row.rss_bytes),
            Heading("pss", ("PSS", "KiB")): _memory(rows, lambda row: row.pss_bytes),
            Heading("files", ("files",), numeric=False, name="files that lines counts"): [_files(row) for row in rows],
            Heading("note", ("note",), numeric=False): [notes.marked(_texts(row)) for row in rows],
        },
        ["control" if row.contestant == BASELINE else "ranked" for row in rows],
        {"": len(rows)},
    )
    return Tabular(
        title=one_line(f"{run.plan.experiment}: what a binding costs besides its calls"),
        caption=f"{CAPTION} {_rounds(rows)}.",
        headings=headings,
        blocks=blocks,
        notes=(*notes.numbered(), *_general(rows), *((letter, one_line(name)) for letter, name in letters.items())),
        dispensable=DISPENSABLE,
    )


def _place(row: BindingCosts) -> tuple[bool, bool, float]:
    time = row.import_ns
    return row.contestant != BASELINE, time is None, 0.0 if time is None else time.median


def _of_parts(rows: Sequence[BindingCosts], figure: Callable[[BindingParts], float | None], finest: int) -> list[str]:
    values = [None if row.parts is None else figure(row.parts) for row in rows]
    return [] if all(value is None for value in values) else figures(values, [True] * len(rows), finest=finest)


def _stripped_kib(parts: BindingParts) -> float | None:
    return None if parts.stripped_bytes is None else parts.stripped_bytes / KIB


def _times(
    rows: Sequence[BindingCosts], key: str, lines: tuple[str, str], spread: Callable[[BindingCosts], Spread | None]
) -> dict[Heading, list[str]]:
    """Build the median and its interval, in milliseconds."""
    found = [spread(row) for row in rows]
    if not any(found):
        return {}
    medians = [None if each is None else each.median / MS for each in found]
    return {
        Heading(key, lines): figures(medians, [True] * len(rows), finest=3),
        Heading(f"{key} interval", ("95 % CI",), name=f"95 % CI of {key}"): [_interval(each) for each in found],
    }


def _interval(spread: Spread | None) -> str:
    if spread is None or spread.low is None or spread.high is None:
        return ""
    return interval_text(spread.low / MS, spread.high / MS, 3)


def _memory(rows: Sequence[BindingCosts], spread: Callable[[BindingCosts], Spread | None]) -> list[str]:
    found = [spread(row) for row in rows]
    sizes = [None if each is None else each.median / KIB for each in found]
    return figures(sizes, [True] * len(rows), significant=4, finest=0)


def _files(row: BindingCosts) -> str:
    if row.parts is None:
        return ABSENT
    return one_line(", ".join(f"{name} {lines}" for name, lines in row.parts.sources.items()))


def _texts(row: BindingCosts) -> list[str]:
    """Give what has to be said of a row."""
    if row.contestant == BASELINE:
        return [NO_BINDING]
    texts = [NOT_REPORTED] if row.import_ns is None else []
    if row.parts is None:
        return texts or [OWN]
    if row.parts.built and row.parts.compile_seconds is None:
        texts.append(UNRECORDED)
    if row.parts.core:
        known = row.parts.core_seconds
        time = "its time was not recorded" if known is None else f"{format_seconds(known)} once"
        texts.append(f"Compiled without {one_line(row.parts.core)}, which all shims of its technology link: {time}.")
    return texts


def _general(rows: Sequence[BindingCosts]) -> list[tuple[str, str]]:
    """Say what the columns are, where they are there."""
    notes = [("lines", LINES)] if any(row.parts is not None for row in rows) else []
    if any(row.first_call_ns is not None for row in rows):
        notes.append(("first call", FIRST_CALL))
    if any(row.rss_bytes is not None for row in rows):
        notes.append(("RSS, PSS", MEMORY))
    if any(row.import_ns is not None and row.import_ns.low is None for row in rows):
        notes.append(("95 % CI", f"Too few rounds for an interval, which takes {INTERVAL_ROUNDS}."))
    return notes


def _rounds(rows: Sequence[BindingCosts]) -> str:
    found = sorted({row.rounds for row in rows if row.rounds})
    if not found:
        return "No process reported"
    several = (
        f"{format_count(found[0])}{EN_DASH}{format_count(found[-1])}" if len(found) > 1 else format_count(found[0])
    )
    return f"{several} round{'s'[: found[-1] != 1]}"
