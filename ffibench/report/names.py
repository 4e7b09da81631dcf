"""Names of contestants in a table, with the interpreter where several of one language take part."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ffibench.model import BASELINE, CONTROL, Row
from ffibench.report.table import one_line

_VERSION = re.compile(r"[0-9]+(?:\.[0-9]+)+\w*")

Names = dict[tuple[str, str], str]
"""Contestant and interpreter to the name that a table shows."""


def row_names(rows: Sequence[Row]) -> tuple[Names, dict[str, str]]:
    """Name the contestants of `rows`, as `contestant_names` does."""
    return contestant_names([(row.contestant, row.interpreter) for row in rows])


def contestant_names(contestants: Sequence[tuple[str, str]]) -> tuple[Names, dict[str, str]]:
    """Name contestants, each with its interpreter, and give the letters used to the interpreters they stand for.

    `python/capi` where one Python takes part, `python/capi @3.12.1` where several do, and
    `python/capi @3.12.1 (a)` where several builds share a version: then the second value maps
    `(a)` to the interpreter in full.
    """
    by_language: dict[str, list[str]] = {}
    for contestant, interpreter in contestants:
        interpreters = by_language.setdefault(language_of(contestant), [])
        if interpreter not in interpreters:
            interpreters.append(interpreter)
    tags: dict[tuple[str, str], str] = {}
    letters: dict[str, str] = {}
    for language, interpreters in by_language.items():
        if len(interpreters) == 1:
            tags[language, interpreters[0]] = ""
            continue
        versions = [version_of(interpreter) for interpreter in interpreters]
        for interpreter, version in zip(interpreters, versions, strict=True):
            tag = f" @{version}" if version else ""
            if not version or versions.count(version) > 1:
                letter = f"({_letter(len(letters))})"
                letters[letter] = interpreter
                tag = f"{tag} {letter}"
            tags[language, interpreter] = tag
    names = {
        (contestant, interpreter): one_line(contestant + tags[language_of(contestant), interpreter])
        for contestant, interpreter in contestants
    }
    return names, letters


def language_of(contestant: str) -> str:
    """Give the language of a contestant's name: `python` of `python/capi~nogil`, `c` of `control`."""
    return BASELINE if contestant == CONTROL else re.split("[/~]", contestant, maxsplit=1)[0]


def version_shown(row: Row) -> str:
    """Give the version of a row's binding; of the baseline the compiler, `gcc 12.2`, whose version that is."""
    if language_of(row.contestant) != BASELINE or not (version := version_of(row.interpreter)):
        return one_line(row.version)
    compiler = one_line(row.interpreter).partition(" ")[0]
    return f"{compiler} {'.'.join(version.split('.')[:2])}"


def version_of(interpreter: str) -> str:
    """Give the version in an interpreter's name, `3.13.0t` of `CPython 3.13.0t`; empty where it has none."""
    match = _VERSION.search(interpreter)
    return match.group() if match else ""


def _letter(index: int) -> str:
    """Count a, b … z, aa, ab …"""
    before, last = divmod(index, 26)
    return (_letter(before - 1) if before else "") + chr(ord("a") + last)
