"""Interpreters and compilers as programs: found on PATH or in a wheel beside this tool, and asked for their version."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path

from ffibench.errors import FfibenchError
from ffibench.model.runtime import Missing, Runtime

Release = tuple[int, ...]

SECONDS_MAX = 60
VERSION = re.compile(r"(?P<version>\d+(?:\.\d+)+[\w.+-]*)")
"""What a version looks like, where a language says nothing else of it."""


def program_runtimes(
    language: str,
    names: Sequence[str],
    requested: Sequence[str],
    *,
    install: str,
    wheel: tuple[str, str] | None = None,
    asked: Sequence[str] = ("--version",),
    version: re.Pattern[str] = VERSION,
    label: str = "",
    environment: Mapping[str, str] | None = None,
    oldest: Release = (),
    newest: Release = (),
    newer: str = "",
) -> Sequence[Runtime | Missing]:
    """Return the first of the programs `names` that is there, or each of those that the user requested.

    `install` is the command that installs it. `wheel` names a distribution of PyPI and the end of the program's path in
    it, where it is looked for if PATH has none. `asked` are the arguments that make it say its version, the group
    `version` of what the pattern `version` finds. Its group `program`, where it has one, is the path of the program
    itself: what lies on PATH may be a wrapper, as that of pyenv or rbenv, and native calls of what a wrapper starts are
    not counted. `label` stands before the version, else the program's own name. `environment` is what the program finds
    set besides when it is asked. `oldest` and `newest` are the first and the last release that will do, (4, 13), and
    `newer` is the command that installs one, where that of `install` may be too old.
    Raises FfibenchError for a requested program that does not run, or is of another release.
    """
    found = list(requested) or [path for path in [_found(names, wheel)] if path]
    if not found:
        return [Missing(reason=f"there is no {' or '.join(names)} on PATH", fix=install)]
    variables = tuple(sorted((environment or {}).items()))
    known = [_runtime(language, path, tuple(asked), version, label or names[0], install, variables) for path in found]
    runtimes = [_unfit(each, oldest, newest, newer or install) or each for each in known]
    wrong = next((each for each in runtimes if isinstance(each, Missing)), None)
    if requested and wrong is not None:
        raise FfibenchError(f"--with {language}: {wrong.reason}", fix="name another program, or leave the option out")
    return runtimes


def release_of(version: str, parts: int = 2) -> Release:
    """Return the first numbers of a version: (1, 26) of `1.26.8` and of `1.26rc1`."""
    return tuple(map(int, re.findall(r"\d+", version)[:parts]))


def run_program(
    command: Sequence[str], *, environment: Mapping[str, str] | None = None, seconds_max: float = SECONDS_MAX
) -> subprocess.CompletedProcess[str]:
    """Run a program for what it says; one that cannot be started or does not end has a status of its own, -1."""
    try:
        return subprocess.run(
            command,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=seconds_max,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(command, returncode=-1, stdout="", stderr=str(error))


def first_line(text: str) -> str:
    """Return the first line that says something."""
    return text.strip().partition("\n")[0]


def wheel_path(distribution: str, path: str) -> Path | None:
    """Return the installed file of a distribution of PyPI whose path ends so, `bin/node`; None where it is not here."""
    try:
        files = metadata.distribution(distribution).files or []
    except metadata.PackageNotFoundError:
        return None
    found = (Path(str(each.locate())).resolve() for each in files if f"/{each}".endswith(f"/{path}"))
    return next((each for each in found if each.is_file()), None)


def _unfit(found: Runtime | Missing, oldest: Release, newest: Release, fix: str) -> Missing | None:
    """Return what is wrong with the release of a program, or None."""
    if isinstance(found, Missing):
        return None
    for limit, too, end in ((oldest, "old", "oldest"), (newest, "new", "newest")):
        release = release_of(found.version, len(limit))
        if release != limit and (release < limit) == (too == "old"):
            shown = ".".join(map(str, limit))
            return Missing(reason=f"{found.label} is too {too}, {shown} is the {end} that will do", fix=fix)
    return None


def _found(names: Sequence[str], wheel: tuple[str, str] | None) -> str | None:
    on_path = next((path for name in names if (path := shutil.which(name)) is not None), None)
    if on_path is not None or wheel is None:
        return on_path
    inside = wheel_path(*wheel)
    return None if inside is None else str(inside)


@cache
def _runtime(
    language: str,
    path: str,
    asked: tuple[str, ...],
    version: re.Pattern[str],
    label: str,
    install: str,
    environment: tuple[tuple[str, str], ...],
) -> Runtime | Missing:
    answer = run_program([path, *asked], environment=dict(environment))
    text = answer.stdout + answer.stderr
    said = version.search(text)
    if answer.returncode != 0 or said is None:
        why = first_line(text) or f"status {answer.returncode}"
        return Missing(reason=f"{path} does not run as {label}: {why}", fix=install)
    program = said.groupdict().get("program", path)
    return Runtime(
        language=language,
        label=f"{label} {said['version']}",
        version=said["version"],
        executable=program,
        # A program that was exchanged in place has another version, or another time.
        identity=f"{os.path.realpath(program)} {Path(program).stat().st_mtime_ns} {text}",
        context={"executable": program},
    )
