"""The parameters of an experiment: from what the user wrote to values, and to the points of a sweep."""

from __future__ import annotations

import math
from collections.abc import Mapping

from msgspec import Struct

from ffibench.catalog.folders import nearest
from ffibench.errors import FfibenchError
from ffibench.model import Experiment, Parameter, Value
from ffibench.units import parse_count

# Arguments of the worker contract: an experiment's parameters must not have these names.
CONTRACT_WORDS = frozenset(
    (
        "experiment",
        "binding",
        "role",
        "cases",
        "slices",
        "cold",
        "warmup",
        "peers",
        "verbose",
        "costs",
        "library",
        "endpoint",
        "shim",
        "source",
    )
)

POINTS_MAX = 64
"""Limit of a sweep: each point takes a process of every contestant in every round."""


class ParameterValues(Struct, frozen=True, kw_only=True):
    """The values of an experiment's parameters."""

    values: dict[str, Value]
    """The value of every parameter; of a swept parameter its first value."""
    swept: str | None = None
    """The parameter that is swept."""
    along: tuple[Value, ...] = ()
    """Its values."""

    def points(self) -> list[dict[str, Value]]:
        """Return the points of the sweep, each the parameter with a value; one empty point where nothing is swept."""
        return [{}] if self.swept is None else [{self.swept: value} for value in self.along]

    def as_written(self) -> dict[str, Value]:
        """Return the values as a user writes them: those of a sweep with commas between."""
        swept = {} if self.swept is None else {self.swept: ",".join(map(str, self.along))}
        return {**self.values, **swept}


def read_parameters(
    experiment: Experiment,
    name: str,
    given: Mapping[str, str],
    sweep: tuple[str, str] | None = None,
    defaults: Mapping[str, Value] | None = None,
) -> ParameterValues:
    """Return the values of all parameters of an experiment.

    `given` are the values of `--set`, `sweep` the name and the values of `--sweep`; `defaults` override the parameters'
    own. Numbers separated by commas are a sweep too, with either option. Raises FfibenchError for invalid values.
    """
    parameters = {parameter.name: parameter for parameter in experiment.parameters}
    for word in CONTRACT_WORDS & parameters.keys():
        raise FfibenchError(
            f"the experiment {name} calls a parameter {word}, a word of the worker contract", fix="rename it"
        )
    for word in [*given, *([sweep[0]] if sweep else [])]:
        if word not in parameters:
            raise FfibenchError(
                f"the experiment {name} has no parameter {word!r}{nearest(word, list(parameters))}",
                fix=f"use one of {', '.join(parameters)}" if parameters else "leave it out: there are no parameters",
            )
    sweeps = _sweeps(parameters, given, sweep)
    values: dict[str, Value] = {}
    for each in parameters.values():
        if each.name in sweeps:
            values[each.name] = sweeps[each.name][0]
        elif each.name in given:
            values[each.name] = _read(each, given[each.name], "--set")
        else:
            values[each.name] = (defaults or {}).get(each.name, each.default)
    swept = next(iter(sweeps), None)
    return ParameterValues(values=values, swept=swept, along=sweeps[swept] if swept else ())


def _sweeps(
    parameters: Mapping[str, Parameter], given: Mapping[str, str], sweep: tuple[str, str] | None
) -> dict[str, tuple[Value, ...]]:
    """Return the swept parameter with its values; empty where none is swept."""
    asked = {name: text for name, text in given.items() if "," in text and _is_number(parameters[name])}
    if sweep is not None:
        name, text = sweep
        if not _is_number(parameters[name]):
            numbers = [each.name for each in parameters.values() if _is_number(each)]
            raise FfibenchError(
                f"--sweep {name}: its value is not a number, and only numbers can be swept",
                fix=f"use one of {', '.join(numbers)}" if numbers else "use --set, once for each value",
            )
        asked = {**asked, name: text}
    if len(asked) > 1:
        raise FfibenchError(
            f"one parameter can be swept at a time, not {' and '.join(asked)}", fix="give the others one value"
        )
    if asked:
        ((name, text),) = asked.items()
        option = "--sweep" if sweep is not None else "--set"
        values = tuple(_read(parameters[name], each, option) for each in text.split(","))
        return {name: _distinct(f"{option} {name}={text}", values)}
    own = (each for each in parameters.values() if each.sweep and each.name not in given)
    return {each.name: each.sweep for each in list(own)[:1]}


def _distinct(option: str, values: tuple[Value, ...]) -> tuple[Value, ...]:
    if len(set(values)) < len(values):
        raise FfibenchError(f"{option}: a value is there twice", fix="take one away")
    if len(values) > POINTS_MAX:
        raise FfibenchError(f"{option}: {len(values)} values are more than {POINTS_MAX}", fix="take some away")
    return values


def _is_number(parameter: Parameter) -> bool:
    return isinstance(parameter.default, int | float)


def _read(parameter: Parameter, text: str, option: str) -> Value:
    kind = type(parameter.default)
    value: Value = text
    try:
        if kind is int:
            value = int(text) if text.lstrip("-").isdecimal() else parse_count(text)
        elif kind is float:
            value = float(text)
    except ValueError:
        value = math.nan
    if isinstance(value, float) and not math.isfinite(value):
        what = "a whole number" if kind is int else "a number"
        raise FfibenchError(
            f"{option} {parameter.name}={text}: {text!r} is not {what}", fix=f"use {what}, such as {parameter.default}"
        )
    wrong = None if parameter.check is None else parameter.check(value)
    if wrong is not None:
        raise FfibenchError(
            f"{option} {parameter.name}: {wrong}", fix=f"leave it out to use the default, {parameter.default}"
        )
    return value
