"""The facts of a run under its tables, on a terminal: dim labels, texts beside them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from ffibench.model import Comparison, Run
from ffibench.report.facts import Fact, facts, gate_facts
from ffibench.report.terminal.layout import Fitted, definitions
from ffibench.results.gate import Judgement

STYLES = {"warning": "yellow"}


def footer(run: Run, comparison: Comparison, judgements: Sequence[Judgement] = ()) -> Fitted:
    """Show what is said of the gates, how the run was done, on what, and its warnings, with what to do about each."""
    entries = [*gate_facts(judgements), *facts(run, comparison)]
    return Fitted(lambda _options: definitions((_label(fact), _text(fact)) for fact in entries))


def _label(fact: Fact) -> Text:
    return Text(fact.label, style=STYLES.get(fact.label, "dim"))


def _text(fact: Fact) -> Text:
    return Text(f"{fact.text}\n{fact.fix}" if fact.fix else fact.text)
