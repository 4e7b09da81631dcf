"""The help of a command: options in named groups, as wide as the terminal.

Our own and not one of the libraries for it: rich-click loads rich, which takes as long as the rest of `--help`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

WIDTH_MAX = 160
"""Of the options; a wider terminal leaves the rest blank."""

PROSE_WIDTH_MAX = 100
"""Longer lines of running text are hard to read."""

TERM_WIDTH_MAX = 26
"""An option that is longer stands on a line of its own."""

GROUPS = (
    COUNTED := "What is counted",
    CONTESTANTS := "Contestants",
    EFFORT := "How much is measured",
    PARAMETERS := "Parameters of the experiment",
    CHECKS := "Checks",
    SHOWN := "What is shown",
    FILES := "Files",
    OTHER := "Options",
)
"""In the order of the page."""

F = TypeVar("F", bound=Callable[..., Any] | click.Command)

Records = dict[str, list[tuple[str, str]]]
"""Group to its options, each with its help."""


class Formatter(click.HelpFormatter):
    """Writes running text no wider than is easy to read, and headings that stand out on a terminal."""

    def write_text(self, text: str) -> None:
        """Write a paragraph or several."""
        width, self.width = self.width, min(self.width, PROSE_WIDTH_MAX)
        super().write_text(text)
        self.width = width

    def write_heading(self, heading: str) -> None:
        """Write a heading in bold, which click leaves out where the output is no terminal."""
        self.write(f"{'':>{self.current_indent}}{click.style(f'{heading}:', bold=True)}\n")


class GroupedOption(click.Option):
    """An option that belongs to a group of the help."""

    def __init__(self, *arguments: Any, group: str = OTHER, **options: Any) -> None:  # noqa: ANN401 (as click has it)
        super().__init__(*arguments, **options)
        self.group = group

    def get_help_extra(self, ctx: click.Context) -> Any:  # noqa: ANN401 (click's own typed dictionary is private)
        """Leave out the range of a number: the message of a mistake has it."""
        extra = super().get_help_extra(ctx)
        extra.pop("range", None)
        return extra


class Context(click.Context):
    """Of a command: it brings the formatter."""

    formatter_class = Formatter


class GroupedCommand(click.Command):
    """A command whose options stand in groups."""

    context_class = Context

    def records(self, ctx: click.Context) -> Records:
        """Return the options by group, in the order in which they were declared."""
        found: Records = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                found.setdefault(getattr(parameter, "group", OTHER), []).append(record)
        return found

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the groups with one edge for all their texts."""
        found = self.records(ctx)
        lengths = [len(term) for records in found.values() for term, _ in records]
        edge = max(length for length in lengths if length <= TERM_WIDTH_MAX)
        for group in GROUPS:
            records = found.get(group, [])
            if records:
                (term, text), *rest = records
                with formatter.section(group):
                    formatter.write_dl([(term.ljust(edge), text), *rest], col_max=edge)


def option(*names: str, group: str = OTHER, **options: Any) -> Callable[[F], F]:  # noqa: ANN401 (as click has it)
    """Declare an option of a group."""
    return click.option(*names, cls=GroupedOption, group=group, **options)
