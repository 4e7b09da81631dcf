"""The fault matrix: what goes wrong around a run | what the user sees | the exit status | the rounds kept.

Disks, folders, the cache of built shims, the library file and the clock. `nothing_left` answers for the rest.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path

import pytest
from support.command import Cli
from support.faults import Command, Play, Seen
from support.leftovers import carrying

from ffibench.builds.checksums import CHECKSUMS
from ffibench.builds.library import find_library
from ffibench.builds.staging import staging_folder
from ffibench.catalog import find_experiment
from ffibench.host import sampler
from ffibench.paths import cache_folder

UNKEPT = "Warning: the run is not kept: {}; use --json FILE to write it to a place of your choice."


def assert_table(seen: Seen) -> None:
    """The run went on to its end, and its table was printed."""
    assert seen.status == 0, seen.errors
    assert "2 in " in seen.text
    assert "stopped at the maximum number of rounds" in seen.text


class TestDisks:
    def test_a_limit_on_the_size_of_files(self, command: Command) -> None:
        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        seen = command.run(preexec_fn=limit)
        assert_table(seen)
        assert UNKEPT.format("File too large") in seen.text
        assert seen.kept is None

    @pytest.fixture
    def small_disk(self, folder: Path) -> Iterator[Path]:
        """A file system of our own, mounted where runs are kept."""
        path = folder / "data"
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=256k,mode=0700", "tmpfs", path], capture_output=True, check=False
        )
        if mounted.returncode != 0:
            pytest.skip("no file system can be mounted here, so that no disk can be filled")
        yield path
        shutil.rmtree(path, ignore_errors=True)
        subprocess.run(["umount", "--lazy", path], check=True)

    def test_a_disk_that_is_full_before_the_first_round(self, small_disk: Path, command: Command) -> None:
        (small_disk / "ffibench/runs").mkdir(parents=True, mode=0o700)
        (small_disk / "ffibench").chmod(0o700)
        fill(small_disk / "ballast")
        seen = command.run()
        assert_table(seen)
        assert UNKEPT.format("No space left on device") in seen.text
        assert seen.kept is None

    def test_a_disk_that_fills_up_during_the_run(self, small_disk: Path, command: Command) -> None:
        ballast = small_disk / "ballast"
        seen = command.run(script=f"trouble=run:cat /dev/zero >{ballast} || true@slice\nsince=2")
        assert_table(seen)
        assert UNKEPT.format("No space left on device") in seen.text
        assert seen.kept is not None
        assert len(seen.kept.rounds) == 1  # the file of before is whole

    def test_a_disk_that_can_no_longer_be_written_to(self, small_disk: Path, command: Command) -> None:
        seen = command.run(script=f"trouble=run:mount -o remount,ro {small_disk}@slice\nsince=2")
        subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
        assert_table(seen)
        assert UNKEPT.format("Read-only file system") in seen.text
        assert seen.kept is not None
        assert len(seen.kept.rounds) == 1

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere; the row above takes the right away")
    def test_a_folder_that_may_no_longer_be_written_to(self, folder: Path, command: Command) -> None:
        runs = folder / "data/ffibench/runs"
        seen = command.run(script=f"trouble=run:chmod 500 {runs}@slice\nsince=2")
        runs.chmod(0o700)
        assert_table(seen)
        assert UNKEPT.format("Permission denied") in seen.text

    def test_a_folder_of_runs_that_is_removed(self, folder: Path, command: Command) -> None:
        seen = command.run(script=f"trouble=run:rm -r {folder}/data/ffibench@slice\nsince=2")
        assert_table(seen)
        assert UNKEPT.format("No such file or directory") in seen.text

    @pytest.mark.parametrize("option", ["--json", "--export-markdown"])
    def test_an_export_to_a_full_device(self, option: str, command: Command) -> None:
        seen = command.run(option, "/dev/full")
        assert seen.status == 1
        assert "stopped at the maximum number of rounds" in seen.text
        assert "Error: cannot write /dev/full: No space left on device; use `ffibench show --export-" in seen.text
        assert seen.kept is not None
        assert len(seen.kept.rounds) == 2


def fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"\0" * 4096)


class TestCache:
    def projects(self, experiment: Path, command: Command) -> list[Path]:
        """The built shims of the experiment, and its library."""
        seen = command("build", str(experiment))
        assert (seen.status, seen.errors) == (0, "")
        paths = [Path(line.split()[1]) for line in seen.table.splitlines()]
        found = find_experiment(str(experiment))
        library = find_library(found.experiment, found.path, None)
        return sorted({path.parent.parent for path in (*paths, Path(library.path))})

    @pytest.mark.parametrize(
        ("part", "damage"),
        [("c", "truncated"), ("c", "replaced"), ("c", "lost"), ("c", "unlisted"), ("tally-library", "replaced")],
    )
    def test_what_is_no_longer_what_was_built(self, part: str, damage: str, command: Command, experiment: Path) -> None:
        (project,) = (path for path in self.projects(experiment, command) if path.name.startswith(f"{part}-"))
        artifact = project / "build" / {"c": "tally_c", "tally-library": "libtally-library.so"}[part]
        whole = artifact.read_bytes()
        match damage:
            case "truncated":
                artifact.write_bytes(whole[: len(whole) // 2])
            case "replaced":
                artifact.write_bytes(Path("/bin/true").read_bytes())
            case "lost":
                artifact.unlink()
            case _:
                (project / CHECKSUMS).unlink()
        seen = command.run()
        assert_table(seen)
        assert f"Warning: {project} was damaged: " in seen.errors
        assert "It is built again." in seen.errors
        assert artifact.read_bytes()[:4] == b"\x7fELF"

    def test_two_runs_at_once_that_both_find_nothing(
        self, command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cold"))
        with ExitStack() as stack:
            both = [stack.enter_context(command.start(*command.run_arguments)) for _ in range(2)]
            answers = [(process.communicate(timeout=300), process.returncode) for process in both]
        for (table, errors), status in answers:
            assert (status, errors) == (0, "")
            assert "all 24 slices" in table
        built = cache_folder("shims")
        assert sorted(path.name.rpartition("-")[0] for path in built.iterdir()) == ["c", "tally-library"]

    def test_a_build_that_was_killed_is_swept_by_the_next(self, command: Command, experiment: Path) -> None:
        """Also what an earlier one left, but not what another process is at."""
        shims = cache_folder("shims")
        with staging_folder(shims, "other") as other:
            with command.start("build", "--force", str(experiment), stdout=subprocess.DEVNULL) as process:
                while not list(shims.glob(".c-*/build")):
                    assert process.poll() is None
                process.kill()
            for pid in carrying(f"FAULTS={os.environ['FAULTS']}"):
                os.kill(pid, signal.SIGKILL)  # the step of a build outlives its owner: nobody is there to end it
            (shims / ".old-0123-abc" / "build").mkdir(parents=True)
            assert list(shims.glob(".c-*"))
            assert command("build", "--force", str(experiment)).status == 0
            assert list(shims.glob(".*")) == [other]


Show = Callable[[], "subprocess.CompletedProcess[str]"]


class TestFolders:
    """Shims are loaded and run, so the cache is the user's alone; it is made so where nobody could have filled it."""

    @pytest.fixture
    def home(self, folder: Path) -> Path:
        path = folder / "home"
        path.mkdir()
        return path / "ffibench"

    @pytest.fixture
    def show(self, home: Path, cli: Cli) -> Show:
        return lambda: cli("show", XDG_DATA_HOME=str(home.parent))

    @pytest.mark.parametrize("name", ["", "runs"])
    def test_others_may_read_it(self, name: str, home: Path, show: Show) -> None:
        (home / "runs").mkdir(parents=True)
        for each in (home, home / "runs"):
            each.chmod(0o700)
        (home / name).chmod(0o755)
        assert "no run was kept yet" in show().stderr
        assert (home / name).stat().st_mode & 0o777 == 0o700

    @pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o1777])
    def test_others_may_write_to_it(self, mode: int, home: Path, show: Show) -> None:
        home.mkdir()
        home.chmod(mode)
        answer = show()
        assert answer.returncode == 1
        told = f"Error: others may write to {home}, so that what is in it need not be yours; look into it, then "
        assert told in answer.stderr
        assert f"chmod go= {home}" in answer.stderr
        subprocess.run(["chmod", "go=", home], check=True)
        assert "no run was kept yet" in show().stderr

    def test_it_leads_elsewhere(self, home: Path, folder: Path, show: Show) -> None:
        (folder / "elsewhere").mkdir(mode=0o700)
        home.symlink_to(folder / "elsewhere")
        answer = show()
        assert answer.returncode == 1
        assert f"Error: {home} is a symbolic link" in answer.stderr
        assert "XDG_CACHE_HOME" in answer.stderr
        home.unlink()

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
    def test_it_belongs_to_another(self, home: Path, show: Show) -> None:
        home.mkdir(mode=0o700)
        os.chown(home, 65534, -1)
        answer = show()
        assert answer.returncode == 1
        assert f"Error: {home} belongs to another user, nobody; " in answer.stderr
        os.chown(home, 0, -1)


class TestLibrary:
    def test_another_file_under_its_path(self, folder: Path, play: Play) -> None:
        """`python/a` is the last to see the old one: it replaces it when it is done with its second round."""
        path = folder / "libwork-0123abcd.so.5"
        seen = play({"trouble": f"run:echo other >{path}.new && mv {path}.new {path}@closed", "gross": 50})
        self.check(seen, path)

    def test_another_content_of_the_file(self, folder: Path, play: Play) -> None:
        path = folder / "libwork-0123abcd.so.5"
        self.check(play({"trouble": f"run:echo other >{path}@closed", "gross": 50}), path)

    def check(self, seen: Seen, path: Path) -> None:
        assert seen.status == 1
        assert f"It loaded {path} after that file had changed." in seen.text
        assert seen.kept is not None
        assert seen.kept.ending == "baseline failed"
        assert 2 <= len(seen.kept.rounds) <= 3
        assert all(record.failure is None for record in seen.kept.rounds[0].records)


class TestClocks:
    def test_a_machine_that_slept(self, play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
        """The clocks of a worker stand still meanwhile, so its figures stand; but a reader is told."""
        calls = count()
        monkeypatch.setattr(sampler, "_suspended_s", lambda: 3600.0 if next(calls) >= 3 else 0.0)
        seen = play({})
        assert seen.status == 0
        assert "the machine was suspended in 1 of 3 rounds" in seen.text
        assert seen.kept is not None
        assert [each.host.suspended_s for each in seen.kept.rounds] == [0.0, 3600.0, 0.0]

    def test_a_gap_on_the_clock_of_a_slice(self, play: Play) -> None:
        """A machine that was paused from outside: the wall clock runs on, the processor's does not."""
        seen = play({"busy": 0.001}, "--verbose", pinned=True)
        assert seen.status == 0
        assert "6 slices with over 2 % more wall than processor time" in seen.text
