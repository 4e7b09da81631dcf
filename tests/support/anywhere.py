"""Languages and their bindings, as tests ask for them: one runs, or the test is skipped with what a user is told."""

from __future__ import annotations

from functools import cache
from typing import TypeVar

import pytest

from ffibench.catalog import candidates, find_experiment
from ffibench.languages import languages
from ffibench.model.runtime import Missing, Runtime
from ffibench.shims.technology import technologies
from ffibench.workflow import Result

Found = TypeVar("Found")


def bindings(*, asked: bool = False) -> list[str]:
    """Return the bindings that templates render, without those that an experiment must name where that is not asked."""
    return [
        f"{technology.language}/{name}"
        for technology in technologies()
        if technology.kinds
        for name, binding in technology.bindings.items()
        if asked or not binding.asked
    ]


@cache
def missing(experiment: str, name: str) -> Missing | None:
    """Return why this machine cannot run a contestant; None where it can."""
    found = candidates(find_experiment(experiment), patterns=(name,))
    return next((each.missing for each in found if each.contestant.name == name), None)


def skip_if_missing(found: Found | Missing) -> Found:
    """Return what is found; skip the test where it is not."""
    if isinstance(found, Missing):
        pytest.skip(f"{found.reason}; {found.fix}")
    return found


def runtime_or_skip(language: str) -> Runtime:
    """Return the runtime or compiler of a language as the tool finds it; skip the test where there is none."""
    (found,) = languages()[language].runtimes((), ())
    return skip_if_missing(found)


def skip_without(experiment: str, name: str) -> None:
    """Skip the test where this machine cannot run a contestant."""
    lacking = missing(experiment, name)
    if lacking is not None:
        pytest.skip(f"{name}: {lacking.reason}; {lacking.fix}")


def check(result: Result, name: str) -> None:
    """All rows of a contestant must be there and verified, and its native calls accepted."""
    rows = [row for row in result.comparison.rows if row.contestant == name]
    assert rows
    assert {row.case: row.reason for row in rows if not row.valid} == {}
    audits = [each for each in result.run.all_audits if each.key.startswith(f"{name} ")]
    assert audits
    assert {each.verdict for each in audits} == {"accepted"}
