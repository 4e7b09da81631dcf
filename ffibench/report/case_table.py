"""The cells of the summary: one `Tabular` for each case, role and figure of a comparison."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ffibench.model import BASELINE, CONTROL, Row, Run
from ffibench.report.extra_figures import extra_caption, extra_columns
from ffibench.report.names import Names, row_names, version_shown
from ffibench.report.notes import Notes, general_notes, is_first_look
from ffibench.report.table import Heading, Span, State, Tabular, figures, first_look, one_line, tabulated
from ffibench.report.ties import shown_letters, ties_sentence
from ffibench.results.blocks import BASE_BLOCK, blocks
from ffibench.results.times import RowKey, is_divided, key_of
from ffibench.units import EN_DASH, decimals_of, format_count, format_exact_rate, format_number

BEFORE_FIGURES = ("version", "net", "added", "cold", "calls")
AFTER_FIGURES = ("interval", "share")
"""The columns that a narrow terminal does without, before and after the further figures of a case."""

WHOLE = 0.05
"""Less than this from a whole number of calls is a few more in the whole loop, such as a first error number."""

CLOCKS = {"wall": "Wall time", "cpu": "Processor time"}


def case_tables(
    run: Run, rows: Sequence[Row], rate: int | None = None, fastest: Collection[RowKey] = ()
) -> list[Tabular]:
    """Build the tables of `rows`, one for each case, role and figure in the order in which they come.

    `rate` is in operations a second; with it the tables say which share of a core that would take. `fastest` are the
    rows that are the fastest of their blocks.
    """
    named = row_names(rows)
    several_roles = len({row.role for row in rows}) > 1
    return [_table(run, group, named, rate, fastest, title_of(run, group[0], several_roles)) for group in grouped(rows)]


def grouped(rows: Iterable[Row]) -> list[list[Row]]:
    """Split rows by case, role and figure, keeping their order."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.case, row.role), []).append(row)
    return list(groups.values())


def in_blocks(rows: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    """Split the rows of a table into its blocks, in the table's order, those without figures last."""
    grouped_rows = [(name, [row for row in rows if row.block == name]) for name in blocks(row.block for row in rows)]
    return [(name, sorted(block, key=lambda row: not has_figures(row))) for name, block in grouped_rows]


def sizes_of(blocks: Iterable[tuple[str, Sequence[Row]]]) -> dict[str, int]:
    """Give the headings of the blocks, of which the baseline's needs none, and how many rows each has."""
    return {"" if name == BASE_BLOCK else name: len(block) for name, block in blocks}


def has_figures(row: Row) -> bool:
    """Say whether a row's figures may be shown."""
    return row.valid and row.gross_ns is not None


def word_of(row: Row) -> str:
    """Say in a word why a row has no figures."""
    return "invalid" if not row.valid and (row.rounds or row.audit == "invalid") else "unavailable"


def state_of(row: Row) -> State:
    """Say how a row is to be shown."""
    if not has_figures(row):
        return "invalid"
    if row.reason:
        return "marked"
    return "control" if row.contestant == CONTROL else "ranked"


def title_of(run: Run, row: Row, several_roles: bool = False) -> str:
    """Name the experiment, and the case, role and figure of `row` where there are several."""
    title = f"{run.plan.experiment}: {run.plan.title}"
    cases = [case for case in run.plan.compared() if any(each.role == row.role for each in run.plan.rows_of(case))]
    if len(cases) > 1:
        title += f", {row.case}"
    if several_roles:
        title += f", {row.role}"
    return one_line(title)


def clock_of(row: Row) -> str:
    """Name the clock of a row's headline."""
    return CLOCKS.get(row.clock, one_line(f"{row.clock} clock"))


def _table(
    run: Run,
    rows: Sequence[Row],
    named: tuple[Names, dict[str, str]],
    rate: int | None,
    fastest: Collection[RowKey],
    title: str,
) -> Tabular:
    blocks = in_blocks(rows)
    rows = [row for _, block in blocks for row in block]
    names, letters = named
    rounds = max(row.rounds for row in rows)
    notes = Notes(rounds)
    ties = shown_letters(rows)
    extra = extra_columns(run, rows)
    columns = {
        Heading("contestant", ("contestant",), numeric=False): [names[row.contestant, row.interpreter] for row in rows],
        Heading("version", ("version",), numeric=False): [version_shown(row) for row in rows],
        **_times(rows),
        **_cold(rows),
        **_ratios(rows),
        **extra,
        **_native_calls(rows),
        Heading("tie", ("tie" if ties else "note",), numeric=False): [
            f"{ties.get(key_of(row), '')} {notes.marks(row)}".strip() for row in rows
        ],
    }
    if rate is not None:
        shares = [None if row.gross_ns is None else row.gross_ns * rate / 1e7 for row in rows]
        heading = Heading("share", ("% of core", f"at {format_exact_rate(rate)}"))
        columns[heading] = figures(shares, [has_figures(row) for row in rows], significant=2)
    headings, tabulated_blocks = tabulated(
        columns,
        [state_of(row) for row in rows],
        sizes_of(blocks),
        spans=[span_of(row) for row in rows],
        fastest=[key_of(row) in fastest for row in rows],
    )
    return Tabular(
        title=title,
        caption=_caption(run, rows[0], rounds, extra),
        headings=headings,
        blocks=tabulated_blocks,
        notes=(*notes.numbered(), *general_notes(rows, letters, ties_sentence(rows, ties, names))),
        dispensable=(*BEFORE_FIGURES, *(heading.key for heading in extra), *AFTER_FIGURES),
    )


def _caption(run: Run, row: Row, rounds: int, extra_figures: Iterable[Heading]) -> str:
    operation = next((case.operation for case in run.plan.cases if case.name == row.case), row.case)
    rounds_said = f"{format_count(rounds)} round{'s'[: rounds != 1]}"
    parts = [f"One operation: {one_line(operation).rstrip('.')}.", f"{clock_of(row)}, {rounds_said}."]
    return " ".join([*parts, *extra_caption(extra_figures)])


def _times(rows: Sequence[Row]) -> dict[Heading, list[str]]:
    """Build gross, net and added: the latter two as fine as the smallest gross figure, no finer."""
    shown = [has_figures(row) for row in rows]
    gross = [row.gross_ns for row in rows if row.gross_ns is not None and has_figures(row)]
    finest = max(0, max((decimals_of(value) for value in gross), default=0))
    first = figures([row.gross_ns for row in rows], shown)
    words = [text or word_of(row) for row, text in zip(rows, first, strict=True)]
    times = {Heading("gross", ("ns/op",)): words}
    if any(row.net_ns is not None for row in rows):
        times[Heading("net", ("net",), name="net of the empty loop")] = figures(
            [row.net_ns for row in rows], shown, finest=finest
        )
    if any(row.added_ns is not None for row in rows):
        against = [show and row.contestant != BASELINE for row, show in zip(rows, shown, strict=True)]
        times[Heading("added", ("overhead",))] = figures([row.added_ns for row in rows], against, finest=finest)
    return times


def _ratios(rows: Sequence[Row]) -> dict[Heading, list[str]]:
    """Build the ratio and its interval, both equally fine; of a short baseline the interval of the overhead alone."""
    shown = [has_figures(row) for row in rows]
    if not all(map(is_divided, rows)):
        intervals = [added_interval(row) if show else "" for row, show in zip(rows, shown, strict=True)]
        return {Heading("interval", ("95 % CI of", "overhead")): intervals}
    finest = finest_of(row.ratio for row in rows if has_figures(row))
    intervals = [interval_of(row, finest) if show else "" for row, show in zip(rows, shown, strict=True)]
    ratios = figures([row.ratio for row in rows], shown, finest=finest)
    looks = [show and is_first_look(row) for row, show in zip(rows, shown, strict=True)]
    return {
        Heading("ratio", ("ratio", "to C")): first_looks(ratios, looks),
        Heading("interval", ("95 % CI",)): intervals,
    }


def _cold(rows: Sequence[Row]) -> dict[Heading, list[str]]:
    """Build what one of the first calls of a process took, where that was asked for."""
    if all(row.cold_ns is None for row in rows):
        return {}
    heading = Heading("cold", ("first", "calls"), name="ns/op of the first 1,000 calls")
    return {heading: figures([row.cold_ns for row in rows], [has_figures(row) for row in rows])}


def _native_calls(rows: Sequence[Row]) -> dict[Heading, list[str]]:
    """Build the native calls that one operation took, where they were counted: whole ones as whole numbers."""
    counts = [row.native_calls for row in rows]
    if all(count is None for count in counts):
        return {}
    whole = all(count is None or abs(count - round(count)) < WHOLE for count in counts)
    return {
        Heading("calls", ("calls/op",)): [
            "" if count is None else f"{count:,.{0 if whole else 1}f}" for count in counts
        ]
    }


def finest_of(ratios: Iterable[float | None]) -> int | None:
    """Say how fine ratios of a column are shown: to a hundredth, unless some are far under 1."""
    return 2 if all(ratio is None or ratio >= 0.1 for ratio in ratios) else None


def interval_of(row: Row, finest: int | None) -> str:
    """Show the interval of a row's ratio; the baseline has none, and after few rounds nobody."""
    if row.contestant == BASELINE or row.ratio_low is None or row.ratio_high is None:
        return ""
    return interval_text(row.ratio_low, row.ratio_high, finest)


def added_interval(row: Row) -> str:
    """Show the interval of a row's overhead; the baseline has none, and after few rounds nobody."""
    if row.contestant == BASELINE or row.added_low_ns is None or row.added_high_ns is None:
        return ""
    finest = max(0, decimals_of(max(abs(row.added_low_ns), abs(row.added_high_ns)) or 1.0))
    return " to ".join(format_number(each, 3, finest) for each in (row.added_low_ns, row.added_high_ns))


def interval_text(low: float, high: float, finest: int | None) -> str:
    """Show an interval of ratios from its bounds."""
    return f"{format_number(low, 3, finest)}{EN_DASH}{format_number(high, 3, finest)}"


def first_looks(texts: Sequence[str], looks: Sequence[bool]) -> list[str]:
    """Put those figures of a column in parentheses that are no more than a first look; keep their points aligned."""
    if not any(looks):
        return list(texts)
    return [first_look(text) if look else f" {text} " for text, look in zip(texts, looks, strict=True)]


def span_of(row: Row) -> Span | None:
    """Give the ratio and the interval that a bar shows."""
    if not has_figures(row) or row.ratio is None or row.ratio_low is None or row.ratio_high is None:
        return None
    if not is_divided(row):
        return None
    return None if row.contestant == BASELINE else Span(row.ratio, row.ratio_low, row.ratio_high)
