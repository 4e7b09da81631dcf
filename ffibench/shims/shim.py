"""The shim of one contestant: which files it is rendered from, and the key under which it is kept."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import ffibench
from ffibench.builds.project import Project, source_text
from ffibench.builds.sources import LibraryParts
from ffibench.builds.toolchain import compiler, flags, preprocessor_flags
from ffibench.errors import FfibenchError
from ffibench.headers.cplusplus import CPP_WORDS, foreign_words
from ffibench.headers.preprocess import preprocess
from ffibench.headers.reader import Header, parse
from ffibench.headers.types import Function
from ffibench.languages import languages
from ffibench.model import LibraryIdentity
from ffibench.model.runtime import Runtime
from ffibench.paths import asset
from ffibench.shims.facilities import facilities
from ffibench.shims.technology import Binding, Technology


def shim_project(
    *,
    technology: Technology,
    binding: Binding,
    contestant: str,
    source: Path,
    runtime: Runtime,
    header: Path,
    functions: Sequence[str],
    kinds: Mapping[str, str],
    library: LibraryIdentity,
    parts: LibraryParts | None = None,
    partly: bool = False,
) -> Project:
    """Return the project that makes the shim of `contestant`.

    `source` is the experiment's file, which is compiled where the language has no other way to call. `parts` are
    those of the library, for a binding that has it inside itself. With `partly` the functions that the technology has
    no template for are left out of the shim.
    Raises FfibenchError where the header cannot be preprocessed; rendering raises it where the header
    cannot be parsed, or has a parameter that the technology does not know.
    """
    text = _preprocessed(header, header.stat().st_mtime_ns)
    module = technology.module or module_name(header, contestant.rpartition("/")[2])
    core = core_project(technology, runtime, binding.options)
    inputs = (
        ffibench.__version__,
        contestant,
        text,
        repr(sorted(kinds.items())),
        repr(sorted(functions)),
        *map(source_text, technology.files),
        *_program(source, technology),
        runtime.identity,
        *_tools(technology),
        *(parts.texts if binding.static and parts is not None else ()),
        library.path,
        library.sha256,
        str(header),
        "partly" if partly else "",
    )

    def render() -> dict[str, str]:
        from ffibench.shims import render as rendering

        context: dict[str, Any] = {
            "module": module,
            "lock": binding.lock,
            "options": binding.options,
            "header_name": header.name,
            "header_folder": header.parent,
            "kit": str(asset("native/kits") / technology.language),
            "library": library.path,
            "library_folder": Path(library.path).parent,
            "runtime": runtime.context,
            "source": source,
            "parts": parts,
            "function_names": sorted(functions),
            "compilers": technology.compilers,
            "core": None if core is None else core.locate() / "build" / core.artifact,
            "packaged": False,
        }
        if technology.kinds:
            declared = declarations(header, kinds)
            selected = called = declared.select(functions)
            if partly:
                selected = tuple(each for each in selected if rendering.check_kinds(technology, [each]) is None)
            # A program has the loops of other bindings of its language in it, with the structs that they make.
            context |= header_context(technology, declared, selected, called if technology.program else selected)
        return rendering.render_shim(technology, context)

    return Project(
        name=contestant,
        inputs=inputs,
        artifact=technology.artifact.format(module=module),
        compiled=technology.is_built,
        render=render,
        needs=() if core is None else (core,),
    )


def header_context(
    technology: Technology, declared: Header, functions: Sequence[Function], called: Sequence[Function] | None = None
) -> dict[str, Any]:
    """Return what the templates of a technology are told of a header and these functions of it.

    What a shim has beside its functions it has for those in `called`, where these are more.

    Raises FfibenchError where the technology does not know a parameter.
    """
    from ffibench.shims import render as rendering

    keywords = languages()[technology.language].keywords
    reserved = keywords | technology.reserved | (CPP_WORDS if "cpp" in technology.compilers else frozenset())
    chosen = rendering.local_names(functions, reserved)
    unfit = rendering.check_kinds(technology, chosen)
    if unfit is not None:
        raise FfibenchError(f"{unfit}", fix="--kind FUNCTION.PARAMETER=KIND gives it another kind")
    constants = rendering.usable_constants(declared.constants, keywords)
    return {
        **facilities(called or chosen, declared.structs, constants=constants, keywords=keywords),
        "functions": chosen,
        "constants": constants,
        "keywords": keywords,
        "foreign_words": foreign_words(declared.text),
        "hidden": [each.name for each in chosen if each.hidden],
        "plain_char": "unsigned char" if "#define __CHAR_UNSIGNED__ " in declared.text else "signed char",
    }


def module_name(header: Path, binding: str) -> str:
    """Return the name of the module that a binding of a header has: `foo_nanobind`."""
    return re.sub(r"\W", "_", f"{header.stem}_{binding}")


def core_project(technology: Technology, runtime: Runtime, options: Mapping[str, str]) -> Project | None:
    """Return the project of what all shims of a technology link for one interpreter, or None where there is nothing.

    Of a binding's options those count that its template asks for: all without one share a core.
    """
    if technology.core is None:
        return None
    asked = {
        name: options[name]
        for name in sorted(options)
        if any(f"options.{name}" in source_text(each) for each in technology.core_files)
    }

    name = f"{Path(technology.core).stem.removeprefix('lib')}-core"

    def render() -> dict[str, str]:
        from ffibench.shims.render import render_core

        return render_core(
            technology,
            {
                "module": name,
                "runtime": runtime.context,
                "compilers": technology.compilers,
                "options": asked,
            },
        )

    return Project(
        name=f"{technology.language}/{name}",
        inputs=(
            ffibench.__version__,
            *map(source_text, technology.core_files),
            runtime.identity,
            repr(asked),
            *_tools(technology),
        ),
        artifact=technology.core,
        compiled=True,
        render=render,
    )


def declarations(header: Path, kinds: Mapping[str, str]) -> Header:
    """Return what a header declares, with the kinds of the experiment and of `--kind`; read once a process.

    Raises FfibenchError where it cannot be read, and for a kind that does not fit.
    """
    return _parsed(_preprocessed(header, header.stat().st_mtime_ns), header, tuple(sorted(kinds.items())))


@cache
def _preprocessed(header: Path, mtime_ns: int) -> str:
    """The header's text once a process: it is part of the key of every shim."""
    return preprocess(header, compiler=(*compiler("c").command, *preprocessor_flags()))


@cache
def _parsed(text: str, header: Path, kinds: tuple[tuple[str, str], ...]) -> Header:
    return parse(text, header, dict(kinds))


def _program(source: Path, technology: Technology) -> list[str]:
    """The texts that a language compiles itself, where there is no template: the source, its helpers and the kit."""
    if not technology.program:
        return []
    helpers = sorted(path for path in source.parent.glob("_*") if path.suffix in {source.suffix, ".h"})
    kit = sorted(path for path in asset(f"native/kits/{technology.language}").rglob("*") if path.is_file())
    return [source_text(path) for path in [source, *helpers, *kit]]


def _tools(technology: Technology) -> list[str]:
    """The tools that take part in a build, with their versions and the flags that they read."""
    if not technology.is_built:
        return []
    compilers = [compiler(language) for language in technology.compilers]
    return [
        *(f"{shlex.join(each.command)} {each.version}" for each in compilers),
        repr(flags()),
        metadata.version("meson"),
        f"{technology.build_package} {technology.build_version}",
        *technology.program_versions,
    ]
