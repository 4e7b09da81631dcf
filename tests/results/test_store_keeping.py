"""The promise: every run is kept in the user's own folder, and the newest is found there."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from support.run_files import RUN, names, save_compared

from ffibench.errors import FfibenchError
from ffibench.model import Run
from ffibench.results.store import kept_path, last_run, load, write


class TestKeeping:
    @pytest.fixture(autouse=True)
    def home(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        return tmp_path / "ffibench" / "runs"

    @staticmethod
    def named(experiment: str, started: str = "2025-11-20T08:13:00.250+00:00") -> Run:
        return replace(RUN, started=started, plan=replace(RUN.plan, experiment=experiment))

    @given(
        experiment=st.one_of(
            st.text(), st.sampled_from(["..", "../../etc/passwd", "/", "a/b", "\0", "", "é" * 300, "x" * 4000])
        ),
        started=st.text(),
    )
    def test_a_run_never_leaves_its_folder(
        self, experiment: str, started: str, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.getbasetemp()))
            path = kept_path(self.named(experiment, started))
            write(b"", path)
        assert path.resolve().parent == (tmp_path_factory.getbasetemp() / "ffibench" / "runs").resolve()
        assert path.name.isascii()
        path.unlink()

    def test_the_folder_is_private(self, home: Path) -> None:
        save_compared(RUN, kept_path(RUN))
        assert home.stat().st_mode & 0o777 == 0o700
        assert home.parent.stat().st_mode & 0o777 == 0o700

    def test_the_last_run_is_the_newest(self, home: Path) -> None:
        for experiment, started in (
            ("calls", "2025-11-20T08:13:00.250+00:00"),
            ("xsub", "2025-11-20T08:13:01.000+00:00"),
            ("zmq", "2024-12-31T23:59:59.999+00:00"),
        ):
            run = self.named(experiment, started)
            save_compared(run, kept_path(run))
        assert load(last_run()).plan.experiment == "xsub"
        assert len(names(home)) == 3

    def test_two_runs_of_one_second_are_both_kept(self, home: Path) -> None:
        for started in ("2025-11-20T08:13:00.250+00:00", "2025-11-20T08:13:00.750+00:00"):
            run = self.named("xsub", started)
            save_compared(run, kept_path(run))
        assert len(names(home)) == 2
        assert load(last_run()).started == "2025-11-20T08:13:00.750+00:00"

    def test_a_run_is_kept_in_one_place_however_often(self) -> None:
        assert kept_path(RUN) == kept_path(replace(RUN, rounds=(), ending=None))

    def test_no_run_was_kept_yet(self) -> None:
        with pytest.raises(FfibenchError, match="no run was kept yet; `ffibench run "):
            last_run()

    def test_what_a_write_left_behind_is_no_run(self, home: Path) -> None:
        save_compared(RUN, kept_path(RUN))
        (home / ".ffibench-1").write_bytes(b"half")
        assert load(last_run()) == RUN

    def test_no_folder_to_keep_runs_in(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "file").write_bytes(b"")
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
        with pytest.raises(FfibenchError, match=r"cannot make the folder .*XDG_DATA_HOME"):
            kept_path(RUN)
