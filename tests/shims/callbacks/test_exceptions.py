"""What a callback raises, or answers that is no number, is printed as unraisable, and C gets 0."""

from __future__ import annotations

from types import ModuleType

import pytest
from support.calling import ANSWERS


@pytest.mark.parametrize("error", [ValueError("wrong"), KeyboardInterrupt(), SystemExit(3)])
def test_an_exception_is_told_as_unraisable_and_the_answer_is_zero(
    native: ModuleType, unraisable: list[type[BaseException]], error: BaseException
) -> None:
    def fail(*_: object) -> int:
        raise error

    assert native.tick_once(fail, 0) == 1
    for kind, values in ANSWERS.items():
        assert getattr(native, f"answer_{kind}")(fail, 0, values[-1]) == 0
    assert native.answer_nothing(fail, 0) == 0
    assert unraisable == [type(error)] * (2 + len(ANSWERS))
    assert native.answer_int(lambda value, _: value, 0, 3) == 3


@pytest.mark.parametrize("wrong", ["text", None, [1]])
@pytest.mark.parametrize("kind", ["int", "uint64", "double", "mood"])
def test_an_answer_that_is_no_number_is_told_likewise(
    native: ModuleType, unraisable: list[type[BaseException]], kind: str, wrong: object
) -> None:
    assert getattr(native, f"answer_{kind}")(lambda *_: wrong, 0, 1) == 0
    assert unraisable == [TypeError]


def test_an_answer_out_of_range_is_told_likewise(
    name: str, native: ModuleType, unraisable: list[type[BaseException]]
) -> None:
    assert native.answer_int(lambda *_: 2**32, 0, 1) == 0
    if name.startswith("ctypes"):
        assert unraisable == []  # "No overflow checking is done", here as for arguments
    else:
        assert len(unraisable) == 1


def test_what_a_callback_without_a_result_returns_is_nobodys(
    native: ModuleType, unraisable: list[type[BaseException]]
) -> None:
    assert native.tick_once(lambda *_: 42, 0) == 1
    assert unraisable == []
