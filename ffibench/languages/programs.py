"""Interpreters and compilers as programs: found on PATH or in a wheel beside this tool, and asked for their version."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import metadata
from operator import gt, lt
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
    preferred: Release = (),
    newer: str = "",
    described: Callable[[Runtime], Runtime | Missing] | None = None,
) -> Sequence[Runtime | Missing]:
    """Return the first of the programs `names` that will do, or each of those that the user requested.

    `install` is the command that installs it. `wheel` names a distribution of PyPI and the end of the program's path in
    it, where it is looked for if PATH has none that will do. `asked` are the arguments that make it say its version,
    the group `version` of what the pattern `version` finds. Its group `program`, where it has one, is the path of the
    program itself: what lies on PATH may be a wrapper, as that of pyenv or rbenv, and native calls of what a wrapper
    starts are not counted. `label` stands before the version, else the program's own name. `environment` is what the
    program finds set besides when it is asked. `oldest` and `newest` are the first and the last release that will do,
    (4, 13), and one on PATH that is older than `preferred` gives way to that of the wheel. `newer` is the command that
    installs a release that will do, where that of `install` may be too old. `described` adds what a language knows
    besides of a program that will do, or says what it lacks.
    Raises FfibenchError for a requested program that will not do.
    """
    variables = tuple(sorted((environment or {}).items()))

    def known(path: str) -> Runtime | Missing:
        found = _runtime(language, path, tuple(asked), version, label or names[0], install, variables)
        if isinstance(found, Runtime):
            found = unfit(found, newer or install, oldest, newest) or found
        return described(found) if described is not None and isinstance(found, Runtime) else found

    if requested:
        return as_requested(language, [known(_absolute(shutil.which(path) or path)) for path in requested])
    found: list[Runtime | Missing] = []
    for path in _found(names, wheel):
        found.append(known(path))
        if isinstance(found[-1], Runtime) and release_of(found[-1].version, len(preferred)) >= preferred:
            return found[-1:]
    if not found:
        return [Missing(reason=f"there is no {' or '.join(names)} on PATH", fix=install)]
    return [next((each for each in found if isinstance(each, Runtime)), found[0])]


def as_requested(language: str, found: Sequence[Runtime | Missing]) -> Sequence[Runtime]:
    """Return what the user requested of a language. Raises FfibenchError where one of it will not do."""
    wrong = next((each for each in found if isinstance(each, Missing)), None)
    if wrong is not None:
        raise FfibenchError(f"--with {language}: {wrong.reason}", fix="name another program, or leave the option out")
    return [each for each in found if isinstance(each, Runtime)]


def does_not_run(program: str, label: str, answer: subprocess.CompletedProcess[str], install: str) -> Missing:
    """Return what is wrong with a program that did not answer as the one of that label does."""
    said = first_line(answer.stderr) or first_line(answer.stdout) or f"status {answer.returncode}"
    return Missing(reason=f"{program} does not run as {label}: {said}", fix=install)


def release_of(version: str, parts: int = 2) -> Release:
    """Return the first numbers of a version: (1, 26) of `1.26.8` and of `1.26rc1`."""
    return tuple(map(int, re.findall(r"\d+", version)[:parts]))


def unfit(found: Runtime, fix: str, oldest: Release = (), newest: Release = ()) -> Missing | None:
    """Return what is wrong with the release of a program, or None; `fix` installs another."""
    for limit, beyond, too, end in ((oldest, lt, "old", "oldest"), (newest, gt, "new", "newest")):
        if beyond(release_of(found.version, len(limit)), limit):
            shown = ".".join(map(str, limit))
            return Missing(reason=f"{found.label} is too {too}, {shown} is the {end} that will do", fix=fix)
    return None


def run_program(
    command: Sequence[str], *, environment: Mapping[str, str] | None = None
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
            timeout=SECONDS_MAX,
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


def _found(names: Sequence[str], wheel: tuple[str, str] | None) -> Iterator[str]:
    """Yield the program on PATH and that of the wheel, as far as they are there."""
    on_path = next((path for name in names if (path := shutil.which(name)) is not None), None)
    if on_path is not None:
        yield _absolute(on_path)
    inside = None if wheel is None else wheel_path(*wheel)
    if inside is not None:
        yield str(inside)


def _absolute(path: str) -> str:
    """Builds and workers are started in other folders."""
    return str(Path(path).absolute())


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
        return does_not_run(path, label, answer, install)
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
