"""From pycparser's tree to types: typedefs, structs, enums and constants, resolved as C does.

pycparser itself is imported by `header` alone, and late, because a cached shim is found without parsing;
here its nodes are known by class name.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from typing import Any, Literal

from msgspec.structs import replace

from ffibench.headers.types import Category, CType, Field, StructType

# pycparser's tree as this package sees it: its classes are untyped and differ between 2.22 and 3.
Node = Any

_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "|": operator.or_,
    "&": operator.and_,
    "^": operator.xor,
    "<<": operator.lshift,
}
# The length is bounded because Python refuses to convert thousands of digits.
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]{1,16}|0[bB][01]{1,64}|[0-9]{1,20})[uUlL]{0,3}")


def integer(text: str) -> int | None:
    """Return the value of a C integer literal such as `0x10UL` or `017`, None where it is none."""
    match = _INTEGER.fullmatch(text)
    if match is None:
        return None
    digits = match[1]
    try:
        return int(digits, 8 if digits.startswith("0") and digits.isdigit() else 0)
    except ValueError:  # an 8 or 9 among octal digits
        return None


class Declarations:
    """The typedefs, structs and enum members seen so far, in the order of the header.

    Types are resolved when they are read, as C does, so that a later typedef changes no earlier one.

    Attributes:
        altered: whether an attribute changes what is declared now, so that its scalars and layouts
            are not what they look like.
        packed: whether `#pragma pack` is in force, so that layouts are not.
        structs: by C name.
        members: the enum members, each with its value and the file that declares it.

    """

    def __init__(self) -> None:
        self.altered = False
        self.packed = False
        self.structs: dict[str, StructType] = {}
        self.members: dict[str, tuple[int, str]] = {}
        self._enums: dict[str, str] = {}
        self._typedefs: dict[str, CType] = {}
        self._untagged: dict[int, str] = {}

    def builtin(self, name: str) -> None:
        """Take in a type that compilers know and no binding can be given, such as `_Float128`."""
        self._typedefs[name] = CType("other", name)

    def typedef(self, node: Node) -> None:
        """Read a typedef, which also gives its name to a struct or enum without a tag."""
        if type(node.type).__name__ == "TypeDecl" and getattr(node.type.type, "name", None) is None:
            self._untagged.setdefault(id(node.type.type), node.name)
        meant = self.type_of(node.type)
        if self.altered and meant.scalar:
            meant = CType("other", node.name)
        self._typedefs[node.name] = replace(meant, typedefs=(node.name, *meant.typedefs))

    def type_of(self, node: Node) -> CType:
        """Return the type that a declaration node stands for; an unknown one is `other`."""
        meant = CType("other", type(node).__name__)
        match type(node).__name__:
            case "Decl" | "Typename":
                meant = self.type_of(node.type)
            case "TypeDecl":
                meant = self.type_of(node.type)
                meant = replace(meant, qualifiers=_qualifiers(node.quals, meant.qualifiers))
                if "_Atomic" in node.quals:
                    meant = CType("other", f"_Atomic {meant.base}")
            case "PtrDecl":
                meant = CType("pointer", qualifiers=_qualifiers(node.quals), target=self.type_of(node.type))
            case "ArrayDecl":
                size = None if node.dim is None else self._constant(node.dim)
                meant = CType("array", target=self.type_of(node.type), length=size)
            case "FuncDecl":
                _, types, variadic = self.parameters_of(node)
                result = self.type_of(node.type)
                meant = CType("function", target=result, parameters=types, variadic=variadic)
            case "IdentifierType":
                known = self._typedefs.get(node.names[0]) if len(node.names) == 1 else None
                meant = known or _basic(node.names)
            case "Struct" | "Union" as keyword:
                meant = self._record(node, "struct" if keyword == "Struct" else "union")
            case "Enum":
                meant = self._enum(node)
        return meant

    def parameters_of(self, node: Node) -> tuple[tuple[str | None, ...], tuple[CType, ...], bool]:
        """Return a FuncDecl's parameter names, their types, and whether `...` follows.

        Types are those that C passes: arrays and functions become pointers, and `const` on the
        parameter itself, which binds only the function's body, is dropped. `()` is read as `(void)`,
        which it means in C++ and from C23 on.
        """
        nodes = [] if node.args is None else node.args.params
        variadic = any(type(each).__name__ == "EllipsisParam" for each in nodes)
        nodes = [each for each in nodes if type(each).__name__ != "EllipsisParam"]
        types = tuple(_passed(self.type_of(each)) for each in nodes)
        if [each.category for each in types] == ["void"]:
            return (), (), variadic
        return tuple(each.name for each in nodes), types, variadic

    def _record(self, node: Node, keyword: Literal["struct", "union"]) -> CType:
        tag = f"{keyword} {node.name}" if node.name else self._untagged.get(id(node), f"{keyword} <unnamed>")
        if keyword == "struct" and node.decls is None:
            self.structs.setdefault(tag, StructType(tag, opaque="is only declared, not defined"))
        elif node.decls is not None:
            fields, opaque = self._fields(node.decls)
            if keyword == "struct":
                self.structs[tag] = StructType(tag, () if opaque else fields, opaque)
        return CType(keyword, tag, tag=tag)

    def _fields(self, nodes: list[Node]) -> tuple[tuple[Field, ...], str]:
        opaque = "has a layout set by an attribute or a pragma" if self.altered or self.packed else ""
        fields = []
        for node in nodes:
            if type(node).__name__ != "Decl":
                continue  # a static assertion or a stray semicolon
            declared = self.type_of(node.type)
            if node.bitsize is not None:
                opaque = "has bit-fields"
            elif node.name is None:
                opaque = "has unnamed members"
            elif node.align:
                opaque = "has a layout set by _Alignas"
            else:
                fields.append(Field(node.name, declared))
        return tuple(fields), opaque

    def _enum(self, node: Node) -> CType:
        tag = f"enum {node.name}" if node.name else self._untagged.get(id(node), "enum <unnamed>")
        if node.values is not None:
            self._enums.pop(tag, None)
            values, following = [0], 0
            for member in (each for each in node.values.enumerators if type(each).__name__ == "Enumerator"):
                value = following if member.value is None else self._constant(member.value)
                if value is None:
                    break  # neither this member nor those counted on from it are known, nor the width
                self.members[member.name] = (value, getattr(member.coord, "file", ""))
                values.append(value)
                following = value + 1
            else:
                if not self.altered:  # else it may be one byte wide, here and wherever its tag stands
                    wide = "long" if min(values) < -(2**31) or max(values) >= 2**32 else "int"
                    self._enums[tag] = f"unsigned {wide}" if min(values) >= 0 else wide
        if self.altered or tag not in self._enums:
            return CType("other", tag, tag=tag)
        return CType("enum", self._enums[tag], tag=tag)

    def _constant(self, node: Node) -> int | None:
        """Return the value of an integer constant expression, None where it takes a compiler to tell."""
        value: int | None = None
        match type(node).__name__:
            case "Constant":
                value = integer(node.value)
            case "ID":
                value = self.members[node.name][0] if node.name in self.members else None
            case "UnaryOp" if node.op in {"-", "+", "~"}:
                inner = self._constant(node.expr)
                # Unsigned wrap-around depends on the width.
                if inner is not None and "u" not in getattr(node.expr, "value", "").lower():
                    value = {"-": -inner, "+": inner, "~": ~inner}[node.op]
            case "BinaryOp" if node.op in _ARITHMETIC:
                left, right = self._constant(node.left), self._constant(node.right)
                if left is not None and right is not None and (node.op != "<<" or 0 <= right < 64):
                    value = _ARITHMETIC[node.op](left, right)
        return value


_RANKS = ("char", "short", "int", "long", "long long")


def _basic(names: list[str]) -> CType:
    """Return the type of a list of specifiers such as `long unsigned int`, in any order."""
    words = sorted(names)
    if words in (["void"], ["_Bool"], ["float"], ["double"], ["double", "long"]):
        category: Category = "void" if words == ["void"] else "bool" if words == ["_Bool"] else "float"
        return CType(category, "long double" if len(words) == 2 else words[0])
    if words == ["char"]:
        return CType("char", "char")
    unsigned = "unsigned" in words
    rest = [word for word in words if word not in {"signed", "unsigned"}]
    core = " ".join(word for word in rest if word != "int" or rest == ["int"]) or "int"
    if core not in _RANKS or (core == "char" and len(words) != 2):
        return CType("other", " ".join(names))
    if core == "char":
        return CType("uint" if unsigned else "int", " ".join(reversed(words)))
    return CType("uint", f"unsigned {core}") if unsigned else CType("int", core)


def _qualifiers(*groups: Iterable[str]) -> tuple[str, ...]:
    found = {word for group in groups for word in group}
    return tuple(word for word in ("const", "volatile") if word in found)


def _passed(declared: CType) -> CType:
    """Return what C passes for a parameter of this type."""
    if declared.category == "array":
        return CType("pointer", target=declared.target, length=declared.length or 0)
    if declared.category == "function":
        return CType("pointer", target=declared)
    return replace(declared, qualifiers=())
