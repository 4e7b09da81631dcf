"""Small projects to build, and a technology whose templates a test can change."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from ffibench.builds.project import Project
from ffibench.shims.technology import Technology, technologies

FEW = ("forty_two", "sum_of_void", "fill", "name_of")


def text_project(text: str = "", render: Callable[[], None] = lambda: None) -> Project:
    """A project that is only rendered; `render` is called when it is."""

    def files() -> dict[str, str]:
        render()
        return {"shim.py": text}

    return Project(name="python/text", inputs=("text",), artifact="shim.py", compiled=False, render=files)


def meson_project(name: str, **files: str) -> Project:
    """A project of a meson.build and other files, by their names with `_` for the dot."""
    texts = {key.replace("_", "."): text for key, text in files.items()}
    return Project(name=name, inputs=(name, repr(files)), artifact="outcome", compiled=True, render=lambda: texts)


def technology_in(folder: Path, name: str) -> Technology:
    """A technology read from a copy of all of them, so that its templates can be changed."""
    (found,) = (each for each in technologies() if each.name == name)
    shutil.copytree(found.folder.parents[1], folder / "shims")
    return replace(found, folder=folder / "shims" / found.language / name)
