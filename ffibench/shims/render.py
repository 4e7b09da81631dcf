"""From a C header to the files of one shim: the model of the header, rendered by a technology's templates."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from jinja2 import Environment, pass_context
from jinja2.meta import find_undeclared_variables
from jinja2.runtime import Context
from jinja2.utils import htmlsafe_json_dumps
from msgspec.structs import replace

from ffibench.builds.templates import template_environment
from ffibench.errors import FfibenchError
from ffibench.headers.types import CType, Function, Kind, StructType
from ffibench.headers.words import matcher
from ffibench.shims.facilities import cell_type
from ffibench.shims.named import with_named
from ffibench.shims.technology import Technology

BUILD = "meson.build.j2"

LIBRARY = "@LIBRARY@"
"""In a source of a technology: the path of the library under test, between quotes."""

LOCAL = frozenset(
    {"core", "header_folder", "kit", "library_folder", "package_folder", "parts", "source", "tool_python"}
)
"""What a template asks for that names a folder of this machine, or has the experiment's file in it."""


def render_shim(technology: Technology, context: Mapping[str, Any]) -> dict[str, str]:
    """Return the files of a shim, name to text: `module.X.j2` becomes `MODULE.X`, other names stay.

    Sources are taken as they are, but for LIBRARY, which becomes the path of the library. A template that renders
    nothing makes no file: it is that of another binding of the technology.
    """
    environment = _environment(*technology.template_folders)
    return _rendered(environment, technology, context)


def render_package(technology: Technology, context: Mapping[str, Any]) -> dict[str, str]:
    """Return a binding to take home: what a shim is made of, and its build by the tools of its language."""
    environment = _environment(technology.folder / "package", *technology.template_folders)
    files = _rendered(environment, technology, context)
    for path in (*sorted((technology.folder / "package").glob("*.j2")), Path("README.md.j2")):
        files[path.name.removesuffix(".j2")] = environment.get_template(path.name).render(context)
    return files


def _rendered(environment: Environment, technology: Technology, context: Mapping[str, Any]) -> dict[str, str]:
    files = {}
    for path in (*technology.templates, *technology.sources):
        if context["packaged"] and path.name == BUILD:
            continue
        name = name_of(path, context["module"])
        if path.suffix == ".j2":
            files[name] = environment.get_template(path.name).render(context)
        else:
            # As the filter `tojson` writes it in a template, so that both give the same bytes.
            library = htmlsafe_json_dumps(context["library"])[1:-1]
            files[name] = path.read_text(encoding="utf-8").replace(LIBRARY, library)
    return {name: text for name, text in files.items() if text.strip()}


def name_of(path: Path, module: str) -> str:
    """Return the name of the file that a template or a source of a technology becomes in the shim of this module."""
    return path.name.removesuffix(".j2").replace("module.", f"{module}.", 1)


def local_templates(technology: Technology) -> list[Path]:
    """Return the templates that render what is of this machine alone: the build, and what asks for one of LOCAL."""
    folders = technology.template_folders
    parse = _environment(*folders).parse

    def asked(template: Path) -> set[str]:
        texts = (each.read_text(encoding="utf-8") for each in with_named([template], folders))
        return {name for text in texts for name in find_undeclared_variables(parse(text))}

    return [each for each in technology.templates if each.name == BUILD or not LOCAL.isdisjoint(asked(each))]


def render_core(technology: Technology, context: Mapping[str, Any]) -> dict[str, str]:
    """Return the build of what the shims of a technology share, from its folder `core`.

    Beside the template lie the lock file by which a package is fetched and what belongs to it: as they are.
    """
    folder = technology.folder / "core"
    environment = _environment(folder, *technology.template_folders[1:])
    beside = (path for path in technology.own_core_files if path.suffix != ".j2")
    files = {path.name: path.read_text(encoding="utf-8") for path in beside}
    return {**files, "meson.build": environment.get_template("meson.build.j2").render(context)}


def local_names(functions: Sequence[Function], reserved: Collection[str]) -> tuple[Function, ...]:
    """Return the functions with parameter names that match no pattern of `reserved` and differ from each other."""
    is_reserved = matcher(reserved)
    return tuple(_with_local_names(function, is_reserved) for function in functions)


def _with_local_names(function: Function, is_reserved: Callable[[str], bool]) -> Function:
    names: dict[str, str] = {}
    for parameter in function.parameters:
        name = parameter.name
        # One named as its own function would hide it.
        if name == function.name or is_reserved(name):
            name += "_"
        while name in names.values() or (name != parameter.name and name in {p.name for p in function.parameters}):
            name += "_"
        names[parameter.name] = name
    renamed = [
        replace(p, name=names[p.name], length=None if p.length is None else names[p.length])
        for p in function.parameters
    ]
    return replace(function, parameters=tuple(renamed))


def usable_constants(constants: Mapping[str, int], keywords: Collection[str]) -> dict[str, int]:
    """Return the constants that a language with these keywords can name."""
    return {name: value for name, value in constants.items() if name not in keywords}


def lacking(technology: Technology, function: Function) -> dict[str, str]:
    """Return for which parameters, or `result`, of a function the technology has no template, each with its kind."""
    kinds: list[tuple[str, Kind]] = [(p.name, p.kind) for p in function.parameters]
    kinds.append(("result", function.result.kind))
    found = {what: str(kind) for what, kind in kinds if kind not in technology.kinds}
    if technology.scalars:
        numbers = [p for p in function.parameters if p.kind == "scalar" and p.type.base not in technology.scalars]
        found |= {p.name: f"`{p.type.spelling}`" for p in numbers}
    crossing = {p.name: p.type for p in function.parameters} | {"result": function.result.type}
    found |= {what: f"`{each.spelling}`" for what, each in crossing.items() if each.base in technology.without}
    if "callback" in found.values():  # then what comes back to it is no matter
        found = {what: kind for what, kind in found.items() if kind != "user_data"}
    if not technology.closures:
        alone = [each.name for each in function.callbacks if each.data is None]
        found |= {name: "callback without user data beside it" for name in alone if name not in found}
    return found


def check_kinds(technology: Technology, functions: Sequence[Function]) -> str | None:
    """Return which parameters and results the technology has no template for, all in a sentence, or None."""
    places: dict[str, list[str]] = {}
    for function in functions:
        found: dict[str, list[str]] = {}
        for what, kind in lacking(technology, function).items():
            found.setdefault(kind, []).append(what)
        where = f"({Path(function.file).name}:{function.line})"
        for kind, of in found.items():
            places.setdefault(kind, []).append(f"{function.name}.{', .'.join(of)} {where}")
    said = "; ".join(f"no {kind}: {', '.join(of)}" for kind, of in places.items())
    return f"{technology.narrow or technology.name} renders {said}" if said else None


def _environment(*folders: Path) -> Environment:
    environment = template_environment(*folders)
    environment.filters.update(cell_type=cell_type, struct_name=_struct_name)
    environment.globals.update(number=_number, package_folder=_package_folder, tool_python=sys.executable)
    return environment


@pass_context
def _number(context: Context, kind: CType) -> str:
    """The arithmetic type that carries a scalar, so that every technology takes it for a number.

    An enum is carried by its integer type. Plain `char` is a number in C too, but to many a technology a text of
    length 1.
    """
    return str(context["plain_char"]) if kind.base == "char" else kind.base


@pass_context
def _struct_name(context: Context, struct: StructType | CType) -> str:
    """The name of a struct in the caller's language; of a pointer, that of what it points to."""
    if isinstance(struct, CType):
        named = struct if struct.target is None else struct.target
        return str(context["struct_names"][named.tag])
    return str(context["struct_names"][struct.name])


def _package_folder(path: str) -> str:
    """A folder or file of a package of the tool's own environment: `pybind11/include`."""
    package, _, rest = path.partition("/")
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise FfibenchError(f"the Python package {package} is not installed", fix=f"pip install {package}")
    return str(Path(spec.submodule_search_locations[0]) / rest)
