"""From a C header to the files of one shim: the model of the header, poured into a technology's templates."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from jinja2 import Environment, pass_context
from jinja2.runtime import Context
from msgspec.structs import replace

from ffibench.builds.templates import template_environment
from ffibench.errors import FfibenchError
from ffibench.headers.types import CType, Function
from ffibench.shims.technology import Technology

# Words of C++ that C leaves free: a header may name a parameter or a field by one. Operators such as `xor` are not
# among them, since no macro can be named so.
CPP_WORDS = frozenset(
    """
    catch class concept consteval constexpr constinit const_cast decltype delete dynamic_cast explicit export friend
    mutable namespace new noexcept nullptr operator private protected public reinterpret_cast requires static_cast
    template this throw try typeid typename using virtual
    """.split()
)
# Words that a parameter of the header may be named by, but no local variable of a generated file: those of Python,
# of C++, of Cython, and of the templates themselves.
RESERVED = CPP_WORDS.union(
    keyword.kwlist,
    "cdef cimport cpdef ctypedef include nogil gil by api readonly fused DEF IF ELIF ELSE NULL bytes object".split(),
    "argument arguments count given result answer done m module py released self".split(),
)
# What the templates append to a parameter's name for variables of their own.
SUFFIXES = ("_value", "_view", "_memory")

CTYPES = {
    "_Bool": "c_bool",
    "signed char": "c_byte",
    "short": "c_short",
    "int": "c_int",
    "long": "c_long",
    "long long": "c_longlong",
    "unsigned char": "c_ubyte",
    "unsigned short": "c_ushort",
    "unsigned int": "c_uint",
    "unsigned long": "c_ulong",
    "unsigned long long": "c_ulonglong",
    "float": "c_float",
    "double": "c_double",
    "long double": "c_longdouble",
}


def render_shim(technology: Technology, context: Mapping[str, Any]) -> dict[str, str]:
    """Return the files of a shim, name to text. `module.X.j2` becomes `MODULE.X`; meson.build keeps its name."""
    environment = _environment(*technology.template_folders)
    files = {}
    for path in technology.templates:
        name = path.name.removesuffix(".j2").replace("module.", f"{context['module']}.", 1)
        files[name] = environment.get_template(path.name).render(context)
    return files


def render_core(technology: Technology, context: Mapping[str, Any]) -> dict[str, str]:
    """Return the build of what the shims of a technology share, from its folder `core`."""
    environment = _environment(technology.folder / "core", *technology.template_folders[1:])
    return {"meson.build": environment.get_template("meson.build.j2").render(context)}


def local_names(functions: Sequence[Function]) -> tuple[Function, ...]:
    """Return the functions with parameter names that clash with nothing in a generated file, nor with each other."""
    return tuple(_with_local_names(function) for function in functions)


def _with_local_names(function: Function) -> Function:
    names: dict[str, str] = {}
    for parameter in function.parameters:
        name = parameter.name
        # One named as its own function would hide it.
        others = {function.name, f"native_{function.name}", f"trampoline_{function.name}"}
        if name in RESERVED or name in others or name.endswith(SUFFIXES):
            name += "_"
        while name in names.values() or (name != parameter.name and name in {p.name for p in function.parameters}):
            name += "_"
        names[parameter.name] = name
    renamed = [
        replace(p, name=names[p.name], length=None if p.length is None else names[p.length])
        for p in function.parameters
    ]
    return replace(function, parameters=tuple(renamed))


def foreign_words(text: str) -> list[str]:
    """Return the words of C++ that a preprocessed C header uses as names of its own."""
    code = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
    return sorted(CPP_WORDS.intersection(re.findall(r"\b[a-z]\w+\b", code)))


def usable_constants(constants: Mapping[str, int]) -> dict[str, int]:
    """Return the constants that a Python module can have as names."""
    return {name: value for name, value in constants.items() if not keyword.iskeyword(name)}


def check_kinds(technology: Technology, functions: Sequence[Function]) -> str | None:
    """Say in a sentence which parameter or result the technology has no template for, or None."""
    for function in functions:
        kinds = [(p.name, p.kind) for p in function.parameters] + [("result", function.result.kind)]
        lacking = [(what, str(kind)) for what, kind in kinds if kind not in technology.kinds]
        if not technology.closures:
            alone = [each.name for each in function.callbacks if each.data is None]
            lacking += [(name, "callback without user data beside it") for name in alone]
        for what, kind in lacking:
            return (
                f"{technology.name} renders no {kind}, as {function.name}.{what} at {function.file}:{function.line} is"
            )
    return None


def _environment(*folders: Path) -> Environment:
    environment = template_environment(*folders)
    environment.globals.update(
        ctypes_name=_ctypes_name, number=_number, package_folder=_package_folder, tool_python=sys.executable
    )
    return environment


@pass_context
def _number(context: Context, kind: CType) -> str:
    """The arithmetic type that carries a scalar, so that every technology takes it for a number.

    An enum is carried by its integer type. Plain `char` is a number in C too, but to pybind11, nanobind and
    cffi a text of length 1.
    """
    return str(context["plain_char"]) if kind.base == "char" else kind.base


@pass_context
def _ctypes_name(context: Context, kind: CType) -> str:
    """The ctypes type of a scalar; `size_t` under its own name, for the reader."""
    return "c_size_t" if kind.typedefs[:1] == ("size_t",) else CTYPES[_number(context, kind)]


def _package_folder(path: str) -> str:
    """A folder or file of a package of the tool's own environment: `pybind11/include`."""
    package, _, rest = path.partition("/")
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise FfibenchError(f"the Python package {package} is not installed", fix=f"pip install {package}")
    return str(Path(spec.submodule_search_locations[0]) / rest)
