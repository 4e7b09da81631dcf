"""The Jinja environment of every generated file, with what a Meson project needs to name a path."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket

from ffibench.errors import FfibenchError
from ffibench.paths import cache_folder


class Compiled(FileSystemBytecodeCache):
    """Templates as Python compiled them, kept in the user's cache: to compile those of all languages takes seconds."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep one, where that is possible."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def template_environment(*folders: Path) -> Environment:
    """Return an environment that finds templates in `folders` and refuses a name that nobody gave."""
    environment = Environment(
        loader=FileSystemLoader(folders),
        bytecode_cache=_compiled(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters["quote"] = _quote
    return environment


def render_text(template: Path, context: Mapping[str, Any]) -> str:
    """Return one template as text."""
    return template_environment(template.parent).get_template(template.name).render(context)


@cache
def _compiled() -> Compiled | None:
    try:
        return Compiled(str(cache_folder(f"templates-{version('Jinja2')}")))
    except FfibenchError:  # what is rendered may be for elsewhere, and who builds is told
        return None


def _quote(text: object) -> str:
    """A string of Meson's language."""
    return "'" + str(text).replace("\\", "\\\\").replace("'", "\\'") + "'"
