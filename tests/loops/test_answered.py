"""Every form of a call, through every binding that has its kinds: the same answers as C, counted from outside."""

from __future__ import annotations

import pytest
from support.expressed import SHAPES

from ffibench.results.validity import CANNOT
from ffibench.shims.technology import technologies
from ffibench.workflow import RunOptions, run

BINDINGS = [
    f"{technology.language}/{name}"
    for technology in technologies()
    if technology.kinds
    for name in technology.bindings
    if "~" not in name
]


@pytest.mark.parametrize("name", BINDINGS)
def test_a_binding_answers_as_c_does(name: str) -> None:
    result = run(str(SHAPES), RunOptions(contestants=(name,), rounds=1, slices=2, warmup=1))
    present = {row.contestant for row in result.comparison.rows}
    if name not in present:
        pytest.skip(f"{name} cannot run here")
    wrong = {
        (row.contestant, row.case): row.reason
        for row in result.comparison.rows
        if not row.valid and not (row.reason or "").startswith(CANNOT)
    }
    assert not wrong
    assert result.valid
    rows = [row for row in result.comparison.rows if row.contestant == name]
    left_out = {row.case for row in rows if not row.valid}
    assert len(rows) == len(result.run.plan.cases)
    if name.startswith("python/"):  # a callback without user data is for those that make C functions while they run
        closures = {"python/ctypes", "python/ctypes-pydll", "python/cffi-abi", "python/cffi-api"}
        assert left_out == (set() if name in closures else {"told(callback())"})
    audits = [audit for audit in result.run.all_audits if audit.key.startswith(f"{name} ")]
    assert len(rows) - len(left_out) <= len(audits)
    assert {audit.verdict for audit in audits} == {"accepted"}
