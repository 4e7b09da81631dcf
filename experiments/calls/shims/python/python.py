"""The idioms of calls through every binding that writes them: one spelling in all, a loop for each case.

Loops test answers as the generated ones do: numbers in each iteration, what objects and lists hold after a slice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ffibench.worker.contract import Work, planned_cases

from . import _objects, _values

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from ffibench.worker.contract import Options

CASES = {
    "idiom_constructor": _objects.constructor,
    "idiom_method": _objects.method,
    "idiom_property": _objects.prop,
    "idiom_object_in": _objects.object_in,
    "idiom_object_out": _objects.object_out,
    "idiom_overload_int": _values.overload_int,
    "idiom_overload_double": _values.overload_double,
    "idiom_keyword": _values.keyword,
    "idiom_default": _values.default,
    "idiom_list_in": _values.list_in,
    "idiom_list_out": _values.list_out,
    "idiom_ndarray": _values.ndarray,
    "idiom_exception": _values.exception,
}


def contestant(native: ModuleType, options: Options) -> Iterator[Work]:
    """Make the loops of the cases that are asked for."""
    yield Work(cases={case: CASES[case](native) for case, _ in planned_cases(options["cases"])})
