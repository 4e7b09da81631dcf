"""The Jinja environment of every generated file, with what a Meson project needs to name a path."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def template_environment(*folders: Path) -> Environment:
    """Return an environment that finds templates in `folders` and refuses a name that nobody gave."""
    environment = Environment(
        loader=FileSystemLoader(folders),
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


def _quote(text: object) -> str:
    """A string of Meson's language."""
    return "'" + str(text).replace("\\", "\\\\").replace("'", "\\'") + "'"
