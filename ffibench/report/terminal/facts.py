"""Facts on a terminal: dim labels, texts beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.text import Text

from ffibench.report.facts import Fact
from ffibench.report.terminal.layout import Fitted, definitions

WARNING = "magenta"
BAD = "red"
FASTEST = "bold green"


def drawn_facts(facts: Sequence[Fact]) -> Fitted:
    """Show facts one below the other, under each what to do about it."""
    return Fitted(lambda _options: definitions((_label(fact), _text(fact)) for fact in facts))


def _label(fact: Fact) -> Text:
    return Text(fact.label, style=BAD if fact.bad else WARNING if fact.label == "warning" else "dim")


def _text(fact: Fact) -> Text:
    text = Text(f"{fact.text}\n{fact.fix}" if fact.fix else fact.text)
    for name in fact.names:
        text.highlight_regex(rf"(?<!\S){re.escape(name)}(?=[\s,:;]|$)", FASTEST)
    return text
