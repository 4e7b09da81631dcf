"""Any prototype of a grammar is read back as it was written, with the kinds that it was made of."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from support.headers import only, read_text

SCALAR_TYPES = ("int", "unsigned int", "unsigned char", "long long", "double", "_Bool", "char", "word_t")
SHAPES = ("scalar", "string", "bytes", "buffer", "cell", "void", "struct", "small", "call")


@st.composite
def prototypes(draw: st.DrawFn) -> tuple[str, list[tuple[str, str, str | None]]]:
    """A prototype, and the declaration, kind and length of each of its settings."""
    parts: list[tuple[str, str, str | None]] = []
    for _ in range(draw(st.integers(0, 5))):
        shape = draw(st.sampled_from(SHAPES))
        n, scalar = len(parts), draw(st.sampled_from(SCALAR_TYPES))
        match shape:
            case "scalar":
                parts.append((f"{scalar} p{n}", "scalar", None))
            case "string":
                parts.append((f"const char *p{n}", "string", None))
            case "bytes":
                pointee = draw(st.sampled_from(["void", "char", "unsigned char", "signed char"]))
                parts.append((f"const {pointee} *p{n}", "bytes", f"p{n}_len"))
                parts.append((f"{draw(st.sampled_from(['int', 'size_t']))} p{n}_len", "scalar", None))
            case "buffer":
                star = draw(st.sampled_from(["", "*"]))
                kind = "buffer" if scalar in {"char", "unsigned char"} else "array"
                parts.append((f"{scalar} *p{n}", kind, f"p{n}_size"))
                parts.append((f"size_t {star}p{n}_size", "cell" if star else "scalar", None))
            case "cell":
                # A flag behind it is no length, whatever else comes.
                parts.append((f"{draw(st.sampled_from([f'{scalar} ', 'void *', 'const char *']))}*p{n}", "cell", None))
                parts.append((f"_Bool p{n}_flag", "scalar", None))
            case "void":
                const = draw(st.sampled_from(["", "const "]))
                parts.append((f"{const}void *p{n}", "handle", None))
            case "struct":
                parts.append((f"struct opaque *p{n}", "handle", None))
            case "small":
                star = draw(st.sampled_from(["", "*"]))
                parts.append((f"point_t {star}p{n}", "struct_pointer" if star else "struct", None))
            case _:
                parts.append((f"{scalar} (*p{n})(const void *, {scalar})", "callback", None))
    result = draw(st.sampled_from(["void ", "int ", "const char *", "void *", "point_t "]))
    return f"{result}f({', '.join(part[0] for part in parts) or 'void'});", parts


@given(prototypes(), st.integers(0, 50))
@settings(max_examples=150, deadline=None)
def test_any_prototype_of_the_grammar_reads_back_as_it_was_written(
    prototype: tuple[str, list[tuple[str, str, str | None]]], blank: int
) -> None:
    declaration, parts = prototype
    types = "typedef unsigned long size_t; typedef unsigned word_t; typedef struct { int a, b; } point_t;"
    function = only(read_text(types + "\n" * (blank + 1) + declaration))
    assert function.declaration == declaration
    assert [(each.kind, each.length) for each in function.parameters] == [part[1:] for part in parts]
    assert function.line == blank + 2
