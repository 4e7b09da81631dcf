"""The words that no name in a generated file may be: keywords of languages, and what their templates take."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fnmatch import translate
from functools import lru_cache

WILD = re.compile(r"[*?\[]")


def matcher(words: Iterable[str]) -> Callable[[str], bool]:
    """Return what tells whether a name is one of these words, or matches one that is a glob, such as `shim_*`.

    There are thousands of words, and names are tested by the hundred: one lookup and one expression, made once for the
    same words.
    """
    return _matcher(frozenset(words))


@lru_cache(maxsize=64)
def _matcher(words: frozenset[str]) -> Callable[[str], bool]:
    globs = sorted(word for word in words if WILD.search(word))
    plain = words.difference(globs)
    pattern = re.compile("|".join(map(translate, globs)) if globs else "(?!)")
    return lambda name: name in plain or pattern.match(name) is not None
