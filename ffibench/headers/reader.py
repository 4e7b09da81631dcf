"""From a C header to the functions that it declares.

The C preprocessor does includes and macros; what only a compiler understands is then taken out of
the text, and pycparser reads the rest. cffi's own reader is no help: it drops `const` and parameter
names, from which kinds follow.

**Which functions are the header's.** Those in the header itself, and in what it includes, directly or
through files that count themselves, from (a) its own folder or below, unless found as a system header
(`zconf.h` beside `zlib.h`), or (b) a folder named `bits`, which is how C libraries call the private
parts of their headers (`bits/mathcalls.h` of `math.h`). Types are taken from everywhere.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath

from msgspec import Struct
from msgspec.structs import replace

from ffibench.errors import FfibenchError
from ffibench.headers.declarations import Declarations, Node, integer
from ffibench.headers.kinds import classify
from ffibench.headers.overrides import nearest, read_overrides
from ffibench.headers.preprocess import preprocess
from ffibench.headers.refusals import Refusal, refusal_report
from ffibench.headers.strip_extensions import ALTERED, MARKER, PACKED, UNPACKED, USUAL, strip_extensions
from ffibench.headers.types import CType, Function, Prototype, StructType

# Types that compilers know without a declaration. pycparser must too; no kind fits them.
_BUILTIN_TYPES = (
    *("__builtin_va_list", "__float80", "__float128", "__ibm128", "__bf16", "__fp16", "_Float16", "_Float32"),
    *("_Float32x", "_Float64", "_Float64x", "_Float128", "_Decimal32", "_Decimal64", "_Decimal128"),
)
_PRELUDE = "<ffibench>"

# With its sign and number where it stands for one.
_DEFINE = re.compile(r"^#[ \t]*define[ \t]+(\w+)(?:[ \t]+\(*[ \t]*(-?)[ \t]*(\w+)[ \t]*\)*[ \t]*$)?", re.ASCII)
_UNDEF = re.compile(r"^#[ \t]*undef[ \t]+(\w+)", re.ASCII)


class Header(Struct, frozen=True):
    """What a C header declares.

    Attributes:
        path: the header.
        functions: those that a shim can be made of, in the order of the header.
        refusals: those that it cannot, in that order, with the reasons and the fix.
        structs: the structs that `functions` take, return or point to, by C name.
        constants: enum members and macros that are an integer literal, declared by the header; names
            that begin with an underscore are the implementation's and left out.
        text: the preprocessed header, macros included; it changes whenever what is declared does.
        prototypes: all functions by name, as they are declared, before kinds.
        all_structs: every struct that was seen, by C name.

    """

    path: Path
    functions: tuple[Function, ...]
    refusals: tuple[Refusal, ...]
    structs: Mapping[str, StructType]
    constants: Mapping[str, int]
    text: str
    prototypes: Mapping[str, Prototype]
    all_structs: Mapping[str, StructType]

    @property
    def unfit(self) -> dict[str, FfibenchError]:
        """The errors of `refusals` by name of the function; each names its file and line."""
        return {each.name: each.error for each in self.refusals}

    def select(self, names: Iterable[str]) -> tuple[Function, ...]:
        """Return the functions of these names, in their order.

        Raises FfibenchError for a name that the header does not declare, and for those that no kind fits, all at once.
        """
        known = {function.name: function for function in self.functions}
        refused = {each.name: each for each in self.refusals}
        for name in (names := tuple(names)):
            if name not in known and name not in refused:
                raise FfibenchError(f"{self.path} declares no function `{name}`", fix=nearest(name, [*known, *refused]))
        unfit = [refused[name] for name in dict.fromkeys(names) if name in refused]
        if len(unfit) == 1:
            raise unfit[0].error
        if unfit:
            raise FfibenchError(
                f"{len(unfit)} functions fit no kind.\n{refusal_report(unfit)}",
                fix=f"`ffibench kinds {self.path}` shows what could fit",
            )
        return tuple(known[name] for name in names)


def read_header(
    path: Path,
    *,
    compiler: Sequence[str] = ("cc",),
    include: Sequence[Path] = (),
    defines: Sequence[str] = (),
    kinds: Mapping[str, str] | None = None,
) -> Header:
    """Preprocess and parse a header; see `preprocess` and `parse`."""
    return parse(preprocess(path, compiler=compiler, include=include, defines=defines), path, kinds)


def parse(text: str, path: Path, kinds: Mapping[str, str] | None = None) -> Header:
    """Read the functions, structs and constants of a preprocessed header.

    `kinds` overrides what the type tells, as `{"zmq_send.buf": "handle"}`. Raises FfibenchError for C
    that cannot be read, by the line of the original header, and for an override that does not fit.
    """
    try:
        files, constants, macros = _own(text, path)
        declarations = Declarations()
        prototypes = dict[str, Prototype]()
        for node in _tree(text, path):
            read = _read(node, declarations)
            if read is not None and read.file in files:
                prototypes.setdefault(read.name, read)
        overrides = read_overrides(kinds or {}, prototypes.values(), declarations.structs)
        made = {name: classify(each, declarations.structs, overrides) for name, each in prototypes.items()}
    except RecursionError:
        raise FfibenchError(
            f"{path}: its declarations are nested too deeply to be read", fix="use a simpler header"
        ) from None
    members = {name: value for name, (value, file) in declarations.members.items() if file in files}
    functions = tuple(replace(each, hidden=each.name in macros) for each in made.values() if isinstance(each, Function))
    return Header(
        path=path,
        functions=functions,
        refusals=tuple(each for each in made.values() if isinstance(each, Refusal)),
        structs=_reached(functions, declarations.structs),
        constants={name: value for name, value in {**members, **constants}.items() if name[0] != "_"},
        text=text,
        prototypes=prototypes,
        all_structs=declarations.structs,
    )


def _read(node: Node, declarations: Declarations) -> Prototype | None:
    """Take one declaration in; return it where it is a function's."""
    if type(node).__name__ == "Typedef":
        if node.name in {ALTERED, USUAL}:
            declarations.altered = node.name == ALTERED
        elif node.name in {PACKED, UNPACKED}:
            declarations.packed = node.name == PACKED
        elif node.coord.file == _PRELUDE:
            declarations.builtin(node.name)
        else:
            declarations.typedef(node)
        return None
    # What is left of a function's body is only that of an old style definition, `int f(a) int a; {}`.
    declared = node.decl if type(node).__name__ == "FuncDef" else node
    if type(declared).__name__ != "Decl":
        return None
    meant = declarations.type_of(declared.type)
    if meant.category != "function" or meant.target is None or declared.name is None:
        return None
    names: tuple[str | None, ...] = (None,) * len(meant.parameters)
    if type(declared.type).__name__ == "FuncDecl":
        names, _, _ = declarations.parameters_of(declared.type)
    unusable = ""
    if {"static", "inline"} & {*declared.storage, *declared.funcspec}:
        unusable = "it is inline or static, so no library exports it"
    elif declarations.altered:
        unusable = "an attribute in its declaration changes what its types mean"
    place = declared.coord
    return Prototype(
        declared.name, names, meant.parameters, meant.target, meant.variadic, place.line, place.file, unusable
    )


def _own(text: str, path: Path) -> tuple[set[str], dict[str, int], set[str]]:
    """Return the files whose declarations are the header's, the integers defined there, and the names of all macros."""
    own = {os.fspath(path)}
    stack: list[bool] = []
    folder = PurePath(path.parent)
    here = True
    constants: dict[str, int] = {}
    macros: set[str] = set()
    for line in text.split("\n"):
        if marker := MARKER.match(line):
            file, flags = marker[1], marker[2].split()
            if not stack:  # the first marker is the header's own, as the preprocessor spells its path
                own.add(file)
                folder = PurePath(file).parent
                stack = [True]
            elif "1" in flags:
                # `<built-in>` and its like are no files, and would seem to lie in the folder `.`
                near = "3" not in flags and file[:1] != "<" and PurePath(file).is_relative_to(folder)
                stack.append(file in own or (stack[-1] and (near or PurePath(file).parent.name == "bits")))
                own.update({file} if stack[-1] else ())
            elif "2" in flags and len(stack) > 1:
                stack.pop()
            here = file in own
        elif define := _DEFINE.match(line):
            name, value = define[1], _number(define[2] or "", define[3] or "")
            macros.add(name)
            if here and value is not None:
                constants[name] = value
            elif constants.get(name) != value:  # the name now means something else
                constants.pop(name, None)
        elif undef := _UNDEF.match(line):
            constants.pop(undef[1], None)
            macros.discard(undef[1])
    return own, constants, macros


def _number(sign: str, digits: str) -> int | None:
    value = integer(digits)
    if value is None or (sign and "u" in digits.lower()):  # what that wraps around to depends on the width
        return None
    return -value if sign else value


def _tree(text: str, path: Path) -> Iterator[Node]:
    """Yield pycparser's nodes of the declarations in a preprocessed text."""
    # Imported here: a cached shim is found by the hash of the text, and need not pay for the parser.
    from pycparser.c_parser import CParser, ParseError  # type: ignore[import-untyped]

    start = os.fspath(path).replace("\\", "\\\\").replace('"', '\\"')
    prelude = " ".join(f"typedef int {name};" for name in _BUILTIN_TYPES)
    # glibc's complex.h, under _GNU_SOURCE; no complex type fits a kind, whatever its width.
    text = re.sub(r"\b_Complex[ \t]+_Float\d+x?\b", "_Complex double", text)
    source = f'# 1 "{_PRELUDE}"\n{prelude}\n# 1 "{start}"\n{strip_extensions(text)}\n'
    parser = CParser()
    try:
        tree = parser.parse(source, os.fspath(path))
    except RecursionError:
        raise
    except Exception as error:  # beside ParseError, malformed C makes pycparser fail in many ways
        message = str(error) if isinstance(error, ParseError) else "it is not C"
        found = re.fullmatch(r"(.*?:\d+)(?::\d+)?: (.*)", message, re.DOTALL)
        line = getattr(parser.clex, "lineno", getattr(parser.clex, "_lineno", 0))
        place, said = found.groups() if found else (f"{parser.clex.filename}:{line}", message.split(": ")[-1])
        fix = "define away what stands there, or declare the functions wanted in a plain header"
        raise FfibenchError(f"cannot read the C declaration at {place} ({said})", fix=fix) from None
    yield from tree.ext


def _reached(functions: Iterable[Function], structs: Mapping[str, StructType]) -> dict[str, StructType]:
    """Return the structs that functions mention, and those that these mention in turn."""
    types = [each for function in functions for each in (function.result.type, *_types(function))]
    found: dict[str, StructType] = {}
    while types:
        each = types.pop()
        types += [*each.parameters, *([each.target] if each.target else [])]
        if each.category == "struct" and each.tag in structs and each.tag not in found:
            found[each.tag] = structs[each.tag]
            types += [field.type for field in structs[each.tag].fields]
    return dict(sorted(found.items()))


def _types(function: Function) -> Iterator[CType]:
    return (parameter.type for parameter in function.parameters)
