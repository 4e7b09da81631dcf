"""`ffibench run calls`: every shape through every binding, valid or with the reason why it cannot be."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli

from ffibench.catalog import find_experiment
from ffibench.shims.technology import technologies

CALLS = find_experiment("calls").experiment.calls
SHAPES = [each for each in CALLS if not each.only]
"""Those of everybody; idioms belong to the contestants that write them."""
SMALL = ("--rounds", "1", "--slices", "1", "--warmup", "0", "--iterations", "20")
ABI3 = {"capi": (3, 11), "cython": (3, 11), "nanobind": (3, 12)}
CANNOT = "It cannot run this case: "


@pytest.fixture(scope="module")
def matrix(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    file = tmp_path_factory.mktemp("calls") / "run.json"
    answer = cli("run", "calls", *SMALL, "--json", str(file))
    assert answer.returncode == 0, answer.stdout + answer.stderr
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    shown = cli("show", str(file))
    assert shown.returncode == 0, shown.stderr
    return found


def rows_of(matrix: dict[str, Any], *, valid: bool) -> Counter[str]:
    return Counter(row["contestant"] for row in matrix["summary"] if row["valid"] == valid)


def test_python_and_c_do_every_case_through_every_binding(matrix: dict[str, Any]) -> None:
    names = {
        f"python/{name}"
        for each in technologies()
        for name, binding in each.bindings.items()
        if each.language == "python" and not binding.asked
    }
    assert len(names) > 6
    built = {f"python/{name}" for name in ("pybind11~helper", "nanobind~helper")}
    built |= {f"python/{name}~abi3" for name, least in ABI3.items() if sys.version_info >= least}
    wanted = {*names, *built, "c/no-plt", "c/static", "c/pointer"}
    valid = rows_of(matrix, valid=True)
    assert {name: valid[name] for name in wanted} == dict.fromkeys(wanted, len(SHAPES))
    assert valid["c"] == valid["control"] == len(CALLS)


def test_who_cannot_says_why(matrix: dict[str, Any]) -> None:
    wrong = [row for row in matrix["summary"] if not row["valid"]]
    assert [row for row in wrong if not row["reason"].startswith(CANNOT)] == []
    others = {row["contestant"] for row in wrong}
    assert others <= {"python/ctypes~untyped", "python/pyfunc", "perl/xs", "perl/platypus"}
    untyped = {row["case"] for row in wrong if row["contestant"] == "python/ctypes~untyped"}
    assert {"uint64, highest", "size_t", "6 doubles"} <= untyped
    assert "int -> int" not in untyped


def test_the_library_counts_what_each_slice_says(matrix: dict[str, Any]) -> None:
    receipts = {case["name"]: case["receipt"] for case in matrix["plan"]["cases"]}
    assert receipts["nothing"] == {"operations": 20, "calls_counted": 20}
    assert receipts["create and destroy"]["calls_counted"] == 40
    # What was called back, under a name that is a keyword of no language.
    assert 20_000 in receipts["1,000 callbacks"].values()


def test_a_control_without_native_calls_says_that_it_makes_none(matrix: dict[str, Any]) -> None:
    audits = {each["reason"] for each in matrix["audits"] if each["key"].startswith("python/pyfunc")}
    assert audits == {"it makes no native calls"}
    assert rows_of(matrix, valid=True)["python/pyfunc"] == 10


TRUNCATING = '''
"""A binding that passes numbers as too few bits."""
import ctypes

library = ctypes.CDLL("@LIBRARY@")
calls_counted = library.calls_counted
calls_counted.restype = ctypes.c_uint64


def calls_uint64(value):
    function = library.calls_uint64
    function.argtypes, function.restype = [ctypes.c_uint32], ctypes.c_uint32
    return function(value)
'''
ROUNDING = TRUNCATING.replace("c_uint32", "c_uint64").replace(
    "return function(value)", "return int(float(function(value)))"
)


@pytest.mark.parametrize("module", [TRUNCATING, ROUNDING], ids=["32 bits", "a double"])
def test_a_binding_that_truncates_is_caught(cli: Cli, tmp_path: Path, module: str) -> None:
    folder = tmp_path / "mine"
    shim = folder / "shims/python/truncating"
    shim.mkdir(parents=True)
    extension = 'from ffibench.model import Extension\n\nEXPERIMENT = Extension(of="calls")\n'
    (folder / "experiment.py").write_text(extension, encoding="utf-8")
    (shim / "technology.toml").write_text(
        'artifact = "{module}.py"\nkinds = ["scalar", "void"]\ncases = ["calls_uint64_*"]\n'
        '[bindings.truncating]\nlock = "released"\n',
        encoding="utf-8",
    )
    (shim / "module.py").write_text(module, encoding="utf-8")
    file = tmp_path / "run.json"
    answer = cli("run", str(folder), *SMALL, "-c", "python/truncating", "--json", str(file))
    assert answer.returncode == 1, answer.stdout + answer.stderr
    (row,) = (
        each
        for each in json.loads(file.read_text(encoding="utf-8"))["summary"]
        if (each["contestant"], each["case"]) == ("python/truncating", "uint64, highest")
    )
    assert "calls_uint64 gave another answer than C" in row["reason"]
