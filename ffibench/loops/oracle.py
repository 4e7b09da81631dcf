"""The oracle's program: built, asked in fresh processes, and how long C takes, which is kept."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from ffibench.builds.project import Project, build
from ffibench.builds.toolchain import compiler
from ffibench.calls.answers import Answers, read_answers
from ffibench.calls.operations import Operation
from ffibench.errors import FfibenchError
from ffibench.headers.types import StructType
from ffibench.languages import languages
from ffibench.loops.render import oracle_project, oracle_source
from ffibench.model import BASELINE, LibraryIdentity
from ffibench.model.runtime import Missing
from ffibench.shims.shim import shim_project
from ffibench.shims.technology import technologies

ASKED = 2
"""Processes of the oracle, each of which asks three times: some functions answer differently in each process."""
SECONDS_MAX = 60


def answers_of_c(
    title: str,
    header: Path,
    library: LibraryIdentity,
    operations: Sequence[Operation],
    structs: Mapping[str, StructType],
) -> dict[str, Answers]:
    """Return what C answers to operations, by their keys. Raises FfibenchError where it does not come to its end."""
    program = _program(title, header, library, operations, structs)
    texts = {each.key: each.text for each in operations}
    answers = read_answers([_ask(program, texts) for _ in range(ASKED)], texts)
    return {
        each.key: replace(answers[each.key], ns=_kept_ns(each, library, answers[each.key].ns)) for each in operations
    }


def _program(
    title: str,
    header: Path,
    library: LibraryIdentity,
    operations: Sequence[Operation],
    structs: Mapping[str, StructType],
) -> Path:
    runtime = languages()[BASELINE].runtimes((), ())[0]
    if isinstance(runtime, Missing):
        raise FfibenchError(runtime.reason, fix=runtime.fix)
    technology = next(each for each in technologies() if each.language == BASELINE)
    source = build(oracle_project(oracle_source(title, [header.name], operations, structs)))
    project = shim_project(
        technology=technology,
        binding=next(iter(technology.bindings.values())),
        contestant="answers",
        source=source,
        runtime=runtime,
        header=header,
        functions=(),
        kinds={},
        library=library,
    )
    return build(project)


def _kept_ns(operation: Operation, library: LibraryIdentity, ns: float) -> float:
    """Return how long C took for an operation when it was first asked; the first time that is `ns`.

    The iterations of a slice follow from it. Two measurements of a few milliseconds differ by a factor of two on a
    machine that does something else, and then two runs would not have the same iterations.
    """
    plain = replace(operation, key="", text="")
    kept = Project(
        name="loops/time",
        inputs=("time", library.sha256, compiler("c").version, repr(plain)),
        artifact="ns",
        compiled=False,
        render=lambda: {"ns": f"{ns!r}\n"},
    )
    return float(build(kept).read_text(encoding="utf-8"))


def _ask(program: Path, texts: Mapping[str, str]) -> str:
    """Run the oracle once; it names each operation on standard error before it begins with it."""
    try:
        answer = subprocess.run(
            [str(program)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            timeout=SECONDS_MAX,
        )
    except subprocess.TimeoutExpired as error:
        said = error.stderr.decode(errors="replace") if isinstance(error.stderr, bytes) else error.stderr or ""
        raise FfibenchError(
            f"{_latest(said, texts)} does not end in C within {SECONDS_MAX:g} seconds", fix="measure something smaller"
        ) from None
    if answer.returncode == 0:
        return answer.stdout
    how = f"ends with status {answer.returncode}"
    if answer.returncode < 0:
        how = f"ends C itself by {_signal(-answer.returncode)}"
    lines = [line for line in answer.stderr.splitlines() if line not in texts]
    raise FfibenchError(
        f"{_latest(answer.stderr, texts)} {how}{f': {lines[-1]}' if lines else ''}",
        fix="look at its arguments and set-up",
    )


def _signal(number: int) -> str:
    known = {each.value: each.name for each in signal.Signals}
    return known.get(number, f"signal {number}")


def _latest(said: str, texts: Mapping[str, str]) -> str:
    keys = [line for line in said.splitlines() if line in texts]
    return f"'{texts[keys[-1]]}'" if keys else "the oracle"
