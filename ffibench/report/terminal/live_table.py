"""What the live view shows: a few columns of the table so far, and under it how long the run may still take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from math import inf

from rich.cells import cell_len, set_cell_size
from rich.console import ConsoleOptions
from rich.text import Text

from ffibench.model import BASELINE, CONTROL, Progress, Row
from ffibench.report.names import row_names
from ffibench.report.table import one_line
from ffibench.stats import CONFIDENCE, Interval, order_rank
from ffibench.units import ABSENT, EN_DASH, column, format_number, format_seconds

WIDTH_MAX = 100
GAP = 2
NAME_WIDTH_MIN = 16
BAR_WIDTH_MAX = 30
BAR = ("\N{BOX DRAWINGS HEAVY HORIZONTAL}", "\N{BOX DRAWINGS LIGHT HORIZONTAL}")
BAR_ASCII = ("#", "-")
PLUS_MINUS, PLUS_MINUS_ASCII = "\N{PLUS-MINUS SIGN}", "+-"

INTERVAL_ROUNDS = next(rounds for rounds in count(1) if order_rank(rounds, CONFIDENCE))
"""With fewer rounds no row has an interval."""

STYLES = {"yes": "green", "no": "yellow"}


@dataclass(frozen=True)
class _Column:
    heading: str
    cells: Sequence[str]
    needed: bool = True
    """Whether a narrow terminal has it too."""
    left: bool = False


def first_lines(title: str, rounds_max: int | None, options: ConsoleOptions) -> list[Text]:
    """Return the lines of the first round, of which there are no figures yet."""
    most = "" if rounds_max is None else f" of at most {rounds_max:,}"
    doing = Text(f"Round 1{most}: every contestant once, in random order")
    return _fitted([*_heading(title), doing], options)


def lines_of(progress: Progress, title: str, options: ConsoleOptions) -> list[Text]:
    """Return the lines of the view, one row of the terminal each, to fit its width and height.

    On a low terminal the table has fewer rows: it keeps the invalid ones, then those with the widest intervals, for
    which the run goes on.
    """
    foot = [_round_line(progress, options), Text(_precision_text(progress, options))]
    room = options.size.height - 1 - len(foot)  # the cursor stands on a line of its own
    head = _heading(title)
    rows = progress.comparison.rows
    chosen, rest = _chosen(rows, progress.run.plan.precision, room - len(head) - 1)
    if not chosen:
        return _fitted(foot, options)
    if len(head) + 1 + len(rows) < room:
        foot.insert(0, Text(""))
    more = [Text(f"and {rest:,} more", style="dim")] if rest else []
    return _fitted([*head, *_table(progress, chosen, options), *more, *foot], options)


def _heading(title: str) -> list[Text]:
    return [Text(one_line(title), style="bold")] if title else []


def _fitted(lines: Sequence[Text], options: ConsoleOptions) -> list[Text]:
    """Cut the lines to the width, of which the last column stays free: some terminals wrap once it is written."""
    for line in lines:
        line.truncate(max(1, options.max_width - 1), overflow="crop")
    return list(lines)[: max(0, options.size.height - 1)]


def _chosen(rows: Sequence[Row], precision: float, room: int) -> tuple[list[Row], int]:
    """Return the rows for which there is room, in the order of the table, and how many are left out."""
    if len(rows) <= room:
        return list(rows), 0
    if room < 2:
        return [], len(rows)

    def importance(index: int) -> float:
        row = rows[index]
        width = _half_width(row)
        return inf if _word(row) else 0.0 if row.contestant == BASELINE else precision if width is None else width

    kept = set(sorted(range(len(rows)), key=importance, reverse=True)[: room - 1])
    return [row for index, row in enumerate(rows) if index in kept], len(rows) - len(kept)


def _table(progress: Progress, rows: Sequence[Row], options: ConsoleOptions) -> list[Text]:
    """Lay the rows out under a line of headings, in as many columns as the width has room for."""
    width = min(options.max_width - 1, WIDTH_MAX)
    columns = [each for each in _columns(progress, rows, options) if any(cell.strip() for cell in each.cells)]
    sizes = [max(map(cell_len, (each.heading, *each.cells))) for each in columns]
    for index in reversed(range(len(columns))):
        if sum(sizes) + GAP * (len(sizes) - 1) > width and not columns[index].needed:
            del columns[index], sizes[index]
    too_much = sum(sizes) + GAP * (len(sizes) - 1) - width
    sizes[0] = max(min(sizes[0], NAME_WIDTH_MIN), sizes[0] - max(0, too_much))
    lines = [_line([each.heading for each in columns], columns, sizes)]
    lines[0].stylize("dim")
    for index, row in enumerate(rows):
        line = _line([each.cells[index] for each in columns], columns, sizes)
        line.stylize("red" if _word(row) else "dim" if row.contestant == CONTROL else "")
        lines.append(line)
    return lines


def _line(cells: Sequence[str], columns: Sequence[_Column], sizes: Sequence[int]) -> Text:
    parts = []
    for cell, each, size in zip(cells, columns, sizes, strict=True):
        text = set_cell_size(cell, size) if each.left else " " * (size - cell_len(cell)) + cell
        parts.append(Text(text, style=STYLES.get(cell, "")))
    return Text(" " * GAP).join(parts)


def _columns(progress: Progress, rows: Sequence[Row], options: ConsoleOptions) -> list[_Column]:
    names, _ = row_names(progress.comparison.rows)
    precision = progress.run.plan.precision
    deciding = {case.name for case in progress.run.plan.compared() if case.decides}
    valid = [not _word(row) for row in rows]
    times = column([row.gross_ns if each else None for row, each in zip(rows, valid, strict=True)])
    ratios = [row.ratio if each else None for row, each in zip(rows, valid, strict=True)]
    finest = 2 if all(ratio is None or ratio >= 0.1 for ratio in ratios) else None
    widths = [_half_width(row) for row in rows]
    plus_minus = PLUS_MINUS_ASCII if options.ascii_only else PLUS_MINUS
    return [
        _Column("contestant", [names[row.contestant, row.interpreter] for row in rows], left=True),
        _Column("role", _where_several(progress, rows, "role"), left=True),
        _Column("case", _where_several(progress, rows, "case"), left=True),
        _Column("ns/op", [_word(row) or text for row, text in zip(rows, times, strict=True)]),
        _Column("ratio", _where(valid, column(ratios, finest=finest))),
        _Column("95 % CI", _where(valid, [_interval(row, finest) for row in rows]), needed=False),
        _Column(plus_minus, _where(valid, _shares(widths)), needed=False),
        _Column(
            f"within {_percent(precision)}",
            [
                "" if not each or row.contestant == BASELINE or row.case not in deciding
                else ABSENT if width is None
                else "yes" if width <= precision
                else "no"
                for row, width, each in zip(rows, widths, valid, strict=True)
            ],
        ),
    ]  # fmt: skip


def _where(shown: Sequence[bool], texts: Sequence[str]) -> list[str]:
    return [text if show else "" for show, text in zip(shown, texts, strict=True)]


def _where_several(progress: Progress, rows: Sequence[Row], field: str) -> list[str]:
    """Return the role or the case of each row, where the table has more than one."""
    several = len({getattr(row, field) for row in progress.comparison.rows}) > 1
    return [one_line(getattr(row, field)) if several else "" for row in rows]


def _word(row: Row) -> str:
    """Say why a row has no figures; empty where it has."""
    if row.valid and row.gross_ns is not None:
        return ""
    return "invalid" if not row.valid and (row.rounds or row.audit == "invalid") else "unavailable"


def _half_width(row: Row) -> float | None:
    if row.contestant == BASELINE or row.ratio_low is None or row.ratio_high is None:
        return None
    return Interval(row.ratio_low, row.ratio_high).half_width


def _interval(row: Row, finest: int | None) -> str:
    if row.contestant == BASELINE:
        return ""
    if row.ratio_low is None or row.ratio_high is None:
        return ABSENT
    return f"{format_number(row.ratio_low, 3, finest)}{EN_DASH}{format_number(row.ratio_high, 3, finest)}"


def _shares(widths: Sequence[float | None]) -> list[str]:
    """Return half-widths as percentages, aligned; blank where there is none."""
    texts = column([None if width is None else 100 * width for width in widths], 2, finest=1)
    return ["" if width is None else f"{text} %" for width, text in zip(widths, texts, strict=True)]


def _percent(share: float) -> str:
    """Write a precision as short as it was typed: `2 %`, `0.5 %`."""
    return f"{100 * share:.3g} %"


def _round_line(progress: Progress, options: ConsoleOptions) -> Text:
    """Say which round was finished and how long the run may go on, with a bar of the time."""
    rounds = f"Round {len(progress.run.rounds):,} of at most {progress.rounds_max:,}"
    left = f"at most {format_seconds(progress.seconds_left, 2)} left"
    width = min(BAR_WIDTH_MAX, options.max_width - 1 - len(rounds) - len(left) - 2 * GAP)
    whole = progress.seconds + progress.seconds_left
    share = progress.seconds / whole if whole else 1.0
    done = round(share * max(0, width))
    full, empty = BAR_ASCII if options.ascii_only else BAR
    bar = [Text.assemble((full * done, "cyan"), (empty * (width - done), "dim"))] if width > GAP else []
    return Text(" " * GAP).join([Text(rounds), *bar, Text(left)])


def _precision_text(progress: Progress, options: ConsoleOptions) -> str:
    """Say how far the intervals are from the precision that ends the run."""
    asked = _percent(progress.run.plan.precision)
    if not progress.rows:
        return "No row has figures"
    if progress.widest is None:
        return f"No intervals yet: they need {INTERVAL_ROUNDS} rounds (precision asked: {asked})"
    plus_minus = PLUS_MINUS_ASCII if options.ascii_only else PLUS_MINUS
    widest = f"{plus_minus}{_percent(float(f'{progress.widest:.2g}'))}"
    if progress.wide:
        return f"{progress.wide:,} of {progress.rows:,} intervals wider than {asked}, the widest {widest}"
    return f"All {progress.rows:,} intervals within {asked}, the widest {widest}"
