"""A text that the caller must free is copied and freed at once."""

from __future__ import annotations

from types import ModuleType

import pytest

pytestmark = pytest.mark.kinds("owned")


def test_an_owned_text_is_copied_and_freed(shim: ModuleType) -> None:
    before = shim.texts_alive()
    for length in (0, 1, 5000):
        assert shim.text_new(length) == b"a" * length
    assert shim.texts_alive() == before


def test_no_text_is_none_and_nothing_is_freed(shim: ModuleType) -> None:
    before = shim.texts_alive()
    assert shim.text_new(-1) is None
    assert shim.texts_alive() == before


def test_a_text_of_c_s_own_heap_is_freed_by_free(shim: ModuleType) -> None:
    for _ in range(1000):
        assert shim.text_of_c(b"as it is") == b"as it is"


def test_what_frees_can_still_be_called(shim: ModuleType) -> None:
    assert shim.text_free(shim.NULL) is None
    shim.text_new(3)
