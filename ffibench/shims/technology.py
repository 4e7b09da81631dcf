"""A binding technology: a folder in `native/shims/LANGUAGE` with `technology.toml` and its templates."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from ffibench.errors import FfibenchError
from ffibench.model import Lock
from ffibench.paths import asset

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

RESERVED = re.compile(r"\{#-?\s*reserved:(.*?)-?#\}", re.DOTALL)
"""What a template says of the words that it takes for itself: `{# reserved: result *_value #}`."""


class Binding(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One way to use a technology: a binding of its own name, or a variant of it."""

    lock: Lock | None = None
    options: Mapping[str, str] = {}
    """What its templates may ask for besides what happens to the language's lock."""


class Technology(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `technology.toml` says; its name and language come from where it lies."""

    bindings: Mapping[str, Binding]
    artifact: str
    """Name of the file that the worker is given: `{module}.so`, `{module}.py`."""
    kinds: tuple[str, ...] = ()
    """Those of `ffibench.headers.types.Kind` that its templates render; empty where it renders none."""
    closures: bool = False
    """Whether it makes a C function of any callable at run time, so that a callback needs no user data beside it."""
    build_package: str | None = None
    """The Python distribution, in the tool's own environment, that generates or compiles the shim."""
    package: str | None = None
    """The package that a worker needs, in the worker's own language."""
    compilers: tuple[Literal["c", "cpp"], ...] = ()
    """The languages that its build compiles."""
    core: str | None = None
    """The artifact of `core/meson.build.j2`, which all its shims link: built once for an interpreter and its flags."""
    folder: Path = Path()

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.folder.name

    @property
    def language(self) -> str:
        """The language whose code calls through it."""
        return self.folder.parent.name

    @property
    def template_folders(self) -> list[Path]:
        """Its own folder, that of what its language's technologies share, and that of what all share."""
        return [self.folder, *self.folder.parents[:2]]

    @property
    def templates(self) -> list[Path]:
        """Its templates, in a fixed order."""
        return sorted(self.folder.glob("*.j2"))

    @property
    def files(self) -> list[Path]:
        """All that its shims are made of: its own files, and those that technologies share."""
        shared = (path for folder in self.folder.parents[:2] for path in folder.iterdir() if path.is_file())
        return sorted([*(path for path in self.folder.rglob("*") if path.is_file()), *shared])

    @property
    def reserved(self) -> frozenset[str]:
        """What no local variable of a rendered function may be named, as patterns: words that its templates take."""
        texts = [path.read_text(encoding="utf-8") for path in self.files if path.suffix == ".j2"]
        return frozenset(word for text in texts for note in RESERVED.findall(text) for word in note.split())

    @property
    def build_version(self) -> str:
        """Version of `build_package`, or nothing."""
        return "" if self.build_package is None else metadata.version(self.build_package)

    @property
    def is_built(self) -> bool:
        """Whether Meson makes its shim; the others are rendered and read by the language itself."""
        return (self.folder / "meson.build.j2").exists()


@cache
def technologies() -> tuple[Technology, ...]:
    """Read every technology that this installation has, in the order of their languages and names."""
    return tuple(read_technology(path.parent) for path in sorted(asset("native/shims").glob("*/*/technology.toml")))


def read_technology(folder: Path) -> Technology:
    """Read one folder. Raises FfibenchError where its `technology.toml` is not as it must be."""
    path = folder / "technology.toml"
    try:
        document: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        technology = msgspec.convert(document, Technology)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise FfibenchError(f"{path}: {error}", fix="compare it with another technology.toml beside it") from None
    return msgspec.structs.replace(technology, folder=folder)
