"""Private environments: an interpreter of `--python` gets the packages that its workers need, and nothing else.

The versions are those of the tool's own environment, so that rows of several interpreters differ by the
interpreter alone. Where pip cannot install them, the environment stands without: the rows say so.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from importlib import metadata
from pathlib import Path

import msgspec

from ffibench.errors import FfibenchError
from ffibench.paths import PACKAGE, cache_folder, require_plain

INSTALL_SECONDS_MAX = 300


def run_describe(path: str) -> dict[str, str]:
    """Ask the interpreter at `path` what it is. Raises FfibenchError where it does not run or is too old."""
    executable = shutil.which(path)
    if executable is None:
        raise FfibenchError(f"no interpreter at {path}", fix=f"name one that runs, such as {sys.executable}")
    require_plain(Path(executable), f"name a link to it, or another such as {sys.executable}")
    try:
        answer = subprocess.run(
            [executable, "-I", str(PACKAGE / "worker" / "describe.py")],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        facts = msgspec.json.decode(answer.stdout, type=dict[str, str])
        version = facts["version"]
    except (OSError, KeyError, msgspec.DecodeError, subprocess.TimeoutExpired):
        raise FfibenchError(
            f"{path} is not a Python interpreter of 3.10 or newer", fix=f"name one that runs, such as {sys.executable}"
        ) from None
    if tuple(map(int, version.split(".")[:2])) < (3, 10):
        raise FfibenchError(f"{path} is Python {version}", fix=f"workers need 3.10 or newer, such as {sys.executable}")
    return facts


def private_environment(facts: dict[str, str], packages: Sequence[str]) -> str:
    """Return the interpreter of the environment for the one that `facts` describes; made at first use.

    Of `packages` it gets those that the tool's own environment has. Raises FfibenchError where `venv`
    fails; a failing pip is no error here.
    """
    wanted = [f"{name}=={version}" for name in sorted(packages) if (version := _version(name))]
    key = sha256("\n".join([facts["executable"], facts["build"], *wanted]).encode()).hexdigest()[:16]
    folder = cache_folder("environments") / f"{facts['implementation'].lower()}-{facts['version']}-{key}"
    python = folder / "bin" / "python"
    if not (folder / "complete").exists():
        _make(facts["executable"], folder)
        if _install(python, wanted):
            (folder / "complete").touch()
    return str(python)


def _version(name: str) -> str:
    """Return that in the tool's own environment; empty where it has none."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _make(interpreter: str, folder: Path) -> None:
    answer = subprocess.run(
        [interpreter, "-I", "-m", "venv", "--clear", str(folder)], capture_output=True, text=True, check=False
    )
    if answer.returncode != 0:
        raise FfibenchError(f"{interpreter} cannot make a virtual environment", fix="apt-get install python3-venv")


def _install(python: Path, wanted: list[str]) -> bool:
    """Install one by one: a package without a wheel for this interpreter must not take the other with it."""
    # An offline machine must not wait for pip's own patience: five retries of fifteen seconds each.
    command = [str(python), "-I", "-m", "pip", "install", "--quiet", "--only-binary=:all:", "--retries=1"]
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    statuses = []
    for package in wanted:
        try:
            answer = subprocess.run(
                [*command, package],
                env=environment,
                capture_output=True,
                timeout=INSTALL_SECONDS_MAX,
                check=False,
            )
            statuses.append(0 if _is_of_others(answer.stderr) else answer.returncode)
        except subprocess.TimeoutExpired:
            statuses.append(1)
    return not any(statuses)


def _is_of_others(said: bytes) -> bool:
    """Whether pip found other versions alone, which is so at each attempt: this one is not made for the interpreter."""
    return b"No matching distribution found" in said and b"(from versions: none)" not in said
