"""`nox` tests every CPython that is found, and the code; `nox -s bench` measures."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import nox

PYTHONS = ["3.10", "3.11", "3.12", "3.13", "3.14"]

nox.needs_version = ">=2024.10.9"
nox.options.sessions = ["tests", "editable", "lint", "types", "docs"]
nox.options.reuse_venv = "yes"
nox.options.error_on_missing_interpreters = False  # those not found are skipped with a line, in CI too

EXTRAS = os.environ.get("FFIBENCH_TESTS_EXTRAS", "")
"""Of the package, installed for the whole suite: `languages` brings 661 MB of languages that are not on PATH."""

PER_INTERPRETER = ("benchmarks", "builds", "experiments", "harness", "host", "languages/python", "shims", "worker")
"""Folders of tests that depend on the interpreter."""
BETWEEN = ("builds", "experiments", "worker")
"""Those of them for an interpreter between the oldest and the newest: each binding is built and used in all of them."""

NEWEST = next((each for each in reversed(PYTHONS) if shutil.which(f"python{each}")), PYTHONS[-1])

whole_on: list[str] = []
"""The session that runs the whole suite: the first."""

PROJECT = nox.project.load_toml("pyproject.toml")


def install_group(session: nox.Session, group: str) -> None:
    """Install a dependency group of pyproject.toml."""
    session.install(*nox.project.dependency_groups(PROJECT, group))


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run the suite on the wheel, as users install it: whole on the first interpreter.

    What depends on the interpreter is run on the newest too, and some of it on those between, which differ the least.
    """
    install_group(session, "test")
    session.install(f".[{EXTRAS}]" if EXTRAS and not whole_on else ".")
    cache = Path(session.create_tmp()).resolve() / "cache"
    shutil.rmtree(cache, ignore_errors=True)
    session.env["FFIBENCH_TESTS_CACHE"] = str(cache)  # both commands build each shim once
    chosen = session.posargs
    if whole_on and not chosen:
        session.log(f"The whole suite runs on {whole_on[0]}; here run the tests that depend on the interpreter.")
        chosen = [f"tests/{folder}" for folder in (PER_INTERPRETER if session.python == NEWEST else BETWEEN)]
        # What the optimiser does to a shim is seen there; most of a suite's time is its compilers'.
        session.env.update(CFLAGS="-O0", CXXFLAGS="-O0")
    whole_on.append(str(session.name))
    xdist = ("--numprocesses=auto", "--dist=loadfile", "--no-loadscope-reorder")
    session.run("pytest", *xdist, "--durations=20", *chosen)
    # Beside other tests pytest-benchmark measures nothing.
    session.run("pytest", "tests/benchmarks", "--benchmark-only", "--benchmark-autosave")


@nox.session
def editable(session: nox.Session) -> None:
    """Run one experiment from an editable install, which finds its files beside the package."""
    install_group(session, "test")
    session.install("--editable", ".")
    one = "tests/cli/test_cli_run.py::test_every_contestant_is_valid_on_one_library"
    session.run("pytest", "tests/test_paths.py", one, *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Look at style with ruff."""
    install_group(session, "lint")
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")


@nox.session
def types(session: nox.Session) -> None:
    """Look at types with mypy, strictly."""
    install_group(session, "types")
    session.install(".")
    session.run("mypy", "ffibench", "experiments", "tests", "tools", "noxfile.py")


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation; a dead link or anchor is an error."""
    install_group(session, "docs")
    session.run("mkdocs", "build", "--strict", *session.posargs)


@nox.session(python=PYTHONS)
def bench(session: nox.Session) -> None:
    """Run the experiments on this interpreter, keep the run file of `xsub`, and hold all against what we promise."""
    session.install(".")
    session.run("python", "tools/performance/tool.py")
    session.run("python", "tools/performance/audit.py")
    if session.python == "3.11":
        session.run("python", "tools/performance/instructions.py")
    folder = Path("bench")
    folder.mkdir(exist_ok=True)
    file = folder / f"xsub-cpython-{session.python}.json"
    session.run("ffibench", "run", "xsub", "--json", str(file), *session.posargs)
    # Last what is not met on a noisy host: widths.
    session.run("python", "tools/performance/ratios.py", str(file))
    session.run("python", "tools/performance/experiments.py")
    session.run("python", "tools/performance/reference.py")
    session.run("python", "tools/performance/explain.py")


@nox.session
def sanitize(session: nox.Session) -> None:
    """Build the libraries of `fanout` and `codec` with asan, ubsan and tsan; run every cell, and give bad messages.

    Give the codecs of `schema`, built with asan and ubsan, what no encoder wrote.
    """
    session.install(".[codec,schema]")
    for tool in ("sanitize", "sanitize_schema"):
        session.run("python", f"tools/{tool}.py", env={"PYTHONPATH": "tests"})
