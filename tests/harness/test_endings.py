"""The promise: whatever ends a run, a limit, a failure or Ctrl-C, no finished round is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.contestants import Script, scripted_plan, starts
from support.executed import Recorder, executed, figures, ran

from ffibench.model import Progress, Run


class TestEndings:
    SCRIPTS: dict[str, float | Script] = {"c": 27, "control": 27}  # noqa: RUF012

    def test_precision(self, recorder: Recorder) -> None:
        """Six rounds carry an interval, and without noise it has no width."""
        run = recorder.run(self.SCRIPTS, rounds_min=2, rounds_max=20)
        assert (run.ending, len(run.rounds)) == ("precision", 6)
        assert [progress.wide for progress in recorder.observed] == [1, 1, 1, 1, 1, 0]

    def test_the_fewest_rounds_are_done_first(self, recorder: Recorder) -> None:
        run = recorder.run(self.SCRIPTS, rounds_min=8, rounds_max=20)
        assert (run.ending, len(run.rounds)) == ("precision", 8)

    def test_rounds(self, recorder: Recorder) -> None:
        run = recorder.run(self.SCRIPTS, rounds_min=4, rounds_max=4)
        assert (run.ending, len(run.rounds)) == ("rounds", 4)

    def test_time(self, recorder: Recorder) -> None:
        run = recorder.run(self.SCRIPTS, rounds_min=4, rounds_max=9, seconds_max=1e-6)
        assert (run.ending, len(run.rounds)) == ("time", 1)
        assert recorder.observed[-1].seconds_left == 0

    def test_rows_that_are_too_wide_go_on(self, recorder: Recorder) -> None:
        scripts: dict[str, float | Script] = {"c": 27, "python/a": {"gross": 50, "noise": 1.0}}
        run = recorder.run(scripts, rounds_min=6, rounds_max=8)
        assert (run.ending, len(run.rounds)) == ("rounds", 8)
        assert recorder.observed[-1].wide == 1

    def test_a_failed_row_keeps_nobody_waiting(self, recorder: Recorder) -> None:
        scripts: dict[str, float | Script] = {**self.SCRIPTS, "python/a": {"trouble": "exit:words@slice"}}
        run = recorder.run(scripts, rounds_min=2, rounds_max=20)
        assert (run.ending, len(run.rounds)) == ("precision", 6)
        assert recorder.observed[-1].rows == 1

    def test_progress_is_told_after_every_round(self, recorder: Recorder) -> None:
        recorder.run(self.SCRIPTS, rounds_min=3, rounds_max=3)
        assert [len(progress.run.rounds) for progress in recorder.observed] == [1, 2, 3]
        assert {(progress.rounds_max, progress.rows) for progress in recorder.observed} == {(3, 1)}
        left = [progress.seconds_left for progress in recorder.observed]
        assert left[-1] == 0
        assert all(seconds is not None and seconds >= 0 for seconds in left)


class TestFailures:
    def test_a_contestant_that_fails_is_dropped_and_the_others_go_on(self, recorder: Recorder) -> None:
        scripts: dict[str, float | Script] = {
            "c": 20,
            "python/a": {"trouble": "exit:words@slice", "since": 3},
            "python/b": 40,
        }
        run = recorder.run(scripts, rounds_min=6, rounds_max=6)
        everybody, rest = ["c", "python/a", "python/b"], ["c", "python/b"]
        assert ran(run) == [everybody, everybody, everybody, rest, rest, rest]
        failures = {row.contestant: (row.valid, row.reason, row.ratio) for row in figures(run).rows}
        assert failures == {
            "c": (True, None, 1),
            "python/a": (False, "It ended with status 3, saying 'words'.", None),
            "python/b": (True, None, pytest.approx(2)),
        }

    def test_a_failure_of_the_baseline_ends_the_run(self, recorder: Recorder) -> None:
        run = recorder.run({"c": {"trouble": "kill:11@slice", "since": 3}, "control": 20}, rounds_min=6, rounds_max=6)
        assert run.ending == "baseline failed"
        assert len(run.rounds) == 3
        assert ran(run)[:2] == [["c", "control"]] * 2
        assert recorder.kept[-1] == run
        reasons = {row.contestant: row.reason for row in figures(run).rows}
        assert reasons == {"c": "It was killed by SIGSEGV.", "control": "The baseline has no figures."}

    def test_a_case_that_nobody_but_the_baseline_can_run(self, recorder: Recorder) -> None:
        scripts: dict[str, float | Script] = {"c": 20, "python/a": {"unsupported": "no structs"}}
        run = recorder.run(scripts, rounds_min=2, rounds_max=2)
        assert ran(run) == [["c", "python/a"]] * 2
        reasons = {row.contestant: row.reason for row in figures(run).rows}
        assert reasons == {"c": None, "python/a": "It cannot run this case: no structs."}


class TestInterrupts:
    """Ctrl-C, wherever it comes: the finished rounds stay, and the worker of the moment goes."""

    SCRIPTS: dict[str, float | Script] = {"c": 27, "control": 27}  # noqa: RUF012

    def check(self, recorder: Recorder, run: Run, rounds: int) -> None:
        assert run.ending == "interrupted"
        assert len(run.rounds) == rounds
        assert ran(run) == [["c", "control"]] * rounds
        assert recorder.kept[-1] == run

    @pytest.mark.parametrize("point", ["start", "slice", "end", "closed"])
    @pytest.mark.parametrize("since", [1, 3])
    def test_by_a_signal_inside_a_round(self, point: str, since: int, recorder: Recorder) -> None:
        scripts: dict[str, float | Script] = {
            "c": 27,
            "control": {"trouble": f"signal:2@{point}", "since": since},
        }
        run = recorder.run(scripts, rounds_min=6, rounds_max=6, transport="ipc")
        self.check(recorder, run, since - 1)
        assert starts(recorder.folder)

    def test_while_the_progress_is_drawn(self, folder: Path) -> None:
        recorder = Recorder(folder)

        def observe(progress: Progress) -> None:
            if len(progress.run.rounds) == 2:
                raise KeyboardInterrupt

        plan = scripted_plan(folder, self.SCRIPTS, rounds_min=6, rounds_max=6)
        run = executed(plan, keep=recorder.kept.append, observe=observe)
        self.check(recorder, run, 2)

    def test_while_a_round_is_kept(self, folder: Path) -> None:
        recorder = Recorder(folder)

        def keep(run: Run) -> None:
            if len(run.rounds) == 2 and run.ending is None:
                raise KeyboardInterrupt
            recorder.kept.append(run)

        plan = scripted_plan(folder, self.SCRIPTS, rounds_min=6, rounds_max=6)
        run = executed(plan, keep=keep, observe=recorder.observed.append)
        self.check(recorder, run, 2)
