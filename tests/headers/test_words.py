"""A name that is a word of any language, or that its templates take, is found out."""

from __future__ import annotations

import pytest

from ffibench.headers.words import matcher


@pytest.mark.parametrize("name", ["class", "shim_", "shim_x", "own_calls", "a1"])
def test_words_and_globs_are_found(name: str) -> None:
    assert matcher(["class", "shim_*", "*_calls", "a?"])(name)


@pytest.mark.parametrize("name", ["classes", "my_class", "Class", "shim", "calls", "a", "a12", "class\n", ""])
def test_other_names_are_not(name: str) -> None:
    assert not matcher(["class", "shim_*", "*_calls", "a?"])(name)


def test_without_words_there_is_none() -> None:
    assert not matcher([])("")
    assert not matcher(["class"])("shim_x")
