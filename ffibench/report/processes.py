"""Whole processes as a shell's `time` would tell of them: start, set-up, all slices and the exit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ffibench.model import BASELINE, Row, Run
from ffibench.report.case_table import has_figures, in_blocks, sizes_of, state_of, word_of
from ffibench.report.names import row_names
from ffibench.report.notes import Notes
from ffibench.report.table import Heading, Tabular, figures, one_line, tabulated


def process_table(run: Run, rows: Sequence[Row]) -> Tabular | None:
    """Build the table of real, user and system seconds, a row a worker; None where none was measured.

    A process runs all cases, or those of its role, at its point of a sweep, so each is told once. The figures are
    medians over the rounds; the ratio is that of real time to that of the baseline's process of the same kind.
    """
    names, letters = row_names(rows)
    blocks = in_blocks(_workers(rows))
    rows = [row for _, block in blocks for row in block]
    if all(row.real_s is None for row in rows):
        return None
    notes = Notes(rounds=0)
    measured = [has_figures(row) for row in rows]
    real = figures([row.real_s for row in rows], measured)
    headings, tabulated_blocks = tabulated(
        {
            Heading("contestant", ("contestant",), numeric=False): [
                one_line(f"{names[row.contestant, row.interpreter]} {row.process}") for row in rows
            ],
            Heading("real", ("real", "s")): [text or word_of(row) for row, text in zip(rows, real, strict=True)],
            Heading("user", ("user", "s")): figures([row.user_s for row in rows], measured),
            Heading("system", ("system", "s")): figures([row.system_s for row in rows], measured),
            Heading("ratio", ("real", "to C")): figures(_ratios(rows), measured, finest=2),
            Heading("note", ("note",), numeric=False): [notes.marks(row) for row in rows],
        },
        [state_of(row) for row in rows],
        sizes_of(blocks),
    )
    return Tabular(
        title=one_line(f"{run.plan.experiment}: whole processes"),
        caption="Seconds from the start of a process to its end, medians over the rounds.",
        headings=headings,
        blocks=tabulated_blocks,
        notes=(*notes.numbered(), *((letter, one_line(name)) for letter, name in letters.items())),
        dispensable=("system", "user"),
    )


def _workers(rows: Iterable[Row]) -> list[Row]:
    """Give one row a worker, of the first of its cases that has figures."""
    workers: dict[tuple[str, str, str], Row] = {}
    for row in rows:
        key = (row.contestant, row.interpreter, row.process)
        known = workers.setdefault(key, row)
        if has_figures(row) and not has_figures(known):
            workers[key] = row
    return list(workers.values())


def _ratios(rows: Sequence[Row]) -> list[float | None]:
    baselines = {row.process: row.real_s for row in rows if row.contestant == BASELINE}
    ratios: list[float | None] = []
    for row in rows:
        baseline = baselines.get(row.process)
        ratios.append(row.real_s / baseline if row.real_s is not None and baseline else None)
    return ratios
