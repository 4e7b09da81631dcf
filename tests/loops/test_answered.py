"""Every form of a call, through every binding that has its kinds: the same answers as C, counted from outside."""

from __future__ import annotations

from functools import cache

import pytest
from msgspec.structs import replace
from support.anywhere import bindings, missing, skip_without
from support.executed import figures
from support.expressed import SHAPES

from ffibench.results.validity import CANNOT
from ffibench.workflow import Result, RunOptions, run

NAMES = [each for each in bindings() if not (each.startswith("python/") and "~" in each)]
CLOSURES = {"python/ctypes", "python/ctypes-pydll", "python/cffi-abi", "python/cffi-api"}
"""Those of Python that make C functions while they run."""


@cache
def measured(language: str) -> Result:
    """Run all bindings of a language together, which takes a third of the time of a run each.

    How long a busy host lets a process take outside its slices decides nothing here. Memory that nobody wrote to is
    never 0, see mallopt(3): a cell that a loop forgot to clear would be so by chance.
    """
    own = [name for name in NAMES if name.startswith(f"{language}/") and missing("xsub", name) is None]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MALLOC_PERTURB_", "85")
        result = run(str(SHAPES), RunOptions(contestants=own, rounds=1, slices=2, warmup=1))
    return replace(result, comparison=figures(result.run))


@pytest.mark.parametrize("name", NAMES)
def test_a_binding_answers_as_c_does(name: str) -> None:
    skip_without("xsub", name)
    result = measured(name.partition("/")[0])
    rows = [row for row in result.comparison.rows if row.contestant == name]
    wrong = {row.case: row.reason for row in rows if not row.valid and not (row.reason or "").startswith(CANNOT)}
    assert not wrong
    assert len(rows) == len(result.run.plan.cases)
    left_out = {row.case for row in rows if not row.valid}
    if name.startswith("python/"):  # a callback without user data
        assert left_out == (set() if name in CLOSURES else {"told(callback())"})
    audits = [audit for audit in result.run.all_audits if audit.key.startswith(f"{name} ")]
    assert len(rows) - len(left_out) <= len(audits)
    assert {audit.verdict for audit in audits} == {"accepted"}


@pytest.mark.parametrize("language", sorted({name.partition("/")[0] for name in NAMES}))
def test_all_of_a_language_is_verified(language: str) -> None:
    for name in NAMES:
        if name.startswith(f"{language}/") and missing("xsub", name) is None:
            assert measured(language).valid
            return
    pytest.skip(f"no binding of {language} is here; `ffibench doctor` says what installs it")
