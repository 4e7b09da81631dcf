"""What `ffibench selftest` does: run each scenario with a progress line, judge it, show what was found."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path

from msgspec.structs import replace
from rich.console import Console

from ffibench.errors import FfibenchError
from ffibench.harness.run import execute
from ffibench.host.machine import describe_host
from ffibench.interrupts import INTERRUPTS
from ffibench.model import Plan, Run
from ffibench.report.terminal.console import console
from ffibench.report.terminal.selftest import selftest_report
from ffibench.results.compare import compare
from ffibench.selftest.answers import Answers, Examined, examined
from ffibench.selftest.scenarios import SCENARIOS, Scenario
from ffibench.workflow.output import STANDARD_OUTPUT, write_json
from ffibench.workflow.run import progress_line

SEED_BITS = 32


def selftest(seed: int | None, file: str | None) -> int:
    """Carry the selftest out; return the exit status: 0, 1 where an answer is contradicted, 130 after an interrupt.

    `file` is what `--json` gave. Raises FfibenchError where it cannot begin.
    """
    errors = console(stderr=True)
    seed = drawn(seed)
    started = now()
    runs: list[Examined] = []
    interrupted = False
    try:
        for number, scenario in enumerate(SCENARIOS, start=1):
            head = f"Run {number} of {len(SCENARIOS)}, {scenario.title}"
            found = _carried_out(errors, head, scenario, seed)
            if found.contradicted():
                # A mistake of ours contradicts the answer again in other processes; what a host did once does not.
                found = replace(_carried_out(errors, f"{head}, again", scenario, seed), attempts=2)
            runs.append(found)
    except KeyboardInterrupt:
        interrupted = True
    answers = Answers(
        seed=seed, started=started, tool=describe_host(None).tool, interrupted=interrupted, runs=tuple(runs)
    )
    console(stderr=file == STANDARD_OUTPUT).print(selftest_report(answers))
    write_json(answers, file)
    return INTERRUPTS.status if interrupted else int(answers.count("contradicted") > 0)


def _carried_out(errors: Console, head: str, scenario: Scenario, seed: int) -> Examined:
    with _private_folder() as folder:
        run = execute_quietly(errors, head, scenario.plan(folder, seed))
    return examined(run, scenario.judge(run, compare(run)))


def drawn(seed: int | None) -> int:
    """Return the seed that was given, or one that is drawn."""
    return secrets.randbits(SEED_BITS) if seed is None else seed


def now() -> str:
    """Return the time, ISO 8601, UTC."""
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")


def execute_quietly(errors: Console, head: str, plan: Plan) -> Run:
    """Carry a plan out with a progress line; a selftest's runs are not kept among the user's.

    An interrupt is raised: of a run that was not finished nothing is judged.
    """
    with errors.status(head, refresh_per_second=4) as status:
        run = execute(
            plan,
            keep=lambda _run: None,
            observe=lambda progress: status.update(f"{head}. {progress_line(progress)}"),
        )
    if run.ending == "interrupted":
        raise KeyboardInterrupt
    return run


@contextmanager
def _private_folder() -> Iterator[Path]:
    try:
        private = tempfile.TemporaryDirectory(prefix="ffibench-", ignore_cleanup_errors=True)
    except OSError as error:
        raise FfibenchError(
            f"cannot make a temporary folder: {error.strerror}",
            fix="TMPDIR=FOLDER before the command gives another place",
        ) from None
    with private as folder:
        yield Path(folder)
