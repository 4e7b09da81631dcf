"""The facts of a run: how it was done, on what, what its gates say, and its warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ffibench.model import BASELINE, Comparison, Plan, Row, Run
from ffibench.noise.descriptions import host_words, noise_words
from ffibench.noise.disturbances import CAUSES
from ffibench.noise.warnings import disturbance_counts, disturbances
from ffibench.report.names import language_of
from ffibench.report.resolution import LISTED_MAX, resolution_texts
from ffibench.report.table import one_line
from ffibench.results.gate import Judgement
from ffibench.units import format_count, format_seconds


@dataclass(frozen=True)
class Fact:
    """A label and what it says; `literal` where the text is to be copied as it is."""

    label: str
    text: str
    literal: bool = False
    fix: str = ""
    """What to do about it, for a warning."""
    names: tuple[str, ...] = ()
    """Contestants in the text that are the fastest, which a terminal shows as in the table."""
    bad: bool = False
    """It is to be seen: figures that may not be trusted."""


def printable(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return facts as lines that a terminal only prints: names in a run file may hold what it would act on."""
    return tuple(
        replace(each, label=one_line(each.label), text=one_line(each.text), fix=one_line(each.fix)) for each in facts
    )


def facts(run: Run, comparison: Comparison) -> list[Fact]:
    """Give the facts of a run in the order in which they are shown, each as one printable line."""
    return list(printable(_facts(run, comparison)))


def gate_facts(judgements: Iterable[Judgement]) -> list[Fact]:
    """Give what is said of the gates, each as one printable line."""
    return [Fact("gate", one_line(each.text)) for each in judgements]


def _facts(run: Run, comparison: Comparison) -> list[Fact]:
    plan = run.plan
    return [
        Fact("rounds", _rounds(run)),
        Fact("iterations", _iterations(plan)),
        Fact("order", _order(plan)),
        *_parameters(plan),
        *placement_facts(plan),
        Fact("receipts", _receipts(comparison.rows)),
        Fact("audit", _audit(run)),
        *_disturbed(run, comparison.rows),
        *(Fact("resolution", text) for text in resolution_texts(run, comparison)),
        *_languages(comparison.rows),
        *_host(run),
        Fact("tool", f"{run.host.tool}, started {run.started}"),
        *_library(run),
    ]


def _rounds(run: Run) -> str:
    plan, count = run.plan, len(run.rounds)
    seconds = sum(a_round.seconds for a_round in run.rounds)
    endings = {
        "precision": f"every interval within {100 * plan.precision:g} %",
        "rounds": "stopped at the maximum number of rounds",
        "time": _out_of_time(plan, seconds),
        "interrupted": "interrupted; every finished round is kept",
        "baseline failed": f"stopped: the baseline, {BASELINE}, failed",
        "files removed": "stopped: files of its workers were removed; every finished round is kept, run it again",
        None: "not ended",
    }
    took = format_seconds(seconds) if count else "no time"
    return f"{format_count(count)} in {took}; {endings[run.ending]}"


def _out_of_time(plan: Plan, seconds: float) -> str:
    allowed = plan.seconds_max or 0.0
    if seconds <= allowed:
        return f"stopped at the time limit, {format_seconds(allowed)}"
    return f"stopped past the time limit, {format_seconds(allowed)}, which is too short for {plan.rounds_min} rounds"


def _iterations(plan: Plan) -> str:
    counts = {case.iterations for case in plan.cases}
    if len(counts) == 1:
        text = f"{format_count(counts.pop())} a slice"
    elif len(plan.cases) > LISTED_MAX:
        text = f"{format_count(min(counts))} to {format_count(max(counts))} a slice"
    else:
        text = ", ".join(f"{case.name} {format_count(case.iterations)}" for case in plan.cases) + " a slice"
    slices = f"{plan.slices} timed slice{'s'[: plan.slices != 1]}"
    return f"{text}; {slices} in every process, after {plan.warmup} of warm-up"


def _order(plan: Plan) -> str:
    beside = f", {BASELINE} beside every {plan.baseline_every} contestants" if plan.repeated else ""
    return f"random in every round{beside}, seed {plan.seed}"


def _parameters(plan: Plan) -> list[Fact]:
    text = ", ".join(f"{name}={value}" for name, value in plan.parameters.items())
    return [Fact("parameters", text)] if text else []


def placement_facts(plan: Plan) -> list[Fact]:
    """Say on which processors threads run, where the experiment places them."""
    return [Fact("placement", plan.placement)] if plan.placement else []


def _receipts(rows: Iterable[Row]) -> str:
    operations = list(rows)
    count = sum(row.receipts for row in operations)
    if not count:
        return "none was checked" if all(row.valid for row in operations) else "none matches"
    wrong = sum(not row.valid for row in operations)
    if not wrong:
        return f"all {format_count(count)} receipts match"
    word = "cell" if any(row.point for row in operations) else "row"
    said = f"1 {word} has no figures" if wrong == 1 else f"{wrong} {word}s have no figures"
    return f"{format_count(count)} receipts match; {said}, see the notes"


def _audit(run: Run) -> str:
    """Say whose native calls were counted from outside, and with what result."""
    if not run.plan.audited:
        return "none (--no-audit): native calls were not counted"
    counts = Counter[str](audit.verdict for audit in run.audits)
    verdicts = (
        ("accepted", "match"),
        ("not judged", "counted and not judged"),
        ("not auditable", "not auditable"),
        ("invalid", "invalid"),
    )
    said = [f"{counts[verdict]} {text}" for verdict, text in verdicts if counts[verdict]]
    return f"native calls counted from outside: {', '.join(said) or 'none'}"


def _disturbed(run: Run, rows: Iterable[Row]) -> list[Fact]:
    """Say how many rounds were disturbed, by what, and how many slices waited."""
    count = sum(row.disturbed for row in rows)
    parts = [f"{format_count(count)} slice{'s'[: count != 1]} with over 2 % more wall than processor time"]
    rounds = sum(map(bool, disturbances(run)))
    if rounds:
        causes = ", ".join(f"{many} by {CAUSES[cause].noun}" for cause, many in disturbance_counts(run).most_common())
        parts.insert(0, f"{format_count(rounds)} of {format_count(len(run.rounds))} rounds ({causes})")
    said = parts if count else parts[:-1]
    return [Fact("disturbed", "; ".join(said))] if said else []


def _languages(rows: Iterable[Row]) -> list[Fact]:
    named = dict.fromkeys((language_of(row.contestant), one_line(row.interpreter)) for row in rows)
    compilers = [name for language, name in named if language == BASELINE and name]
    interpreters = [name for language, name in named if language != BASELINE and name]
    pairs = (("interpreter", interpreters), ("compiler", compilers))
    return [
        Fact(f"{label}s" if len(names) > 1 else label, "; ".join(dict.fromkeys(names)))
        for label, names in pairs
        if names
    ]


def _host(run: Run) -> list[Fact]:
    host, pinned = run.host, run.plan.pinned
    parts = [host.processor, f"{host.processors} processor{'s'[: host.processors != 1]}"]
    whose = "" if run.plan.alone else ", the first role's loop alone"
    if pinned and host.pinned_to is not None:
        parts.append(f"pinned to processor {host.pinned_to}{whose}")
    elif not run.plan.placement:
        parts.append("not pinned")
    facts = [Fact("host", ", ".join([*parts, *host_words(host)]))]
    if noise := noise_words([a_round.host for a_round in run.rounds]):
        facts.append(Fact("noise", ", ".join(noise)))
    if run.before is not None:
        facts.append(Fact("before", f"{', '.join(noise_words([run.before]))}; quiet, as --require-quiet asks"))
    return [*facts, Fact("system", f"{host.system} {host.machine}")]


def _library(run: Run) -> list[Fact]:
    library = run.plan.library
    facts = [Fact("library", library.path, literal=True)]
    if version := _library_version(run):
        facts.append(Fact("version", f"{version}, reported by the process of {BASELINE}"))
    return [*facts, Fact("sha256", library.sha256, literal=True)]


def _library_version(run: Run) -> str:
    keys = {worker.key for worker in run.plan.workers if worker.contestant.name == BASELINE}
    records = (record for a_round in run.rounds for record in a_round.records if record.key in keys)
    versions = (record.versions.get("library", "") for record in records)
    return next(filter(None, versions), "")
