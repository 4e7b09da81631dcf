"""Whether a run file that has the right types also makes sense: what no run that was measured can be.

The bounds of single numbers stand with their types in `ffibench.model`. Here is what follows from the plan: which
rounds, records, slices and audits there are. What they say of the work is judged by `ffibench.results.verify`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ffibench.model import Run
from ffibench.results.audit_checks import audit_contradictions
from ffibench.results.cost_checks import cost_contradictions
from ffibench.results.file_checks import file_contradictions
from ffibench.results.plan_checks import plan_contradictions
from ffibench.results.round_checks import round_contradictions


def contradictions(run: Run) -> Iterator[str]:
    """Yield what cannot be in a run, each with its place, in the words of msgspec's own errors."""
    yield from plan_contradictions(run.plan)
    yield from audit_contradictions(run)
    yield from round_contradictions(run)
    yield from file_contradictions(run)
    yield from cost_contradictions(run)
