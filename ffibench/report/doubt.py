"""How far a run can be believed: how quiet the host was, how far control lies from c, and the other warnings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ffibench.model import Comparison, Run, RunWarning
from ffibench.noise.descriptions import noise_words
from ffibench.noise.disturbances import MORE_ROUNDS
from ffibench.noise.warnings import NOISE, disturbances
from ffibench.report.facts import Fact
from ffibench.report.resolution import resolution_text
from ffibench.report.table import one_line
from ffibench.results.control import control_gaps
from ffibench.units import EN_DASH, format_share


def host_fact(run: Run, comparison: Comparison) -> Iterator[Fact]:
    """Say how quiet the host was while the rounds ran."""
    noise = [warning for warning in comparison.warnings if warning.code in NOISE]
    if noise:
        said = "; ".join(one_line(_small(warning.text)) for warning in noise)
        yield Fact("host", f"noisy: {said}", fix=noise[0].fix, bad=True)
        return
    rounds = sum(map(bool, disturbances(run)))
    but = f" but for {rounds} of {len(run.rounds)} rounds" if rounds else ""
    words = ", ".join(noise_words([each.host for each in run.rounds]))
    asked = ", as --require-quiet asks" if run.before is not None else ""
    yield Fact("host", f"quiet{asked}{but}{f': {words}' if words else ''}")


def control_facts(run: Run, comparison: Comparison) -> Iterator[Fact]:
    """Say how large the real error of the run is at the least, where control differs significantly from c."""
    gaps = control_gaps(run, comparison.rows)
    if not gaps:
        return
    worst = gaps[0]
    where = f" in {one_line(worst.row.case)}" if len(run.plan.cases) > 1 else ""
    more = f"; it differs in {len(gaps) - 1} more case{'s'[: len(gaps) != 2]}" if len(gaps) > 1 else ""
    bounds = ""
    if (interval := worst.ratio.interval) is not None:
        bounds = f" ({interval.low:.3f}{EN_DASH}{interval.high:.3f})"
    measured = f"measured {worst.ratio.ratio:.3f}x c{bounds}{where}{more}"
    text = f"at least {format_share(worst.error)}: control, the same program as c, {measured}"
    yield Fact("real error", text, bad=True)


def resolution_fact(comparison: Comparison) -> Iterator[Fact]:
    """Say how small a difference the run could see, over all cases of which that is known, and of how many rows."""
    text = resolution_text(comparison)
    if text:
        yield Fact("resolution", text)


def warning_facts(comparison: Comparison, before: Iterable[Fact] = ()) -> list[Fact]:
    """Give the warnings that `before`, the summary, does not tell; the same kind of advice only once in a report."""
    given = {_kind(fact.fix) for fact in before if fact.fix}
    facts = []
    for text, fix in dict.fromkeys(_parts(warning) for warning in comparison.warnings if warning.code not in NOISE):
        facts.append(Fact("warning", text, fix="" if _kind(fix) in given else fix))
        given.add(_kind(fix))
    return facts


def _parts(warning: RunWarning) -> tuple[str, str]:
    return one_line(warning.text), one_line(warning.fix)


def _kind(fix: str) -> str:
    """More rounds, or a quieter machine, are one kind of advice."""
    return MORE_ROUNDS if fix.endswith(MORE_ROUNDS) else fix


def _small(text: str) -> str:
    return f"{text[0].lower()}{text[1:].rstrip('.')}"
