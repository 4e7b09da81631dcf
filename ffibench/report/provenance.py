"""Where the figures are from, in few facts: enough to run it again and to know what was measured."""

from __future__ import annotations

from collections.abc import Iterator

from ffibench.model import Comparison, Contestant, Run
from ffibench.report.facts import Fact, facts
from ffibench.report.table import one_line

KEPT = ("library", "sha256")
"""Facts that stand here as they are among all facts."""


def provenance_facts(run: Run, comparison: Comparison) -> list[Fact]:
    """Give the short form of `facts`, each as one printable line."""
    known = {fact.label: fact for fact in facts(run, comparison)}
    iterations = known["iterations"].text.partition(";")[0].replace(" a slice", " iterations a slice")
    parameters = f"{known['parameters'].text}; " if "parameters" in known else ""
    return [
        Fact("rounds", f"{known['rounds'].text}; {iterations}"),
        Fact("parameters", f"{parameters}order drawn from seed {run.plan.seed}"),
        *(known[label] for label in ("placement",) if label in known),
        Fact("machine", one_line(", ".join(_machine(run)))),
        Fact("versions", one_line("; ".join(_versions(run, known)))),
        *(known[label] for label in KEPT),
    ]


def _machine(run: Run) -> Iterator[str]:
    host = run.host
    yield host.processor
    yield f"{host.processors} CPU{'s'[: host.processors != 1]}"
    if run.plan.pinned and host.pinned_to is not None:
        yield f"pinned to CPU {host.pinned_to}"
    elif not run.plan.placement:
        yield "not pinned"
    if host.virtualisation:
        yield host.virtualisation
    yield f"{host.system} {host.machine}"


def _contestants(run: Run) -> Iterator[Contestant]:
    return (worker.contestant for worker in run.plan.workers)


def _versions(run: Run, known: dict[str, Fact]) -> Iterator[str]:
    yield run.host.tool.partition(" on ")[0]
    for label in ("interpreter", "interpreters", "compiler", "compilers"):
        if label in known:
            yield known[label].text
    yield from sorted({f"{name} {version}" for each in _contestants(run) for name, version in each.packages.items()})
    if "version" in known:
        yield f"library {known['version'].text.partition(',')[0]}"
