"""The facts of a run on a terminal: dim labels, texts beside them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from ffibench.report.facts import Fact
from ffibench.report.terminal.layout import Fitted, definitions

STYLES = {"warning": "yellow"}


def drawn_facts(facts: Sequence[Fact]) -> Fitted:
    """Show facts one below the other, under each what to do about it."""
    return Fitted(lambda _options: definitions((_label(fact), _text(fact)) for fact in facts))


def _label(fact: Fact) -> Text:
    return Text(fact.label, style=STYLES.get(fact.label, "dim"))


def _text(fact: Fact) -> Text:
    return Text(f"{fact.text}\n{fact.fix}" if fact.fix else fact.text)
