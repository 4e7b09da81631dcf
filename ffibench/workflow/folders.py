"""Folders that are written for the user, to edit and keep: rendered first, then written, never over another."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ffibench.builds.templates import template_environment
from ffibench.catalog.folders import Folder
from ffibench.catalog.places import buildable, header_name, library_name
from ffibench.errors import FfibenchError, fix_for
from ffibench.paths import asset

LIST_CHARACTERS_MAX = 60
"""Of a list that stands in one line."""

BARE = re.compile(r"[A-Za-z0-9_-]+")
"""A key of TOML that needs no quotes."""


def require_new(name: str) -> Path:
    """Return the folder of this name that is to be written. Raises FfibenchError where there is something already."""
    path = buildable(Path(name).resolve())
    if path.is_dir() and not any(path.iterdir()):
        return path
    if os.path.lexists(path):
        raise FfibenchError(f"{name} is there already, and nothing is written over", fix="name another folder")
    return path


def write_folder(folder: Path, files: Mapping[str, str]) -> None:
    """Write files, by their names in a folder that is made. Raises FfibenchError where the system refuses."""
    try:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise FfibenchError(
            f"cannot write to {folder}: {error.strerror}", fix_for(error, "name a folder in another place")
        ) from None


def experiment_file(described: Folder, folder: Path, library: str, kinds: Mapping[str, str]) -> str:
    """Return the text of `experiment.py` in `folder` for the experiment that a header, `library` and calls are."""
    return rendered(
        "experiment.py.j2",
        {
            "name": folder.name,
            "title": described.experiment.title,
            "header": header_name(described.header, folder),
            "header_name": described.header.name,
            "library": library_name(library, folder),
            "calls": described.experiment.calls,
            "parameters": described.experiment.parameters,
            "kinds": kinds,
        },
    )


def rendered(template: str, context: Mapping[str, Any]) -> str:
    """Return one of the templates of files that users edit."""
    environment = template_environment(asset("native/folders"))
    environment.filters["python"] = python_literal
    environment.filters["toml"] = _toml
    return environment.get_template(template).render(context)


def python_literal(value: object) -> str:
    """Return a text or a number as a person would write it in Python: in double quotes, where it holds none."""
    if not isinstance(value, str):
        return repr(value)
    simple = '"' in value and "'" not in value and "\\" not in value and value.isprintable()
    return f"'{value}'" if simple else json.dumps(value, ensure_ascii=False)


def _toml(value: object) -> str:
    """Return a value as TOML, whose texts and numbers are those of JSON; a long list has a line for each item."""
    if isinstance(value, Mapping):
        pairs = (f"{name if BARE.fullmatch(name) else _toml(name)} = {_toml(each)}" for name, each in value.items())
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, (tuple, list)):
        items = [_toml(each) for each in value]
        line = f"[{', '.join(items)}]"
        return line if len(line) <= LIST_CHARACTERS_MAX else "[\n" + "".join(f"  {each},\n" for each in items) + "]"
    return json.dumps(value, ensure_ascii=False)
