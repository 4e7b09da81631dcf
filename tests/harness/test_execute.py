"""The promise: a run carries its plan out to the letter, and whatever happens no finished round is lost."""

from __future__ import annotations

import os
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.contestants import Script, scripted_plan, starts
from support.executed import Recorder, executed, figures, ran
from support.runs import HOST, QUIET

from ffibench.errors import FfibenchError
from ffibench.harness.rounds import order
from ffibench.model import Audit, AuditVerdict, Progress, Run


def ignore(value: object) -> None:
    """Keep and observe nothing."""


def test_without_noise_the_figures_are_the_scripts(recorder: Recorder) -> None:
    run = recorder.run(
        {"c": {"gross": 20, "empty": 1}, "control": {"gross": 20, "empty": 1}, "python/a": {"gross": 50, "empty": 12}},
        rounds_min=6,
        rounds_max=6,
    )
    rows = {row.contestant: row for row in figures(run).rows}
    assert [
        (row.gross_ns, row.net_ns, row.added_ns, row.ratio, row.ratio_low, row.ratio_high) for row in rows.values()
    ] == [
        pytest.approx((20, 19, 0, 1, 1, 1)),
        pytest.approx((20, 19, 0, 1, 1, 1)),
        pytest.approx((50, 38, 30, 2.5, 2.5, 2.5)),
    ]
    assert {(row.rounds, row.receipts, row.disturbed, row.valid) for row in rows.values()} == {(6, 18, 0, True)}


def test_ratios_are_paired_inside_a_round(recorder: Recorder) -> None:
    """All processes of a round are slower by the same factor, which no ratio shows."""
    scripts: dict[str, float | Script] = {
        "c": {"gross": 200, "noise": 0.5, "seed": 7},
        "python/a": {"gross": 500, "noise": 0.5, "seed": 7},
    }
    run = recorder.run(scripts, rounds_min=6, rounds_max=6)
    (_, row) = figures(run).rows
    assert (row.ratio, row.ratio_low, row.ratio_high) == pytest.approx((2.5, 2.5, 2.5), rel=1e-4)
    assert len({each.wall_ns for part in run.rounds for record in part.records for each in record.slices[1:3]}) == 12


def test_each_round_is_kept_as_soon_as_it_is_done(recorder: Recorder) -> None:
    run = recorder.run({"c": 27, "control": 27}, rounds_min=3, rounds_max=3)
    assert [len(kept.rounds) for kept in recorder.kept] == [0, 1, 2, 3]
    assert [kept.ending for kept in recorder.kept] == [None, None, None, "rounds"]
    assert recorder.kept[-1] == run
    assert [kept.rounds for kept in recorder.kept] == [run.rounds[:number] for number in range(4)]


def test_a_run_knows_its_plan_its_host_and_its_time(recorder: Recorder) -> None:
    before = datetime.now(timezone.utc)
    run = recorder.run({"c": 27, "control": 27}, rounds_min=1, rounds_max=1)
    started = datetime.fromisoformat(run.started)
    assert before - timedelta(seconds=1) < started <= datetime.now(timezone.utc)
    # Two runs that begin within a second are kept apart by their time.
    assert started.microsecond or run.started.endswith(".000+00:00")
    assert [worker.contestant.name for worker in run.plan.workers] == ["c", "control"]
    assert run.host.pinned_to is None


def test_the_order_is_that_of_the_plan(recorder: Recorder) -> None:
    run = recorder.run(dict.fromkeys(("c", "control", "python/a", "python/b"), 27), rounds_min=4, rounds_max=4)
    assert [[record.key for record in each.records] for each in run.rounds] == [
        [worker.key for (worker,) in order(run.plan, number)] for number in (1, 2, 3, 4)
    ]


def test_workers_are_pinned_where_the_plan_says_so(recorder: Recorder) -> None:
    run = recorder.run({"c": 27, "control": 27}, rounds_min=1, rounds_max=1, pinned=True)
    assert run.host.pinned_to == max(os.sched_getaffinity(0))
    assert {record.versions["cpus"] for record in run.rounds[0].records} == {str(run.host.pinned_to)}


class TestAudits:
    """What failed the count of its native calls is not timed; what passed in one of its cases is."""

    def run(self, folder: Path, *verdicts: AuditVerdict) -> Run:
        plan = scripted_plan(folder, {"c": 27, "python/a": 50, "python/b": 40}, rounds_max=2, rounds_min=2)
        audits = [
            Audit(key=plan.workers[1].key, case=f"case {number}", operations=1, verdict=verdict)
            for number, verdict in enumerate(verdicts)
        ]
        run = executed(plan, audits=audits, keep=ignore, observe=ignore)
        assert run.audits == tuple(audits)
        return run

    def test_all_of_it_wrong(self, folder: Path) -> None:
        assert ran(self.run(folder, "invalid", "invalid")) == [["c", "python/b"]] * 2

    def test_a_part_of_it_wrong(self, folder: Path) -> None:
        assert ran(self.run(folder, "invalid", "accepted")) == [["c", "python/a", "python/b"]] * 2

    def test_what_could_not_be_counted_is_timed(self, folder: Path) -> None:
        assert ran(self.run(folder, "not auditable")) == [["c", "python/a", "python/b"]] * 2


class TestHost:
    """What changed during a run is known at its end."""

    SCRIPTS: dict[str, float | Script] = {"c": 27, "control": 27}  # noqa: RUF012

    def test_a_host_that_stayed_as_it_was(self, recorder: Recorder) -> None:
        assert recorder.run(self.SCRIPTS).after is None

    def test_a_host_that_did_not(self, recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
        hosts = [replace(HOST, clock_source="tsc"), replace(HOST, clock_source="hpet")]
        monkeypatch.setattr("ffibench.harness.run.describe_host", lambda cpu: hosts.pop(0))
        run = recorder.run({"c": 27, "control": {"trouble": "signal:2@slice", "since": 2}})
        assert (run.host.clock_source, run.ending) == ("tsc", "interrupted")
        assert run.after is not None
        assert run.after.clock_source == "hpet"

    def test_how_it_was_before_the_first_round_is_kept(self, folder: Path) -> None:
        run = executed(scripted_plan(folder, self.SCRIPTS), keep=ignore, observe=ignore, before=QUIET)
        assert run.before == QUIET


class TestBeginnings:
    def test_nothing_runs_where_no_socket_fits(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        kept: list[Run] = []
        long = folder / ("x" * 100)
        long.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(long))
        plan = scripted_plan(folder, {"c": 27, "control": 27}, transport="ipc")
        with pytest.raises(FfibenchError, match="TMPDIR"):
            executed(plan, keep=kept.append, observe=_nobody)
        assert kept == []
        assert starts(folder) == []

    def test_a_run_that_cannot_be_kept_does_not_begin(self, folder: Path) -> None:
        def keep(run: Run) -> None:
            raise FfibenchError("cannot make the folder")

        with pytest.raises(FfibenchError, match="cannot make the folder"):
            executed(scripted_plan(folder, {"c": 27, "control": 27}), keep=keep, observe=_nobody)
        assert starts(folder) == []


def _nobody(progress: Progress) -> None:
    """Look away."""
