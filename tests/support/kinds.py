"""Small headers as text, with the types that examples of kinds need."""

from __future__ import annotations

from pathlib import Path

from ffibench.headers.reader import Header, parse
from ffibench.headers.types import Function

PRELUDE = """\
typedef unsigned long size_t; typedef long ssize_t; typedef unsigned char uint8_t; typedef unsigned uint32_t;
typedef struct opaque opaque_t;
typedef struct { double x, y; } point_t;
struct big { int values[64]; };
typedef union { int i; float f; } either_t;
typedef int (*visit_t)(void *context, const char *name);
enum colour { RED, GREEN };
"""


def read(declarations: str, kinds: dict[str, str] | None = None) -> Header:
    text = f'# 1 "types.h"\n{PRELUDE}# 1 "api.h"\n{declarations}\n'
    # The first marker names the header, so that all of it counts as the header's own.
    return parse(f'# 1 "api.h"\n{text}', Path("api.h"), kinds)


def function(declaration: str, kinds: dict[str, str] | None = None) -> Function:
    header = read(declaration, kinds)
    assert not header.unfit
    (made,) = header.functions
    return made


def kinds_of(parameters: str, kinds: dict[str, str] | None = None) -> list[str]:
    """The kinds of `int f(parameters)`, with the length's name after a colon."""
    made = function(f"int f({parameters});", kinds)
    return [each.kind + (f":{each.length}" if each.length else "") for each in made.parameters]


def unfit(declaration: str) -> str:
    header = read(declaration)
    assert not header.functions
    (error,) = header.unfit.values()
    return str(error)
