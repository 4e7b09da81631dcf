"""Calls of a small library with every form of argument and answer, as the tool reads and binds them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ffibench.calls.bind import bind
from ffibench.calls.expressions import read_calls, read_setup
from ffibench.calls.kinds import implied_kinds
from ffibench.calls.operations import Operation
from ffibench.headers.reader import Header
from ffibench.loops.render import reserved_words
from ffibench.shims.shim import declarations
from ffibench.workflow.prepare import Prepared

SHAPES = Path(__file__).parents[1] / "loops" / "data" / "shapes"
HEADER = SHAPES / "shapes.h"
Prepare = Callable[[str], Prepared]
"""Build what a contestant of the experiment `shapes` needs."""


def bound(
    text: str,
    *,
    setup: Sequence[str] = (),
    teardown: Sequence[str] = (),
    header: Path = HEADER,
    kinds: Mapping[str, str] | None = None,
    checked: bool = True,
    key: str = "key",
) -> tuple[Operation, Header]:
    """Return the operation of an expression with the header that it is bound to."""
    steps = read_calls(text)
    before = [step for each in setup for step in read_setup(each)]
    after = [step for each in teardown for step in read_setup(each, "--teardown")]
    own = dict(kinds or {})
    chosen = {**implied_kinds([(text, (*before, *steps, *after))], declarations(header, own)), **own}
    read = declarations(header, chosen)
    operation = bind(key, text, read, steps, setup=before, teardown=after, checked=checked, reserved=reserved_words())
    return operation, read
