"""Options that an experiment brings along: `--ROLE CONTESTANT` for each role that it has."""

from __future__ import annotations

import re
from difflib import get_close_matches

import click

from ffibench.cli._help import PARAMETERS, GroupedCommand, Records

OPTION = re.compile(r"--(?P<name>[a-z][a-z0-9_-]*)(=(?P<value>.*))?", re.DOTALL)


class RolesCommand(GroupedCommand):
    """A command on EXPERIMENT that also takes its roles as options; they are kept in `ctx.obj`, role to contestant."""

    def records(self, ctx: click.Context) -> Records:
        """Add what stands for the options of all experiments."""
        found = super().records(ctx)
        text = "In an experiment with several roles: the contestant that plays ROLE for all, such as --publisher c."
        found[PARAMETERS].append(("--ROLE CONTESTANT", text))
        return found

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the options that the command does not know out of the arguments, and hold them against the roles."""
        known = {name for parameter in self.get_params(ctx) for name in parameter.opts}
        left: list[str] = []
        unknown: dict[str, str] = {}
        rest = iter(args)
        for word in rest:
            found = OPTION.fullmatch(word)
            if word == "--":
                left += [word, *rest]
            elif found is None or f"--{found['name']}" in known:
                left.append(word)
            else:
                unknown[found["name"]] = found["value"] if found["value"] is not None else next(rest, "")
        ctx.obj = unknown
        if not unknown:
            return super().parse_args(ctx, args)
        try:
            super().parse_args(ctx, left)
        except click.UsageError:
            raise _no_such_option(next(iter(unknown)), [*known], ctx) from None
        roles = _roles(ctx.params["experiment"])
        for name, value in unknown.items():
            if name not in roles:
                raise _no_such_option(name, [*known, *(f"--{role}" for role in roles)], ctx)
            if not value:
                raise click.BadOptionUsage(f"--{name}", f"Option '--{name}' requires a contestant.", ctx)
        return ctx.args


def _roles(experiment: str) -> list[str]:
    """The roles of an experiment that has several. Raises FfibenchError where there is no such experiment."""
    from ffibench.catalog import find_experiment
    from ffibench.catalog.headers import is_header

    if is_header(experiment):
        return []
    roles = [role.name for role in find_experiment(experiment).experiment.roles]
    return roles if len(roles) > 1 else []


def _no_such_option(name: str, known: list[str], ctx: click.Context) -> click.NoSuchOption:
    near = get_close_matches(f"--{name}", known)
    return click.NoSuchOption(f"--{name}", possibilities=near, ctx=ctx)
