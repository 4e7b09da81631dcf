"""The experiment that a header, a library and calls are, without a folder."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ffibench.calls.expressions import places
from ffibench.catalog.calls import provisional_cases, texts_of
from ffibench.catalog.folders import Folder
from ffibench.catalog.places import find_header
from ffibench.errors import FfibenchError
from ffibench.model import Call, Experiment, LibraryFile, Parameter, Value
from ffibench.units import parse_count

EXAMPLE = "--call 'foo_add(1, 2)'"


def is_header(name: str) -> bool:
    """Whether what the user names is a header, and not an experiment."""
    return name.endswith((".h", ".H", ".hh", ".hpp"))


def header_folder(name: str, calls: Sequence[Call], library: str | None, given: Mapping[str, Value]) -> Folder:
    """Return the experiment that a header, a library and calls are; `given` are the values of the calls' parameters.

    Raises FfibenchError where the header or the library is missing, there are no calls, or a parameter has no value.
    """
    header = find_header(name)
    if not calls:
        raise FfibenchError(f"no calls of {name} are named", fix=f"say what to measure, as in {EXAMPLE}")
    if library is None:
        raise FfibenchError(f"no library of {name} is named", fix="--library takes a path, or a name such as libz.so.1")
    named = list(dict.fromkeys(place for call in calls for text in texts_of(call) for place in places(text)))
    lacking = next((each for each in named if each not in given), None)
    if lacking is not None:
        raise FfibenchError(
            f"the calls have a place {{{lacking}}} and no value for it",
            fix=f"give one with --set {lacking}=1024, or several with --sweep {lacking}=16,256,4096",
        )
    experiment = Experiment(
        title=f"calls of {header.name}",
        header=header.name,
        library=LibraryFile(path=library),
        cases=lambda values: provisional_cases(calls, values),
        calls=tuple(calls),
        parameters=tuple(
            Parameter(name=each, default=_typed(given[each]), help=f"what stands for {{{each}}}") for each in named
        ),
    )
    return Folder(
        name=re.sub(r"\W", "_", header.stem),
        path=Path.cwd(),
        experiment=experiment,
        header=header,
        sources=(),
    )


def _typed(value: Value) -> Value:
    """Return a value as a number where it is one: the type of a parameter's default is that of its values."""
    if not isinstance(value, str):
        return value
    try:
        return int(value) if value.lstrip("-").isdecimal() else parse_count(value)
    except ValueError:
        return value
