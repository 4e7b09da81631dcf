"""Shapes as a C header, a library, and calls that are measured like any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ffibench.explain.shapes import Shape, shapes_of
from ffibench.explain.signatures import Passed, Signature, number
from ffibench.headers.types import CType, StructType, place_of_data
from ffibench.model import Call

HEADER = "explain_shapes.h"
SOURCE = "explain_shapes.c"
FREE = "shape_free"
ITERATIONS = 10_000
"""Of a slice: 1 ms at 100 ns an operation."""
LIMIT = 2**31
ADDRESS = "return (void *)&thing;"
"""Of a function that gives an address, at which nobody looks."""

Structs = Mapping[str, StructType]


class ShapeFiles(Struct, frozen=True):
    """All shapes of a number of signatures, as an experiment has them."""

    names: Mapping[Shape, str]
    """Shape to its function, which names its case too."""
    header: str
    source: str
    functions: tuple[str, ...]
    kinds: Mapping[str, str]
    calls: tuple[Call, ...]


def shape_files(signatures: Sequence[Signature], structs: Structs, *, parts: bool = True) -> ShapeFiles:
    """Return the files of all shapes of these signatures, those of their `parts` or of whole calls alone.

    `structs` are those of their header.
    """
    shapes = list(dict.fromkeys(shape for each in signatures for shape in shapes_of(each, parts=parts)))
    writer = _Writer(structs)
    names = {shape: f"shape_{place}" for place, shape in enumerate(shapes, 1)}
    for shape, name in names.items():
        writer.add(shape, name)
    return ShapeFiles(
        names=names,
        header=writer.header(),
        source=writer.source(),
        functions=tuple(dict.fromkeys(writer.functions)),
        kinds=writer.kinds,
        calls=tuple(writer.calls),
    )


class _Writer:
    """Gathers what the shapes declare, define and call."""

    def __init__(self, structs: Structs) -> None:
        self.structs = structs
        self.layouts: dict[str, str] = {}
        """By tag, in the order in which they can be declared."""
        self.opaque: dict[str, None] = {}
        self.prototypes: list[str] = []
        self.bodies: list[str] = []
        self.functions: list[str] = []
        self.kinds: dict[str, str] = {}
        self.calls: list[Call] = []
        self.givers: dict[str, str] = {}
        """By the spelling of an address the function that gives one."""

    def add(self, shape: Shape, name: str) -> None:
        """Declare, define and call the function of a shape."""
        parameters: list[str] = []
        given: list[str] = []
        setup: list[str] = []
        body: list[str] = []
        for passed in shape.arguments:
            body += self._argument(passed, name, parameters, given, setup)
        unused = [f"(void)a{place + 1};" for place in range(len(parameters))]
        result = shape.result
        body = [*unused, *body, *self._body(result)]
        if result.kind == "owned":
            self.kinds[f"{name}.return"] = f"owned:{self._free()}"
        elif result.kind not in {"void", "scalar"}:
            self.kinds[f"{name}.return"] = result.kind
        declared = self._plain(result.type, made=result.kind == "struct")
        self._define(declared.declare(f"{name}({', '.join(parameters) or 'void'})", resolved=True), body)
        self.functions.append(name)
        expression = f"{name}({', '.join(given)})"
        self.calls.append(Call(expression=expression, name=name, setup=tuple(setup), iterations=ITERATIONS))

    def _argument(
        self, passed: Passed, name: str, parameters: list[str], given: list[str], setup: list[str]
    ) -> list[str]:
        """Write one argument, with the set-up that it takes; return what the function does with it."""
        made = passed.kind in {"struct", "struct_pointer"}
        declared = self._plain(passed.type, made=made)
        place = len(parameters) + 1
        parameters.append(declared.declare(f"a{place}", resolved=True))
        if passed.kind not in {"scalar", "callback"}:
            self.kinds[f"{name}.a{place}"] = passed.kind
        if passed.with_data:
            parameters.append(f"void *a{place + 1}")
        if passed.kind == "handle" and passed.given != "NULL":
            given.append(f"h{place}")
            setup.append(f"h{place} = {self._giver(declared)}()")
            return []
        if passed.kind == "cell":
            given.append(f"out(value{place})")
        else:
            given.append(f"{_name_of(declared)}()" if made else passed.given)
        if passed.with_data:
            given.append("NULL")
        return self._call_back(passed, place) if passed.called else []

    def _call_back(self, passed: Passed, place: int) -> list[str]:
        """Write the calls of a parameter, with numbers, addresses, and its user data."""
        function = passed.type.target
        assert function is not None  # a callback is a function pointer
        data = place_of_data(passed.type) if passed.with_data else None
        given = [
            f"a{place + 1}" if number == data else _called_with(each) for number, each in enumerate(function.parameters)
        ]
        return [f"(void)a{place}({', '.join(given)});"] * (passed.called or 0)

    def _giver(self, declared: CType) -> str:
        """Return the function that gives an address of this type."""
        target = declared.target
        plain = replace(declared, qualifiers=(), target=None if target is None else replace(target, qualifiers=()))
        spelling = plain.declare("", resolved=True)
        if spelling not in self.givers:
            name = f"shape_address_{len(self.givers) + 1}"
            self.givers[spelling] = name
            self.kinds[f"{name}.return"] = "handle"
            self._define(plain.declare(f"{name}(void)", resolved=True), [ADDRESS])
            self.functions.append(name)
        return self.givers[spelling]

    def _free(self) -> str:
        if FREE not in self.functions:
            self._define(f"void {FREE}(void *text)", ["free(text);"])
            self.functions.append(FREE)
        return FREE

    def _body(self, result: Passed) -> list[str]:
        match result.kind:
            case "void":
                return []
            case "scalar":
                return [f"return {_literal(result.given)};"]
            case "string":
                return ['return "ohhai";']
            case "owned":
                return ["char *text = malloc(6);", 'return text == NULL ? NULL : memcpy(text, "ohhai", 6);']
            case "struct":
                declared = self._plain(result.type, made=True).declare("value", resolved=True)
                return [f"static {declared};", "return value;"]
            case _:
                return [ADDRESS]

    def _define(self, declaration: str, body: Sequence[str]) -> None:
        self.prototypes.append(f"{declaration};")
        self.bodies.append("\n".join((declaration, "{", *(f"    {line}" for line in body), "}")))

    def _plain(self, declared: CType, *, made: bool) -> CType:
        """Return a type that this header can spell; `made`: the struct in it has to be known as a whole."""
        target = declared.target
        if declared.category == "function" and target is not None:
            types = tuple(self._plain(each, made=False) for each in declared.parameters)
            return replace(declared, typedefs=(), target=self._plain(target, made=False), parameters=types)
        if declared.category in {"pointer", "array"} and target is not None:
            return replace(declared, typedefs=(), target=self._plain(target, made=made))
        if declared.category in {"struct", "union"}:
            tag = f"struct shape_{declared.tag.rpartition(' ')[2]}"
            if "<" in tag:
                return CType("void", "void", qualifiers=declared.qualifiers)
            if made:
                self._lay_out(declared.tag, tag)
            self.opaque[tag] = None
            return CType("struct", tag, tag=tag, qualifiers=declared.qualifiers)
        base = "bool" if declared.category == "bool" else declared.base or "void"
        return replace(declared, base=base, typedefs=(), tag="")

    def _lay_out(self, known: str, tag: str) -> None:
        """Declare a struct with its fields, after those that are in it."""
        if tag in self.layouts:
            return
        fields = [
            self._plain(each.type, made=True).declare(each.name, resolved=True) for each in self.structs[known].fields
        ]
        self.layouts[tag] = "\n".join((f"{tag} {{", *(f"    {field};" for field in fields), "};"))

    def header(self) -> str:
        """Return the header, for C and for C++."""
        opaque = [f"{tag};" for tag in self.opaque if tag not in self.layouts]
        parts = (
            "#ifndef EXPLAIN_SHAPES_H\n#define EXPLAIN_SHAPES_H\n\n#include <stdbool.h>\n",
            '#ifdef __cplusplus\nextern "C" {\n#endif\n',
            *opaque,
            *self.layouts.values(),
            *self.prototypes,
            "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n",
        )
        return "\n".join(parts)

    def source(self) -> str:
        """Return the library."""
        head = f'#include "{HEADER}"\n\n#include <stdlib.h>\n#include <string.h>\n'
        if any("&thing" in each for each in self.bodies):
            head += "\nstatic char thing;\n"
        return "\n".join((head, *(f"{body}\n" for body in self.bodies)))


def _name_of(declared: CType) -> str:
    """Return what a call expression calls a struct: its tag without `struct`."""
    made = declared.target if declared.target is not None else declared
    return made.tag.rpartition(" ")[2]


def _called_with(declared: CType) -> str:
    """Write what C gives a callback."""
    if declared.scalar:
        return _literal(number(declared))
    target = declared.target
    return "NULL" if target is not None and target.category == "function" else "(void *)&thing"


def _literal(given: str) -> str:
    """Write a number in C."""
    if given in {"True", "False"}:
        return given.lower()
    if "." in given or abs(int(given)) < LIMIT:
        return given
    return f"(-{-int(given) - 1}LL - 1)" if given.startswith("-") else f"{given}ULL"
