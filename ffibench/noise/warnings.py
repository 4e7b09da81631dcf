"""The warnings of a run's host: disturbed rounds first, then what was wrong all the time; and whether it was quiet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ffibench.model import Disturbance, Host, HostSample, Run, RunWarning
from ffibench.noise.configuration import OF_HOSTS, debug_builds, plain_builds
from ffibench.noise.descriptions import named
from ffibench.noise.disturbances import CAUSES, CROWDS, round_disturbances, sample_disturbances
from ffibench.noise.workers import worker_warnings

# A figure is a median over rounds, which a minority of them does not move. A machine that was suspended comes
# back with other frequencies and other work to do, so that one time is worth a word.
SHARE_MAX = 0.5
ONCE_IS_ENOUGH = frozenset({"suspended"})

# Of slices that waited, `ffibench.results.warnings` warns by their share among all, under this code.
WAITS = "disturbed"
NOISE = frozenset({*CAUSES, WAITS})


def host_warnings(run: Run) -> Iterator[RunWarning]:
    """Yield what a reader of the run must know of its host, the gravest first."""
    if not run.rounds:
        return
    yield from _of_rounds(run)
    workers = list(worker_warnings(run))
    yield from workers
    known = {warning.code for warning in workers}  # a tracer of the workers needs no second word as the tool's
    yield from (each for each in configuration_warnings(run.host, run.after or run.host) if each.code not in known)
    yield from filter(None, (debug_builds(run.plan.interpreters), plain_builds(run.plan.interpreters)))


def _of_rounds(run: Run) -> Iterator[RunWarning]:
    """What disturbed so many rounds that it may have moved their median."""
    counts = disturbance_counts(run)
    borne = SHARE_MAX * len(run.rounds)
    often = [cause for cause in CAUSES if counts[cause] > (0 if cause in ONCE_IS_ENOUGH else borne)]
    for cause in often:
        # Who shares a processor is switched: once is said why, the consequence needs no warning of its own.
        if cause != "waits" and not (cause == "switches" and CROWDS.intersection(often)):
            text = f"{CAUSES[cause].text} in {counts[cause]} of {len(run.rounds)} rounds."
            yield RunWarning(code=cause, text=text, fix=CAUSES[cause].fix)


def disturbance_counts(run: Run) -> Counter[Disturbance]:
    """Return in how many rounds each cause was found: from the facts, so that a file from before is judged too."""
    return Counter(cause for each in disturbances(run) for cause in each)


def disturbances(run: Run) -> list[tuple[Disturbance, ...]]:
    """Return why each round was disturbed, in the order of the rounds."""
    return [round_disturbances(each.host, each.records, run.plan, run.host) for each in run.rounds]


def configuration_warnings(*hosts: Host) -> Iterator[RunWarning]:
    """Yield how a host is badly set; of one that was looked at twice, what was so at either time."""
    for judge in OF_HOSTS:
        warning = next(filter(None, map(judge, hosts)), None)
        if warning is not None:
            yield warning


def sample_warnings(sample: HostSample, host: Host, when: str) -> Iterator[RunWarning]:
    """Yield the noise of a single sample; `when` ends the sentences: `before the first round`."""
    for cause in sample_disturbances(sample, host):
        text = f"{CAUSES[cause].text} {when}"
        if cause in CROWDS and sample.busiest:
            text += f", most of all {named(sample.busiest)}"
        yield RunWarning(code=cause, text=f"{text}.", fix=CAUSES[cause].fix)


def gravest_noise(warnings: Sequence[RunWarning]) -> RunWarning | None:
    """Return the gravest warning that says that the host was not quiet: something else ran, or took from us.

    How it is set, as by a governor, is not noise: it is the same for every row, and stays a warning.
    """
    return next((each for each in warnings if each.code in NOISE), None)
