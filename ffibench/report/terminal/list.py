"""What `ffibench list` shows of an experiment: its cases, its parameters, its contestants as this machine has them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType

from ffibench.catalog import Candidate, Folder
from ffibench.report.table import Heading, State, Tabular, one_line, tabulated
from ffibench.report.terminal.table import shown
from ffibench.units import format_count


def listing(folder: Folder, found: Sequence[Candidate]) -> RenderableType:
    """Show one experiment; what cannot run here has a note with the reason and the command that mends it."""
    marks, notes = _notes(found)
    columns: dict[Heading, Sequence[str]] = {
        Heading("contestant", ("contestant",), numeric=False): [each.contestant.name for each in found],
        Heading("version", ("version",), numeric=False): [one_line(each.contestant.version) for each in found],
        Heading("lock", ("lock",), numeric=False): [each.lock for each in found],
        Heading("interpreter", ("interpreter",), numeric=False): [
            one_line(each.contestant.interpreter) for each in found
        ],
        Heading("runs", ("runs here",), numeric=False): marks,
    }
    states: list[State] = ["ranked" if each.missing is None else "marked" for each in found]
    headings, blocks = tabulated(columns, states, {"": len(found)})
    return shown(
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
    marks = []
    for each in found:
        if each.missing is None:
            marks.append("yes")
            continue
        text = f"{each.missing.reason}; {each.missing.fix}"
        marks.append(f"no [{numbers.setdefault(text, len(numbers) + 1)}]")
    return marks, [(f"[{number}]", one_line(text)) for text, number in numbers.items()]


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
        lines += [f"--{role} CONTESTANT: who is the {role} for all, in place of each contestant." for role in roles]
    return "\n".join(lines)
