"""A binding technology: a folder in `native/shims/LANGUAGE` with `technology.toml` and its templates.

An experiment's folder may have technologies of its own, in `shims/LANGUAGE/NAME`: by templates, which find those of
ffibench's technologies, or by sources, which are taken as they are. A file named like the language, such as
`python.py`, is then the loop that drives this technology, in place of the experiment's; files that begin with `_` are
its helpers. In `shims/LANGUAGE` it drives the technologies there that have none of their own and say which of its
`cases` they do; the experiment's loop drives the others.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from ffibench.errors import FfibenchError
from ffibench.extras import install_command
from ffibench.languages import languages
from ffibench.languages.programs import run_program
from ffibench.model import Lock, RuntimeState
from ffibench.model.runtime import Missing
from ffibench.paths import asset
from ffibench.shims.named import with_named

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

RESERVED = re.compile(r"\{#-?\s*reserved:(.*?)-?#\}", re.DOTALL)
"""What a template says of the words that it takes for itself: `{# reserved: result *_value #}`."""


class Binding(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One way to use a technology: a binding of its own name, or a variant of it."""

    lock: Lock | None = None
    runtime: RuntimeState = "waits"
    callbacks: bool = True
    package: str | None = None
    """The package that its worker needs in place of that of its technology: an extension of the runtime, say."""
    asked: bool | Literal["pattern"] = False
    """Whether it takes part only if asked for. True: where an experiment's `variants` name it, or `-c` its full name,
    as a way to link or a control; "pattern": where any pattern of `-c` matches it, as languages that are asked for."""
    static: bool = False
    """Whether it has the library inside itself, compiled from the same sources."""
    native: bool = True
    """Whether it calls the library at all; a control that does the work in its own language does not."""
    warmup: int | None = None
    """The warm-up slices that each of its processes needs; None: those of its language."""
    kinds: tuple[str, ...] = ()
    """Those of its technology that it carries, where they are fewer."""
    scalars: tuple[str, ...] = ()
    """The C types of the numbers that it carries as arguments, `unsigned int`; empty for all."""
    options: Mapping[str, str] = {}
    """What its templates, and the command of its workers, may ask for besides what happens to the lock."""


class Technology(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `technology.toml` says; its name and language come from where it lies."""

    bindings: Mapping[str, Binding]
    artifact: str
    """Name of the file that the worker is given: `{module}.so`, `{module}.py`."""
    kinds: tuple[str, ...] = ()
    """Those of `ffibench.headers.types.Kind` that its templates render; empty where it renders none."""
    without: tuple[str, ...] = ()
    """The C types of numbers that its language does not have, `long double`."""
    closures: bool = False
    """Whether it makes a C function of any callable at run time, so that a callback needs no user data beside it."""
    build_package: str | None = None
    """The Python distribution, in the tool's own environment, that generates or compiles the shim."""
    package: str | None = None
    """The package that a worker needs, in the worker's own language."""
    extra: bool = False
    """Whether a run without it is complete, since what builds it does not come with ffibench."""
    optional_packages: tuple[str, ...] = ()
    """Packages that some cases of its loop need, where they are installed; else these cases say so."""
    compilers: tuple[Literal["c", "cpp"], ...] = ()
    """The languages that its build compiles, besides its own."""
    programs: Mapping[str, str] = {}
    """Programs on PATH that its build runs besides, such as `cargo`, each with the command that installs it."""
    jumps: bool = False
    """Whether what is compiled may jump into the library, whose calls then seem to come from the runtime."""
    program: bool = False
    """Whether the experiment's file is compiled with what is generated, so that the artifact is the whole program."""
    core: str | None = None
    """The artifact of `core/meson.build.j2`, which all its shims use: built once for an interpreter and its flags. Here
    a package of a registry is fetched, by the lock file that lies beside it."""
    module: str | None = None
    """The name of its shims' module; None: that of the header and the binding."""
    cases: tuple[str, ...] = ()
    """Globs of the cases that its loop has, by their keys; empty: all."""
    loop: Path | None = None
    """The loop that drives its shims alone; None: that of the experiment."""
    folder: Path = Path()
    narrow: str = ""
    """The binding to which the kinds and numbers are narrowed, where one carries fewer."""
    scalars: tuple[str, ...] = ()
    """As those of a binding."""

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.folder.name

    def narrowed(self, name: str) -> Technology:
        """Return the technology as one of its bindings uses it, with the kinds that this one carries."""
        binding = self.bindings[name]
        if not binding.kinds and not binding.scalars:
            return self
        return msgspec.structs.replace(
            self, narrow=name, kinds=binding.kinds or self.kinds, scalars=binding.scalars or self.scalars
        )

    @property
    def packages(self) -> frozenset[str]:
        """Those that workers need, of all its bindings."""
        return frozenset(name for name in (self.package, *(each.package for each in self.bindings.values())) if name)

    @property
    def language(self) -> str:
        """The language whose code calls through it."""
        return self.folder.parent.name

    @property
    def template_folders(self) -> list[Path]:
        """Its own folder, that of what its language's technologies share, and that of what all share.

        One of an experiment's folder shares ffibench's too.
        """
        own = asset("native/shims")
        return list(dict.fromkeys([self.folder, *self.folder.parents[:2], own / self.language, own]))

    @property
    def templates(self) -> list[Path]:
        """Its templates, in a fixed order."""
        return sorted(self.folder.glob("*.j2"))

    @property
    def sources(self) -> list[Path]:
        """Its files that are part of a shim as they are: all but templates, its loop and the helpers of that."""
        return sorted(path for path in self.folder.glob("[!_.]*.*") if _is_source(path) and not _is_loop(path))

    @property
    def files(self) -> list[Path]:
        """All that its shims are made of: its own files, those that technologies share, and templates of others."""
        own = (*self.folder.glob("*.[jt]*"), *self.own_core_files)
        around = (path for folder in self.template_folders[1:] for path in folder.iterdir())
        shared = (path for path in around if path.is_file() and path != self.loop)
        return sorted(with_named([*own, *self.sources, *shared], self.template_folders))

    @property
    def own_core_files(self) -> list[Path]:
        """The files of its folder `core`; none where it has no such folder."""
        return sorted(path for path in self.folder.glob("core/*") if path.is_file())

    @property
    def core_files(self) -> list[Path]:
        """What its core is made of; technologies with the same files share it."""
        own = self.own_core_files
        shared = (path for folder in self.template_folders[1:] for path in sorted(folder.glob("*.j2")))
        return with_named([*own, *shared], self.template_folders)

    @property
    def reserved(self) -> frozenset[str]:
        """What no local variable of a rendered function may be named, as patterns: words that its templates take."""
        texts = [path.read_text(encoding="utf-8") for path in self.files if path.suffix == ".j2"]
        return frozenset(word for text in texts for note in RESERVED.findall(text) for word in note.split())

    @property
    def build_version(self) -> str:
        """Version of `build_package`; empty where there is none, or where it is not installed."""
        if self.build_package is None:
            return ""
        try:
            return metadata.version(self.build_package)
        except metadata.PackageNotFoundError:
            return ""

    @property
    def missing_package(self) -> Missing | None:
        """What is missing where `build_package` is not installed, which may be one of ffibench's extras."""
        name = self.build_package
        if name is None or self.build_version:
            return None
        reason = f"the Python package {name} is not installed, which makes its shim"
        return Missing(reason=reason, fix=install_command(name))

    @property
    def program_versions(self) -> list[str]:
        """What the programs that its build runs say of themselves: what one made need not fit what another makes."""
        return [_version(found) for name in self.programs if (found := shutil.which(name)) is not None]

    @property
    def missing_program(self) -> Missing | None:
        """What is missing where a program is not on PATH that its build runs."""
        absent = next((name for name in self.programs if shutil.which(name) is None), None)
        if absent is None:
            return None
        return Missing(
            reason=f"there is no {absent} on PATH, which the build of its binding runs", fix=self.programs[absent]
        )

    @property
    def is_built(self) -> bool:
        """Whether Meson makes its shim; the others are rendered and read by the language itself."""
        return (self.folder / "meson.build.j2").exists()


@cache
def _version(program: str) -> str:
    answer = run_program([program, "--version"])
    return f"{program} {answer.stdout}{answer.stderr}"


@cache
def technologies() -> tuple[Technology, ...]:
    """Read every technology that this installation has, in the order of their languages and names."""
    return technologies_in(asset("native/shims"))


def technologies_in(home: Path) -> tuple[Technology, ...]:
    """Read the technologies in a folder `shims`, in the order of their languages and names."""
    return tuple(read_technology(path.parent) for path in sorted(home.glob("*/*/technology.toml")))


def _is_source(path: Path) -> bool:
    return path.is_file() and path.name != "technology.toml" and path.suffix not in {".j2", ".md"}


def _is_loop(path: Path) -> bool:
    """Whether a file is named like a language: the loop of its technology, or another that this one imports."""
    return path.stem in languages() and languages()[path.stem].suffix == path.suffix


def read_technology(folder: Path) -> Technology:
    """Read one folder. Raises FfibenchError where its `technology.toml` is not as it must be."""
    path = folder / "technology.toml"
    try:
        document: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        technology = msgspec.convert(document, Technology)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise FfibenchError(f"{path}: {error}", fix="compare it with another technology.toml beside it") from None
    homes = (folder, folder.parent) if technology.cases else (folder,)
    loops = (home / f"{folder.parent.name}{_suffix(folder)}" for home in homes)
    return msgspec.structs.replace(
        technology, folder=folder, loop=next((each for each in loops if each.is_file()), None)
    )


def _suffix(folder: Path) -> str:
    """Return that of the source files of a technology's language. Raises FfibenchError where there is none."""
    language = languages().get(folder.parent.name)
    if language is None:
        raise FfibenchError(
            f"{folder} is a binding technology of {folder.parent.name}, which is no language here",
            fix=f"put it into one of {', '.join(sorted(languages()))}, as in {folder.parents[1]}/python/{folder.name}",
        )
    return language.suffix
