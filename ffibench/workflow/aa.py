"""What `ffibench selftest --aa N` does: N whole runs of one C program against itself, summed up as far as they came."""

from __future__ import annotations

from rich.console import Console

from ffibench.host.machine import describe_host
from ffibench.interrupts import INTERRUPTS
from ffibench.model import Plan
from ffibench.plan.make import RunOptions, make_plan
from ffibench.report.terminal.aa import aa_report
from ffibench.report.terminal.console import console
from ffibench.results.compare import compare
from ffibench.selftest.aa import FOLDER, SECONDS_MAX, Repeat, aa_plan, repeat_of
from ffibench.selftest.summing import summary
from ffibench.units import format_seconds
from ffibench.workflow.output import STANDARD_OUTPUT, write_json
from ffibench.workflow.prepare import prepare
from ffibench.workflow.selftest import drawn, execute_quietly, now


def aa(runs: int, seed: int | None, file: str | None) -> int:
    """Carry out so many runs; return the exit status: 0, 1 where a promise is not kept, 130 after an interrupt.

    `file` is what `--json` gave. Raises FfibenchError where it cannot begin.
    """
    errors = console(stderr=True)
    seed = drawn(seed)
    started = now()
    plan = _plan(errors, seed)
    each = f"{runs} run{'s' if runs > 1 else ''} of at most {SECONDS_MAX:g} s"
    errors.print(f"{each}: {format_seconds(runs * SECONDS_MAX)} at the most, less where nothing else runs.")
    repeats: list[Repeat] = []
    interrupted = False
    try:
        for number in range(runs):
            head = f"Run {number + 1} of {runs}"
            run = execute_quietly(errors, head, aa_plan(plan, seed + number))
            repeats.append(repeat_of(run, compare(run)))
    except KeyboardInterrupt:
        interrupted = True
    found = summary(
        repeats, asked=runs, seed=seed, started=started, tool=describe_host(None).tool, interrupted=interrupted
    )
    console(stderr=file == STANDARD_OUTPUT).print(aa_report(found))
    write_json(found, file)
    if interrupted:
        return INTERRUPTS.status
    return int(any(tally.verdict == "contradicted" for tally in found.tallies))


def _plan(errors: Console, seed: int) -> Plan:
    """Build the program and plan a default run of it and its control."""
    ready = prepare(errors, str(FOLDER), patterns=(), pythons=(), library=None, kinds={})
    return make_plan(ready.folder, ready.chosen, ready.unavailable, ready.library, RunOptions(seed=seed))
