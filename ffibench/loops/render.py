"""From operations to the source of a language's loops, and of the oracle, which is C."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from ffibench.builds.project import Project
from ffibench.calls.answers import Answers
from ffibench.calls.operations import Operation
from ffibench.headers.types import StructType
from ffibench.languages import languages
from ffibench.loops.views import view
from ffibench.model import BASELINE
from ffibench.paths import asset
from ffibench.shims.technology import RESERVED

ORACLE = "answers.c.j2"


@cache
def loop_languages() -> tuple[str, ...]:
    """Return the languages that have a template, sorted."""
    return tuple(sorted(path.parent.name for path in asset("native/loops").glob("*/loop.*.j2")))


@cache
def threaded_languages() -> frozenset[str]:
    """Return the languages whose template has loops for several threads of a process."""
    found = asset("native/loops").glob("*/loop.*.j2")
    return frozenset(path.parent.name for path in found if "{% if threaded %}" in path.read_text(encoding="utf-8"))


@cache
def reserved_words() -> frozenset[str]:
    """Return what no name in a loop may be: the keywords of all languages, and words that their templates take."""
    texts = [path.read_text(encoding="utf-8") for path in asset("native/loops").rglob("*.j2")]
    words = {word for text in texts for note in RESERVED.findall(text) for word in note.split()}
    return frozenset(words.union(*(language.keywords for language in languages().values())))


def oracle_source(
    title: str, headers: Sequence[str], operations: Iterable[Operation], structs: Mapping[str, StructType]
) -> str:
    """Return the C program that answers the operations."""
    views = [view(each, structs) for each in operations]
    return _render(asset(f"native/loops/{BASELINE}"), ORACLE, title, headers, views, {"threaded": False})


def loop_project(
    language: str,
    title: str,
    headers: Sequence[str],
    operations: Sequence[Operation],
    structs: Mapping[str, StructType],
    answers: Mapping[str, Answers],
    struct_names: Mapping[str, str],
    *,
    threaded: bool = False,
) -> Project:
    """Return the project whose artifact is the loop of a language, `python.py`: all its contestants run this file.

    `struct_names` are those of the language's shims, by C name. With `threaded` several threads of a process do it.
    """
    folder = asset(f"native/loops/{language}")
    template = next(folder.glob("loop.*.j2"))
    suffix = languages()[language].suffix
    views = [view(each, structs, answers[each.key]) for each in operations]
    names = {"struct_names": struct_names, "keywords": languages()[language].keywords, "threaded": threaded}
    text = _render(folder, template.name, title, headers, views, names)
    return _source_project(language, f"{language}{suffix}", text)


def oracle_project(text: str) -> Project:
    """Return the project whose artifact is the source of the oracle."""
    return _source_project("answers", ORACLE.removesuffix(".j2"), text)


def _source_project(what: str, name: str, text: str) -> Project:
    return Project(
        name=f"loops/{what}", inputs=(name, text), artifact=name, compiled=False, render=lambda: {name: text}
    )


def _render(
    folder: Path,
    template: str,
    title: str,
    headers: Sequence[str],
    operations: Sequence[object],
    names: Mapping[str, object],
) -> str:
    from ffibench.builds.templates import template_environment  # late: what is in the cache needs no templates

    # Beside it lies what several languages share; names are written as in the language's shims.
    environment = template_environment(folder, asset("native/loops"), asset("native/shims") / folder.name)
    environment.filters.update(escaped=escaped, comment=_comment, line=_line, docstring=_docstring)
    environment.globals.update(infinity=float("inf"))
    text = environment.get_template(template).render(title=title, headers=headers, operations=operations, **names)
    return re.sub(r"\n{4,}", "\n\n\n", text)


def escaped(data: bytes) -> str:
    """Return bytes for a literal between double quotes in C, Python, Perl and their like: octal, where not plain."""
    plain = set(range(0x20, 0x7F)) - set(b'"\\$@%?')
    return "".join(chr(each) if each in plain else f"\\{each:03o}" for each in data)


def _comment(text: str) -> str:
    return _line(text).replace("*/", "* /").replace("/*", "/ *")


def _line(text: str) -> str:
    return " ".join(text.split())


def _docstring(text: str) -> str:
    line = _line(text).replace("\\", "\\\\").replace('"""', "'''")
    return f"{line} " if line.endswith('"') else line
