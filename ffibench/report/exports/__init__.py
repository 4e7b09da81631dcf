"""The formats that a run is exported to: one file in this folder each, found by what it binds to `EXPORT`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from msgspec import Struct

from ffibench.report.report import Report


class Export(Struct, frozen=True, kw_only=True):
    """A format: `--export-NAME FILE` writes `text` to a file; `-` is standard output."""

    name: str
    aliases: tuple[str, ...] = ()
    help: str
    text: Callable[[Report], str]
    """Ends with a newline."""


@cache
def exports() -> Mapping[str, Export]:
    """Return every export by its name."""
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    return {module.EXPORT.name: module.EXPORT for module in modules}
