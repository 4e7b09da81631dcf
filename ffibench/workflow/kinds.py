"""What `ffibench kinds` does: read a header, and say how each function of it crosses the boundary, and through what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from ffibench.builds.library import located, not_exported
from ffibench.catalog.places import find_header
from ffibench.errors import FfibenchError
from ffibench.headers.fitting import possible, possible_results
from ffibench.headers.overrides import RETURN, nearest
from ffibench.headers.reader import Header
from ffibench.headers.refusals import Refusal, by_reason
from ffibench.headers.types import Function, Kind, Parameter, Result
from ffibench.model import Crossing, CrossingFunction, HeaderKinds, RefusedFunction
from ffibench.shims.facilities import cell_type, facilities
from ffibench.shims.render import lacking
from ffibench.shims.shim import declarations
from ffibench.shims.technology import technologies


def header_kinds(
    header: str, *, functions: Sequence[str] = (), kinds: Mapping[str, str] | None = None, library: str | None = None
) -> HeaderKinds:
    """Return how the functions of a header cross.

    `header` is a path, or a name that the compiler finds, as in `#include <zlib.h>`; `functions` are globs of the ones
    wanted, all where there are none; `kinds` are as in `--kind`; `library` is a file, or a name that the loader finds.

    Raises FfibenchError where the header cannot be found or read, no function has such a name, a kind does not fit, or
    there is no such library.
    """
    path = find_header(header)
    declared = declarations(path, dict(kinds or {}))
    chosen = [each for each in declared.functions if _wanted(each.name, functions)]
    refused = [each for each in declared.refusals if _wanted(each.name, functions)]
    if functions and not chosen and not refused:
        names = [*(each.name for each in declared.functions), *(each.name for each in declared.refusals)]
        wanted = " or ".join(f"`{pattern}`" for pattern in functions)
        raise FfibenchError(f"{path} declares no function {wanted}", fix=nearest(functions[0], names))
    crossing = {each.name: _function(each, declared) for each in chosen}
    file, missing = "", tuple[str, ...]()
    if library is not None:
        found = located(Path(library), library, "--library takes the path of a shared library, or its soname")
        file, missing = str(found), not_exported(found, list(crossing))
    return HeaderKinds(
        header=str(path),
        functions=tuple(crossing.values()),
        refused={why: tuple(_refused(each) for each in group) for why, group in by_reason(refused).items()},
        technologies=tuple(f"{each.language}/{each.name}" for each in technologies() if each.kinds),
        structs=_structs(chosen, declared),
        library=file,
        not_exported=tuple(crossing[name] for name in missing),
    )


def _wanted(name: str, patterns: Sequence[str]) -> bool:
    return not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)


def _function(function: Function, declared: Header) -> CrossingFunction:
    crossings = [_parameter(each, declared) for each in function.parameters]
    if function.result.kind != "void":
        crossings.append(_result(function.result, declared))
    found = {f"{each.language}/{each.name}": lacking(each, function) for each in technologies() if each.kinds}
    return CrossingFunction(
        name=function.name,
        file=function.file,
        line=function.line,
        crossings=tuple(crossings),
        lacking={name: tuple(dict.fromkeys(lacks.values())) for name, lacks in found.items() if lacks},
    )


def _parameter(parameter: Parameter, declared: Header) -> Crossing:
    others = [each for each in possible(parameter.type, declared.structs) if each != parameter.kind]
    note = f"length: {parameter.length}" if parameter.length else ""
    if parameter.kind == "cell":
        note = f'cell("{cell_type(parameter.type)}")'
    return Crossing(
        name=parameter.name,
        declaration=parameter.type.declare(parameter.name),
        kind=parameter.kind,
        note=note,
        others=tuple(others),
    )


def _result(result: Result, declared: Header) -> Crossing:
    spelled: dict[Kind, str] = {"owned": "owned:FREE"}
    others = [
        spelled.get(each, each) for each in possible_results(result.type, declared.structs) if each != result.kind
    ]
    notes: dict[Kind, str] = {"string": "copied, not freed", "owned": f"freed by {result.free}"}
    return Crossing(
        name=RETURN,
        declaration=result.type.spelling,
        kind=result.kind,
        note=notes.get(result.kind, ""),
        others=tuple(others),
    )


def _refused(refusal: Refusal) -> RefusedFunction:
    said_of = tuple(text for texts in refusal.reasons.values() for text in texts)
    return RefusedFunction(
        name=refusal.name, file=refusal.file, line=refusal.line, said_of=said_of, fix=refusal.options
    )


def _structs(functions: Sequence[Function], declared: Header) -> dict[str, str]:
    needed = facilities(functions, declared.structs)
    return {
        name: f"{name}({', '.join(field.name for field in layout.fields)})"
        for layout in needed["structs"]
        for name in [needed["struct_names"][layout.name]]
    }
