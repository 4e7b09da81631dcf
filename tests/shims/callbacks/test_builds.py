"""Callbacks without user data need a closure; where a binding has none, it says so with the line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType

import pytest
from support.calling import CLOSURES, HEADER, REFUSALS

from ffibench.builds.project import Project
from ffibench.errors import FfibenchError
from ffibench.headers.reader import read_header


@pytest.mark.parametrize("closing", sorted(name for name, closes in CLOSURES.items() if closes))
def test_a_callback_without_user_data_needs_a_closure(
    modules: Mapping[str, ModuleType], closing: str, unraisable: list[type[BaseException]]
) -> None:
    sum_of, each_of = modules[closing].sum_of, modules[closing].each_of
    assert sum_of(lambda number: number * number, 5) == 30
    assert [sum_of(lambda number, by=by: number * by, 5) for by in (1, 2)] == [10, 20]
    assert sum_of(lambda _: 1 // 0, 2) == 0
    assert unraisable == [ZeroDivisionError] * 2
    seen: list[int] = []

    def see(number: int) -> int:
        seen.append(number)
        return number

    each_of(see, 3)
    assert seen == [0, 1, 2]
    each_of(None, 0)
    each_of(lambda _: 1 // 0, 1)
    assert unraisable == [ZeroDivisionError] * 3
    with pytest.raises(REFUSALS):
        sum_of(3, 1)


@pytest.mark.parametrize("lacking", sorted(name for name, closes in CLOSURES.items() if not closes))
def test_a_binding_without_closures_refuses_it_with_the_line(
    make_project: Callable[..., Project], lacking: str
) -> None:
    (function,) = read_header(HEADER).select(["sum_of"])
    with pytest.raises(FfibenchError) as caught:
        make_project(lacking, header=HEADER, functions=("sum_of",)).render()
    technology = lacking.partition("~")[0]
    assert str(caught.value) == (
        f"{technology} renders no callback without user data beside it: sum_of.visit ({HEADER.name}:{function.line});"
        " --kind FUNCTION.PARAMETER=KIND gives it another kind"
    )
