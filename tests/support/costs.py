"""Runs whose bindings have known costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from ffibench.model import BindingParts, Run, WorkerCosts

COMPILED = BindingParts(
    contestant="python/a",
    interpreter="CPython 3.11.7",
    sources={"work_a.c": 120},
    modules={"work_a.so": 30_720},
    stripped_bytes=20_480,
    built=True,
    compile_seconds=1.25,
)


def with_costs(run: Run, costs: Mapping[str, Sequence[WorkerCosts | None]], *parts: BindingParts) -> Run:
    """The run in whose rounds the contestants reported these costs, each in the order of the rounds."""
    rounds = []
    for number, each in enumerate(run.rounds):
        reported = {f"{name} ": given[number] for name, given in costs.items()}
        records = tuple(
            replace(record, costs=next((cost for name, cost in reported.items() if record.key.startswith(name)), None))
            for record in each.records
        )
        rounds.append(replace(each, records=records))
    return replace(run, rounds=tuple(rounds), bindings=parts)


def reported(*import_ms: float, first_call_ms: float = 0, rss_kib: int = 512, pss_kib: int = 256) -> list[WorkerCosts]:
    """What a contestant's processes report, one a round: an import, and a first call so much later."""
    return [
        WorkerCosts(
            import_ns=round(each * 1e6),
            first_call_ns=round((each + first_call_ms) * 1e6) if first_call_ms else 0,
            rss_bytes=rss_kib * 1024,
            pss_bytes=pss_kib * 1024,
        )
        for each in import_ms
    ]
