"""A command with another program's command line after `--`, which is kept as it is."""

from __future__ import annotations

from typing import Any

import click

from ffibench.cli._help import GroupedCommand

DASHES = "--"


class BesideCommand(GroupedCommand):
    """A command whose arguments end at `--`; what follows is another program's, and kept in `ctx.obj` as it is.

    `words` are the arguments that it takes where no other program follows, for the line of its usage.
    """

    def __init__(self, *arguments: Any, words: str, **options: Any) -> None:  # noqa: ANN401 (as click has it)
        super().__init__(*arguments, **options)
        self.words = words

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read what stands before the first `--`."""
        end = args.index(DASHES) if DASHES in args else len(args)
        ctx.obj = tuple(args[end + 1 :])
        return super().parse_args(ctx, args[:end])

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Show where the other program stands."""
        return [*filter(None, super().collect_usage_pieces(ctx)), f"[{self.words} | {DASHES} COMMAND...]"]
