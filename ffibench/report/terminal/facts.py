"""Facts on a terminal: dim labels, texts beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from rich.cells import cell_len
from rich.console import ConsoleOptions
from rich.text import Text

from ffibench.report.facts import Fact
from ffibench.report.terminal.layout import GAP, TABLE_WIDTH_MAX, WIDTH_MAX, Fitted, definitions

WARNING = "magenta"
BAD = "red"
FASTEST = "bold green"


def drawn_facts(facts: Sequence[Fact]) -> Fitted:
    """Show facts one below the other, under each what to do about it.

    Texts wrap at 100 columns; what is to be copied as it is has the whole width.
    """
    labels = [_label(fact) for fact in facts]
    room = WIDTH_MAX - GAP - max((cell_len(label.plain) for label in labels), default=0)
    texts = [Fitted(partial(_built, fact), TABLE_WIDTH_MAX if fact.literal else room) for fact in facts]
    return Fitted(lambda _options: definitions(zip(labels, texts, strict=True)), TABLE_WIDTH_MAX)


def _built(fact: Fact, _options: ConsoleOptions) -> Text:
    return _text(fact)


def _label(fact: Fact) -> Text:
    return Text(fact.label, style=BAD if fact.bad else WARNING if fact.label == "warning" else "dim")


def _text(fact: Fact) -> Text:
    text = Text(f"{fact.text}\n{fact.fix}" if fact.fix else fact.text, overflow="fold")
    for name in fact.names:
        text.highlight_regex(rf"(?<!\S){re.escape(name)}(?=[\s,:;]|$)", FASTEST)
    return text
