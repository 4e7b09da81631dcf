"""What `ffibench list` shows: a line for each experiment; of one its cases, parameters and contestants."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import ConsoleOptions, Group, RenderableType
from rich.text import Text

from ffibench.catalog import Candidate, Folder
from ffibench.report.table import Heading, State, Tabular, one_line, tabulated
from ffibench.report.terminal.layout import Fitted, quiet_table
from ffibench.report.terminal.table import drawn_table
from ffibench.units import format_count


def overview(experiments: Sequence[tuple[Folder, Sequence[Candidate]]]) -> RenderableType:
    """Show a line for each experiment: its name, what it measures, how many contestants can run here."""

    def build(options: ConsoleOptions) -> RenderableType:
        table = quiet_table(options)
        table.add_column("experiment", no_wrap=True)
        table.add_column("what is measured", overflow="fold")
        table.add_column("can run", no_wrap=True)
        for folder, found in experiments:
            table.add_row(Text(folder.name, style="bold"), Text(folder.experiment.title), Text(_count(found)))
        return table

    example = experiments[-1][0].name
    hint = f"`ffibench list {example}` shows its cases, parameters and contestants."
    return Group(Fitted(build), Text(""), Fitted(lambda _options: Text(hint, style="dim")))


def _count(found: Sequence[Candidate]) -> str:
    can_run = sum(each.missing is None for each in found)
    return f"{can_run}" if can_run == len(found) else f"{can_run} of {len(found)}"


def listing(folder: Folder, found: Sequence[Candidate]) -> RenderableType:
    """Show one experiment; what cannot run here has a note with the reason and the command that installs it."""
    cells, notes = _notes(found)
    columns: dict[Heading, Sequence[str]] = {
        Heading("contestant", ("contestant",), numeric=False): [each.contestant.name for each in found],
        Heading("version", ("version",), numeric=False): [one_line(each.contestant.version) for each in found],
        Heading("lock", ("lock in", "a call"), numeric=False): [each.lock for each in found],
        Heading("interpreter", ("interpreter",), numeric=False): [
            one_line(each.contestant.interpreter) for each in found
        ],
        Heading("runs", ("runs here",), numeric=False): cells,
    }
    states: list[State] = ["ranked" if each.missing is None else "marked" for each in found]
    headings, blocks = tabulated(columns, states, {"": len(found)})
    return drawn_table(
        Tabular(
            title=f"{folder.name}: {folder.experiment.title}",
            caption=_caption(folder),
            headings=headings,
            blocks=blocks,
            notes=tuple(notes),
        )
    )


def _notes(found: Sequence[Candidate]) -> tuple[list[str], list[tuple[str, str]]]:
    """Give the cell of each contestant, and the notes that the cells point to."""
    numbers: dict[str, int] = {}
    cells = []
    for each in found:
        if each.missing is None:
            cells.append("yes")
            continue
        text = f"{each.missing.reason}; {each.missing.fix}"
        cells.append(f"no [{numbers.setdefault(text, len(numbers) + 1)}]")
    return cells, [(f"[{number}]", one_line(text)) for text, number in numbers.items()]


def _caption(folder: Folder) -> str:
    parameters = {parameter.name: parameter for parameter in folder.experiment.parameters}
    defaults = {name: parameter.default for name, parameter in parameters.items()}
    lines = [
        f"Case {case.name}: {case.operation}; {format_count(case.iterations)} iterations a slice."
        for case in folder.experiment.cases(defaults)
    ]
    for name, parameter in parameters.items():
        default = ",".join(map(str, parameter.sweep)) or parameter.default
        lines.append(f"--set {name}={default}: {parameter.help}.")
    roles = [role.name for role in folder.experiment.roles]
    if len(roles) > 1:
        lines += [f"--{role} CONTESTANT: the contestant that plays the {role} for all." for role in roles]
    return "\n".join(lines)
