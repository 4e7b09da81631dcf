"""What an `experiment.py` declares, checked: its types and ranges, and functions of the user that fail or mislead.

Python would let a number be a text until something far away adds to it; a worker would take -1 for a very large count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NoReturn, TypeVar, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ffibench.catalog.calls import provisional_cases
from ffibench.errors import FfibenchError
from ffibench.model import (
    Case,
    Contestant,
    Derived,
    Experiment,
    Extension,
    LibraryFile,
    LibrarySources,
    Parameter,
    Receipt,
    Value,
    WheelLibrary,
)

COUNT_MAX = 10**12
"""Of iterations and slices: more would take a machine for years."""
FIX = "correct this file"

S = TypeVar("S", bound=Struct)


def checked_experiment(experiment: Experiment, path: Path) -> Experiment:
    """Return the experiment of the file at `path` with its types checked, and functions that are checked when called.

    Raises FfibenchError for what is not as `ffibench.model.Experiment` says; so do its functions.
    """
    where = f"{path}: EXPERIMENT"
    found = _checked(experiment, where)
    if not isinstance(found.library, WheelLibrary | LibraryFile | LibrarySources):
        _refuse(where, "library", "expected a WheelLibrary, a LibraryFile or LibrarySources")
    for name, value in (("slices", found.slices), ("threads", found.threads)):
        _require_count(value, where, name)
    if found.derive is not None and not isinstance(found.library, LibrarySources):
        _refuse(where, "library", "expected LibrarySources, to which `derive` adds")
    if not found.functions and not found.calls and found.derive is None:
        _refuse(where, "functions", "expected at least one, or `calls`")
    if not found.roles:
        _refuse(where, "roles", "expected at least one")
    if found.calls and len(found.roles) > 1:
        _refuse(where, "calls", "the loops of several roles cannot be generated")
    for call in found.calls:
        _require_count(call.iterations, f"{where}, calls, {call.expression!r}", "iterations")
    for role in found.roles:
        _require_count(role.slices, where, f"roles, {role.name}, slices")
    return replace(
        found,
        library=_checked(found.library, f"{where}, library"),
        parameters=tuple(_checked_parameter(each, path) for each in found.parameters),
        cases=lambda values: (*_checked_cases(found, values, path), *provisional_cases(found.calls, values)),
        placement=None if found.placement is None else lambda values: _checked_placement(found, values, path),
        derive=None if found.derive is None else lambda values: _checked_derived(found, values, path),
    )


def checked_extension(extension: Extension, path: Path) -> Extension:
    """Return the extension of the file at `path` with its types checked. Raises FfibenchError."""
    return _checked(extension, f"{path}: EXPERIMENT")


def _checked_placement(experiment: Experiment, values: Mapping[str, Value], path: Path) -> str:
    what = f"{path}: placement()"
    assert experiment.placement is not None
    found: str = _typed(_called(what, experiment.placement, values), str, what)
    return found


def _checked_derived(experiment: Experiment, values: Mapping[str, Value], path: Path) -> Derived:
    what = f"{path}: derive()"
    assert experiment.derive is not None
    found: Derived = _typed(_called(what, experiment.derive, values), Derived, what)
    wrong = next((name for name in (found.header, *found.sources) if name not in found.files), None)
    if wrong is not None:
        raise FfibenchError(f"{what}: it names {wrong!r}, which is not among its files", fix=FIX)
    odd = next((name for name in found.files if Path(name).name != name), None)
    if odd is not None:
        raise FfibenchError(f"{what}: {odd!r} is no name of a file alone", fix=FIX)
    return found


def _checked_parameter(parameter: Parameter, path: Path) -> Parameter:
    check = parameter.check
    if check is None:
        return parameter
    what = f"{path}: the check of the parameter {parameter.name}"
    return replace(parameter, check=lambda value: _typed(_called(what, check, value), str | None, what))


def _checked_cases(experiment: Experiment, values: Mapping[str, Value], path: Path) -> tuple[Case, ...]:
    what = f"{path}: cases()"
    listed = _called(what, experiment.cases, values)
    cases: tuple[Case, ...] = _typed(listed, tuple[Case, ...], what)
    if not cases and not experiment.calls:
        raise FfibenchError(f"{what} returned none", fix=FIX)
    return tuple(_checked_case(case, path) for case in cases)


def _checked_case(declared: Case, path: Path) -> Case:
    where = f"{path}: the case {declared.name!r}"
    case = _checked(declared, where)
    if not case.name.strip() or not case.name.isprintable():
        raise FfibenchError(f"{where} has no name that can be printed", fix=FIX)
    if not case.group.isprintable():
        _refuse(where, "group", "it cannot be printed")
    _require_count(case.iterations, where, "iterations")
    if not 0 <= case.bytes <= COUNT_MAX:
        _refuse(where, "bytes", f"{case.bytes:,} is not between 0 and {COUNT_MAX:,}")
    if case.delivery is not None:
        _require_count(case.delivery.operations, where, "delivery, operations")
    for accepted in case.accepts:
        least = min([*accepted.calls.values(), accepted.size, accepted.total or 0])
        if least < 0:
            _refuse(where, "accepts", f"{least} is negative")
    cannot = case.cannot

    def receipt(iterations: int) -> Receipt:
        what = f"{where}: receipt({iterations})"
        found: Receipt = _typed(_called(what, case.receipt, iterations), Receipt, what)
        return found

    def reason(contestant: Contestant) -> str | None:
        what = f"{where}: cannot()"
        assert cannot is not None
        found: str | None = _typed(_called(what, cannot, contestant), str | None, what)
        return found

    return replace(case, receipt=receipt, cannot=None if cannot is None else reason)


def _called(what: str, function: Callable[..., object], *arguments: object) -> object:
    """Call a function of the user's, which may raise anything."""
    try:
        return function(*arguments)
    except FfibenchError:
        raise
    except (Exception, SystemExit) as error:
        raise FfibenchError(f"{what} failed: {type(error).__name__}: {error}", fix=FIX) from error


def _checked(value: S, where: str) -> S:
    """Return a structure with the types of its fields checked, and those of the structures in them."""
    fields = _typed(value, _fields_of(type(value)), where)
    found = {}
    for name in fields.__struct_fields__:
        each = getattr(fields, name)
        if isinstance(each, Struct):
            each = _checked(each, f"{where}, {name}")
        elif isinstance(each, tuple):
            each = tuple(_checked(one, f"{where}, {name}") if isinstance(one, Struct) else one for one in each)
        found[name] = each
    return replace(value, **found)


@cache
def _fields_of(kind: type[Struct]) -> type[Struct]:
    """Return a type with the same fields: msgspec does not look into a value that has the very type already.

    Without a library: a union of structures would need tags in them, which only documents have.
    """
    types = [(name, each) for name, each in get_type_hints(kind).items() if name != "library"]
    return msgspec.defstruct(f"_{kind.__name__}", types, kw_only=True)


def _typed(value: object, expected: Any, where: str) -> Any:  # noqa: ANN401 (whatever type is asked for)
    """Return a value with its types checked, those of its fields too. Raises FfibenchError."""
    try:
        return msgspec.convert(value, expected, from_attributes=True)
    except msgspec.ValidationError as error:
        wrong, _, place = str(error).partition(" - at `$")
        _refuse(where, place.strip("`."), f"{wrong[0].lower()}{wrong[1:]}")


def _require_count(value: int | None, where: str, name: str) -> None:
    if value is not None and not 1 <= value <= COUNT_MAX:
        _refuse(where, name, f"{value} is not between 1 and {COUNT_MAX:,}")


def _refuse(where: str, name: str, wrong: str) -> NoReturn:
    raise FfibenchError(f"{where}{f', {name}' if name else ''}: {wrong}", fix=FIX)
