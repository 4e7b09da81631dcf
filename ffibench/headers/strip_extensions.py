"""Takes out of a preprocessed header what only a compiler understands, so that pycparser reads the rest."""

from __future__ import annotations

import re

# Typedefs that are put into the text, to tell its reader what holds until the next of the pair.
ALTERED, USUAL = "ffibench_altered", "ffibench_usual"
PACKED, UNPACKED = "ffibench_packed", "ffibench_unpacked"
MARKER = re.compile(r'^#[ \t]+\d+[ \t]+"((?:\\.|[^"\\\n])*)"((?:[ \t]\d)*)[ \t]*$')
_PACK = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+pack[ \t]*\(([^)\n]*)\)")
_TOKEN = re.compile(
    r"""(?P<directive>^[ \t]*\#[^\n]*)
      | (?P<literal>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
      | (?P<extension>\b(?:__attribute__|__attribute|__asm__|__asm|asm)\b)
      | (?P<mark>[{};()=\[\]])""",
    re.MULTILINE | re.VERBOSE,
)
_DROPPED = re.compile(r"[ \t]*#[ \t]*(?:define|undef|pragma)\b")
_OPENING = re.compile(r"\s*(?:(?:volatile|goto|inline)\s*)*\(")
_ALTERS = re.compile(r"\b_*(?:packed|aligned|mode|vector_size|scalar_storage_order|transparent_union)_*\b")

_DEPTH = {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}


def strip_extensions(text: str) -> str:
    """Return the text without what pycparser cannot read, every line where it was.

    Bodies of inline functions, attributes and assembler names go. Attributes and pragmas that change
    a type or a layout leave a mark around the declarations that they change, so that nobody takes a
    packed struct for a plain one.
    """
    out = [""]
    start = 0  # where in `out` the present declaration begins
    position = depth = 0
    begun = altered = packed = initialised = False
    packs: list[bool] = []
    last = ""  # the token before, to tell `f(void) {` from `struct s {`
    while match := _TOKEN.search(text, position):
        gap, token = text[position : match.start()], match[0]
        out.append(gap)
        position = match.end()
        begun = begun or bool(gap.strip())
        if match.lastgroup == "directive":
            if pack := _PACK.match(token):
                packed = _packed(pack[1], packed, packs)
                if begun:
                    altered = True
                out.append("" if begun else f" typedef int {PACKED if packed else UNPACKED}; ")
            elif not _DROPPED.match(token):
                out.append(token)
            continue
        begun = True
        if match.lastgroup == "extension":
            opening = _OPENING.match(text, position)
            end = _closing(text, opening.end(), "()") if opening else position
            altered = altered or bool(_ALTERS.search(text, position, end))
            out.append(_lines(text[position:end]))
            position = end
            continue
        # A compound literal `(type){...}` is no body: it stands inside brackets or behind an `=`.
        body = token == "{" and depth == 0 and last == ")" and not initialised and not gap.strip()
        if body:
            end = _closing(text, position, "{}")
            out.append(";" + _lines(text[position:end]))
            position = end
        else:
            out.append(token)
            initialised = initialised or (token == "=" and depth == 0)
            depth = max(0, depth + _DEPTH.get(token, 0))
        if depth == 0 and (body or token == ";"):
            if altered:
                out[start] = f" typedef int {ALTERED}; "
                out.append(f" typedef int {USUAL}; ")
            begun = altered = initialised = False
            start = len(out)
            out.append("")
        last = token
    return "".join(out) + text[position:]


def _packed(words: str, packed: bool, packs: list[bool]) -> bool:
    """Return whether structs are packed after `#pragma pack(words)`, with `packs` as its stack."""
    action, *sizes = (word.strip() for word in words.split(","))
    if action == "pop":
        return packs.pop() if packs else False
    if action == "push":
        packs.append(packed)
        return packed or bool(sizes)
    return bool(action)


def _closing(text: str, position: int, pair: str) -> int:
    """Return the position after the bracket that closes the one open before `position`."""
    depth = 1
    for match in _TOKEN.finditer(text, position):
        depth += {pair[0]: 1, pair[1]: -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return len(text)


def _lines(text: str) -> str:
    """Return the line breaks and line markers of a text alone."""
    return "\n".join(line if MARKER.match(line) else "" for line in text.split("\n"))
