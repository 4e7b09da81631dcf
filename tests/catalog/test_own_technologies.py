"""Binding technologies in an experiment's folder, with a loop of their own or the common one; extensions."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import Cli
from support.trees import plant

from ffibench.catalog import candidates, find_experiment
from ffibench.errors import FfibenchError

TOML = """
artifact = "{module}.so"
compilers = ["c"]
cases = ["few"]

[bindings."capi~method"]
lock = "held"
"""

SOURCE = r"""
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include "tally.h"

static PyObject *sum(PyObject *self, PyObject *bytes)
{
    (void)self;
    return PyLong_FromUnsignedLong(tally_sum(PyBytes_AsString(bytes), (size_t)PyBytes_Size(bytes)));
}

static PyMethodDef methods[] = {{"sum", sum, METH_O, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "tally_capi_method", .m_methods = methods};

PyMODINIT_FUNC PyInit_tally_capi_method(void)
{
    return PyModule_Create(&module);
}
"""

LOOP = """
from itertools import repeat

from ffibench.worker.contract import Loops, Work


def contestant(native, options):
    size = int(options["size"])
    data = b"\\1" * size

    def run(iterations):
        for _ in repeat(None, iterations):
            if native.sum(data) != size:
                raise ValueError("sum is wrong")
        return {"calls": iterations}

    def empty(iterations):
        for _ in repeat(None, iterations):
            pass

    yield Work(cases={"few": Loops(run, empty)})
"""

HOME = "shims/python/capi~method"
OWN = {
    f"{HOME}/technology.toml": TOML,
    f"{HOME}/module.c": SOURCE,
    f"{HOME}/meson.build.j2": '{% extends "capi/meson.build.j2" %}\n',
    f"{HOME}/python.py": LOOP,
}


def test_a_binding_of_one_s_own_idiom_runs_in_the_cases_that_its_loop_has(cli: Cli, tally: Path) -> None:
    plant(tally, OWN)
    answer = cli("run", str(tally), "-c", "python/capi*", "--rounds", "1", "--no-audit")
    assert answer.returncode == 0, answer.stderr
    (row,) = (line.split() for line in answer.stdout.splitlines() if line.startswith("none "))
    assert row.count("\N{EN DASH}") == 1  # the loop has the case `few` alone
    assert "verified" in answer.stdout
    shown = cli("source", str(tally), "python/capi~method")
    assert "PyInit_tally_capi_method" in shown.stdout
    assert 'raise ValueError("sum is wrong")' in shown.stdout


def test_one_without_a_loop_is_driven_by_the_experiment_s(tally: Path) -> None:
    plant(tally, {name: text for name, text in OWN.items() if not name.endswith("python.py")})
    found = {each.contestant.name: each for each in candidates(find_experiment(str(tally)))}
    assert found["python/capi~method"].source.path == tally / "python.py"
    assert found["python/capi~method"].contestant.lock == "held"


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"shims/python/own/technology.toml": TOML.replace("capi~method", "capi")}, "python/capi already.*capi~mine"),
        ({"shims/cobol/own/technology.toml": TOML}, "cobol, which is no language here"),
        ({"shims/python/own/technology.toml": "artifact = 5\n"}, "compare it with another technology.toml"),
    ],
)
def test_a_technology_that_cannot_be_is_told(files: dict[str, str], sentence: str, tally: Path) -> None:
    plant(tally, files)
    with pytest.raises(FfibenchError, match=sentence):
        find_experiment(str(tally))


EXTENDS = "from ffibench.model import Extension\nEXPERIMENT = Extension(of={!r})\n"


def test_an_experiment_is_extended_by_contestants(tmp_path: Path) -> None:
    plant(tmp_path / "mine", {"experiment.py": EXTENDS.format("xsub"), "quick.py": "# ffibench: lock=held\n"})
    found = find_experiment(str(tmp_path / "mine"))
    assert found.name == "mine"
    assert found.experiment.title == find_experiment("xsub").experiment.title
    names = [each.contestant.name for each in candidates(found)]
    assert "python/quick" in names
    assert "python/capi" in names


@pytest.mark.parametrize(
    ("of", "more", "sentence"),
    [
        ("xsbu", {}, r"there is no such experiment \(did you mean xsub\?\)"),
        ("../gone", {}, "there is no such experiment"),
        ("../mine", {}, "extends itself"),
        ("xsub", {"python.py": ""}, "would drive the shims of xsub"),
        (5, {}, "expected `str`"),
    ],
)
def test_an_extension_that_cannot_be_is_told(of: object, more: dict[str, str], sentence: str, tmp_path: Path) -> None:
    plant(tmp_path / "mine", {"experiment.py": EXTENDS.format(of), **more})
    with pytest.raises(FfibenchError, match=sentence):
        find_experiment(str(tmp_path / "mine"))
