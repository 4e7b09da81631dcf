"""Several cases at a glance: contestants down, cases across, and in each cell the ratio to C."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ffibench.model import BASELINE, CONTROL, Row, Run
from ffibench.report.case_table import clock_of, has_figures, in_blocks, sizes_of, word_of
from ffibench.report.names import row_names
from ffibench.report.notes import Notes, general_notes, is_first_look
from ffibench.report.table import Heading, State, Tabular, first_look, one_line, tabulated
from ffibench.results.times import RowKey, key_of
from ffibench.units import column, format_count, format_number

FASTEST = "*"
"""Behind the ratio of those that are the fastest of their block in a case."""
HEAD_WIDTH = 10
"""Words of a case's name are put below each other beyond this."""


def grid_table(run: Run, rows: Sequence[Row], fastest: Collection[RowKey], several_roles: bool) -> Tabular:
    """Build the grid of the cases of one role. The baseline's row has its nanoseconds an operation."""
    names, letters = row_names(rows)
    cases = list(dict.fromkeys(row.case for row in rows))
    cells = {(row.contestant, row.interpreter, row.case): row for row in rows}
    firsts: dict[tuple[str, str], Row] = {}
    for row in rows:  # of a contestant its first row with figures stands for its line
        known = firsts.setdefault((row.contestant, row.interpreter), row)
        if has_figures(row) and not has_figures(known):
            firsts[row.contestant, row.interpreter] = row
    blocks = in_blocks(list(firsts.values()))
    lines = [row for _, block in blocks for row in block]
    rounds = max(row.rounds for row in rows)
    notes = Notes(rounds)
    marks = [_marks(notes, (cells.get((row.contestant, row.interpreter, case)) for case in cases)) for row in lines]
    columns: dict[Heading, Sequence[str]] = {
        Heading("contestant", ("contestant",), numeric=False): [
            f"{names[row.contestant, row.interpreter]}{' (ns/op)' if row.contestant == BASELINE else ''}"
            for row in lines
        ]
    }
    for number, case in enumerate(cases):
        own = [cells.get((row.contestant, row.interpreter, case)) for row in lines]
        columns[Heading(f"case {number}", _head(case), name=one_line(case))] = _column(own, fastest)
    columns[Heading("note", ("note",), numeric=False)] = marks
    headings, tabulated_blocks = tabulated(columns, [_state(row) for row in lines], sizes_of(blocks))
    role = f", {rows[0].role}" if several_roles else ""
    starred = [("*", "The fastest of its block in this case.")] if any(key_of(row) in fastest for row in rows) else []
    return Tabular(
        title=one_line(f"{run.plan.experiment}: {run.plan.title}{role}"),
        caption=f"Ratio to C in each case; of C itself ns/op. {clock_of(rows[0])}, {format_count(rounds)} "
        f"round{'s'[: rounds != 1]}.",
        headings=headings,
        blocks=tabulated_blocks,
        notes=(*starred, *notes.numbered(), *general_notes(rows, letters, "")),
        heads=1,
    )


def _head(case: str) -> tuple[str, ...]:
    """Break the name of a case at its blanks where it is long."""
    name = one_line(case)
    return (name,) if len(name) <= HEAD_WIDTH else tuple(name.split())


def _column(rows: Sequence[Row | None], fastest: Collection[RowKey]) -> list[str]:
    """Show one case: points below each other, room for a star behind each ratio where one has it."""
    ratios = [_figure(row) for row in rows]
    texts = column(ratios, finest=2 if all(each is None or each >= 0.1 for each in ratios) else None)
    starred = any(row is not None and key_of(row) in fastest for row in rows)
    looks = any(row is not None and is_first_look(row) for row in rows)
    return [_cell(row, text, fastest, starred=starred, looks=looks) for row, text in zip(rows, texts, strict=True)]


def _cell(row: Row | None, text: str, fastest: Collection[RowKey], *, starred: bool, looks: bool) -> str:
    if row is not None and not has_figures(row):
        return word_of(row)
    if row is not None and row.contestant == BASELINE and row.gross_ns is not None:
        text = f"{format_number(row.gross_ns):>{len(text)}}"
    if looks:
        text = first_look(text) if row is not None and is_first_look(row) else f" {text} "
    if starred:  # right behind the last digit, and the points stay below each other
        end = len(text.rstrip())
        sign = FASTEST if row is not None and key_of(row) in fastest else " "
        text = f"{text[:end]}{sign}{text[end:]}"
    return text


def _figure(row: Row | None) -> float | None:
    if row is None or row.contestant == BASELINE or not has_figures(row):
        return None
    return row.ratio


def _marks(notes: Notes, rows: Iterable[Row | None]) -> str:
    texts = [f"{one_line(row.case)}: {text}" for row in rows if row is not None for text in notes.texts(row)]
    return notes.marked(texts)


def _state(row: Row) -> State:
    if not has_figures(row):
        return "invalid"
    return "control" if row.contestant == CONTROL else "ranked"
