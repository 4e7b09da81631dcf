"""Whether a row is valid and ranked, and if not, why: by its processes, its audits, and its figures themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from ffibench.model import Audit, Contestant, PlannedCase, PlannedWorker, Row, Run, WorkerRecord
from ffibench.proof.clocks import often_outside
from ffibench.proof.speed import wrong_speed
from ffibench.results.impossible import impossible
from ffibench.stats import Measured

CANNOT = "It cannot run this case"
"""How the reason of a row begins whose contestant said, or of which was said, that it cannot run the case."""

Audits = Mapping[tuple[str, str], Sequence[Audit]]
"""By a worker's key and the name of a case."""


class Counted(NamedTuple):
    """The audits of a run: those from before the first round, and those from among the rounds."""

    before: Audits
    again: Audits

    def worst(self, key: str, case: PlannedCase) -> Audit | None:
        """Return the audit that decides on a row: the first that is invalid, or else the first."""
        found = [*self.before.get((key, case.name), ()), *self.again.get((key, case.name), ())]
        return next((each for each in found if each.verdict == "invalid"), found[0] if found else None)


def counted_rows(run: Run) -> Counted:
    """Return the audits of a run by their rows."""
    return Counted(_by_row(run.audits), _by_row(run.counted_again))


def wrong_row(run: Run, found: Measured, worker: PlannedWorker, case: PlannedCase, counted: Counted) -> str | None:
    """Say in a sentence why the figures of a contestant in a case are not valid; None where they are."""
    own = found.sample(worker.key, case)
    return (
        _cannot(worker.cannot.get(case.name))
        or _wrong_process(found.records_of(worker.key), case, counted.worst(worker.key, case))
        or _outside(run, found.records_of(worker.key))
        or (None if own is None else impossible(run, own))
        or _other_speed(run, found, worker, case, counted)
    )


def not_ranked(run: Run, contestant: Contestant, records: Sequence[WorkerRecord], audit: Audit | None) -> str | None:
    """Say why a row with valid figures is shown and not ranked; None where it is ranked."""
    if audit is not None and audit.verdict == "not auditable":
        return f"It is not auditable and not ranked: {audit.reason}."
    for record in records:
        if contestant.own_library and record.libraries == ():  # what it loaded has another name
            return "It did not load the library under test and is not ranked: it brings one of its own."
        for library in record.libraries or ():
            if library.sha256 != run.plan.library.sha256:
                return f"It ran on a library of its own and is not ranked: {library.path} (sha256 {library.sha256})."
    return None


def is_invalid(row: Row) -> bool:
    """Whether a row was measured or audited and something of it is wrong; not where it cannot run its case."""
    measured = bool(row.rounds) or row.audit == "invalid"
    return not row.valid and measured and not (row.reason or "").startswith(CANNOT)


def invalid_rows(rows: Iterable[Row]) -> list[Row]:
    """Return the rows that are invalid."""
    return [row for row in rows if is_invalid(row)]


def _by_row(audits: Iterable[Audit]) -> Audits:
    found: dict[tuple[str, str], list[Audit]] = {}
    for each in audits:
        found.setdefault((each.key, each.case), []).append(each)
    return found


def _cannot(reason: str | None) -> str | None:
    return None if reason is None else f"{CANNOT}: {reason}."


def _wrong_process(records: Sequence[WorkerRecord], case: PlannedCase, audit: Audit | None) -> str | None:
    """Say what is wrong by its audit, else by the first of its processes that failed."""
    if audit is not None and audit.verdict == "invalid":
        return f"It {audit.reason}."
    for record in records:
        if record.failure is not None:
            return f"It {record.failure}."
        if case.name in record.unsupported:
            return _cannot(record.unsupported[case.name])
    return None


def _outside(run: Run, records: Sequence[WorkerRecord]) -> str | None:
    said = often_outside(records, run.plan)
    return None if said is None else f"It {said}."


def _other_speed(run: Run, found: Measured, worker: PlannedWorker, case: PlannedCase, counted: Counted) -> str | None:
    """Say how the speed of a process that was counted among the rounds differs from that of the others.

    The processor time of threads and roles that wait for each other depends on who waits: it is not judged.
    """
    again = counted.again.get((worker.key, case.name), ())
    if not run.plan.alone or not again:
        return None
    timed = [median(each.cpu_ns for each in slices) for slices in found.slices_of(worker.key, case, "timed") if slices]
    wrong = (wrong_speed(case, audit, timed, run.plan.slices) for audit in again)
    return next((f"It {text}." for text in wrong if text is not None), None)
