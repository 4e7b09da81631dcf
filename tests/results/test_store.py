"""The promise: no run is lost to a full disk or a wrong path, and a file that is no run is said to be none."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from support.runs import run_of, watched

from ffibench.errors import FfibenchError
from ffibench.model import Absent, LibraryIdentity, Run
from ffibench.results.compare import compare
from ffibench.results.store import check_writable, kept_path, last_run, load, save, write

RUN = run_of({"c": [20.0] * 6, "control": [20.0] * 6, "python/a": [50.0] * 6})
DOCUMENT = msgspec.json.encode(RUN)

needs_modes = pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def full() -> Run:
    """A run with everything in it that a run can have."""
    comparison = compare(RUN)
    workers = RUN.plan.workers
    record = replace(
        RUN.rounds[0].records[0],
        failure="hung",
        unsupported={"send": "no structs"},
        libraries=(LibraryIdentity(path="/a b/lib\N{SNOWMAN}.so", sha256="0" * 64),),
        usage=None,
    )
    return replace(
        RUN,
        plan=replace(
            RUN.plan,
            absent=(Absent(contestant=workers[2].contestant, reason="no"),),
            parameters={"a": 1, "b": 0.5, "c": "x"},
        ),
        rounds=(*RUN.rounds, replace(RUN.rounds[0], records=(record,))),
        warnings=comparison.warnings,
        summary=comparison.rows,
    )


WATCHED = msgspec.json.encode(watched(RUN))


@pytest.fixture
def device(tmp_path: Path) -> Callable[[int], Path]:
    """A `null` (3) or `full` (7) of our own: no mistake of ours shall replace the machine's."""

    def make(minor: int) -> Path:
        path = tmp_path / "device"
        try:
            os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, minor))
            os.close(os.open(path, os.O_WRONLY))
        except PermissionError:
            pytest.skip("no devices can be made here")
        return path

    return make


class TestSaving:
    @pytest.mark.parametrize(
        "run",
        [RUN, full(), watched(RUN), replace(RUN, rounds=(), ending=None)],
        ids=["run", "full", "watched", "empty"],
    )
    def test_what_was_saved_is_what_is_loaded(self, run: Run, tmp_path: Path) -> None:
        save(run, tmp_path / "run.json")
        assert load(tmp_path / "run.json") == run
        assert names(tmp_path) == ["run.json"]

    def test_the_last_one_stays(self, tmp_path: Path) -> None:
        save(RUN, tmp_path / "run.json")
        save(full(), tmp_path / "run.json")
        assert load(tmp_path / "run.json") == full()

    def test_a_reader_never_sees_half_a_file(self, tmp_path: Path) -> None:
        path = tmp_path / "file"
        path.write_bytes(b"0" * 100_000)
        seen: set[bytes] = set()
        done = threading.Event()

        def read() -> None:
            while not done.is_set():
                data = path.read_bytes()
                seen.add(data[:1] + data[-1:] + str(len(data)).encode())

        reader = threading.Thread(target=read)
        reader.start()
        for number in range(200):
            write(str(number % 10).encode() * 100_000, path)
        done.set()
        reader.join()
        assert seen <= {f"{digit}{digit}100000".encode() for digit in range(10)}

    @pytest.mark.parametrize("step", ["write_bytes", "replace"])
    @pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
    def test_a_write_that_fails_leaves_the_old_file(
        self, step: str, error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        save(RUN, tmp_path / "run.json")

        def fail(self: Path, argument: object) -> None:
            if step == "write_bytes":
                with self.open("wb") as file:
                    file.write(b"half")
            raise error

        with monkeypatch.context() as patch:
            patch.setattr(Path, step, fail)
            with pytest.raises(type(error)):
                save(full(), tmp_path / "run.json")
        assert load(tmp_path / "run.json") == RUN
        assert names(tmp_path) == ["run.json"]

    def test_a_full_disk_leaves_the_old_file(self, tmp_path: Path) -> None:
        """A limit on the size of files cuts a write short as a full disk does."""
        path = tmp_path / "file"
        path.write_bytes(b"old")
        code = (
            "import resource, signal, sys; from pathlib import Path; from ffibench.results.store import write\n"
            "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
            "try: write(b'new' * 1000, Path(sys.argv[1]))\n"
            "except OSError as error: print(error.errno)\n"
        )
        answer = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
        assert answer.stdout == "27\n"  # EFBIG
        assert path.read_bytes() == b"old"
        assert names(tmp_path) == ["file"]

    def test_who_may_read_the_file_stays_as_it_was(self, tmp_path: Path) -> None:
        path = tmp_path / "run.json"
        path.touch(mode=0o640)
        path.chmod(0o640)
        write(b"{}", path)
        assert path.stat().st_mode & 0o777 == 0o640

    def test_a_link_is_kept_and_what_it_leads_to_replaced(self, tmp_path: Path) -> None:
        (tmp_path / "there").mkdir()
        target, link = tmp_path / "there" / "file", tmp_path / "link"
        target.write_bytes(b"old")
        link.symlink_to(target)
        write(b"new", link)
        assert link.is_symlink()
        assert target.read_bytes() == b"new"
        assert names(tmp_path) == ["link", "there"]

    def test_a_link_to_a_file_that_is_not_there_yet(self, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to("file")
        write(b"new", tmp_path / "link")
        assert (tmp_path / "file").read_bytes() == b"new"

    def test_a_name_as_long_as_names_may_be(self, tmp_path: Path) -> None:
        path = tmp_path / ("n" * 255)
        write(b"new", path)
        assert path.read_bytes() == b"new"

    def test_a_device_is_written_to_not_replaced(self, device: Callable[[int], Path]) -> None:
        null = device(3)
        before = null.stat()
        write(b"new", null)
        assert null.stat().st_ino == before.st_ino
        assert names(null.parent) == ["device"]

    def test_a_full_device_says_so(self, device: Callable[[int], Path]) -> None:
        with pytest.raises(OSError, match="No space left"):
            write(b"new", device(7))

    @pytest.mark.parametrize("way", ["fd", "fifo"])
    def test_a_pipe_is_written_to(self, way: str, tmp_path: Path) -> None:
        """`--json >(gzip > run.json.gz)` and `--json /dev/stdout | jq` give names of pipes."""
        if way == "fd":
            receiving, sending = os.pipe()
            path = Path(f"/dev/fd/{sending}")
        else:
            path = tmp_path / "fifo"
            os.mkfifo(path)
            receiving = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            sending = os.open(path, os.O_WRONLY)
        check_writable(path)
        write(b"new", path)
        os.close(sending)
        assert os.read(receiving, 100) == b"new"
        os.close(receiving)
        assert way == "fd" or path.is_fifo()


class TestCheckWritable:
    @staticmethod
    def told(path: Path) -> str:
        with pytest.raises(FfibenchError) as error:
            check_writable(path)
        return str(error.value)

    @pytest.mark.parametrize("name", ["new.json", "old.json", "link.json", "dangling.json", "n" * 255])
    def test_what_can_be_written_to(self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "old.json").write_bytes(b"old")
        (tmp_path / "link.json").symlink_to("old.json")
        (tmp_path / "dangling.json").symlink_to("none.json")
        before = names(tmp_path)
        check_writable(tmp_path / name)
        monkeypatch.chdir(tmp_path)
        check_writable(Path(name))
        assert names(tmp_path) == before  # a look leaves no trace
        assert (tmp_path / "old.json").read_bytes() == b"old"

    def test_a_device(self) -> None:
        check_writable(Path("/dev/null"))

    @needs_modes
    def test_a_device_that_one_may_not_write_to(self) -> None:
        assert "cannot write to /dev/mem" in self.told(Path("/dev/mem"))

    def test_a_device_in_a_folder_that_one_may_not_write_to(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Everybody may write to /dev/null, and hardly anybody to /dev."""

        def refuse(*arguments: object, **options: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(tempfile, "NamedTemporaryFile", refuse)
        check_writable(Path("/dev/null"))

    @pytest.mark.parametrize("path", [".", "/", "/tmp"])
    def test_a_folder(self, path: str) -> None:
        assert self.told(Path(path)) == f"{path} is a folder; give the path of a file"

    @pytest.mark.parametrize("home", ["no", "no such", "it's"])
    def test_no_folder(self, home: str, tmp_path: Path) -> None:
        """The command in the sentence makes it."""
        told = self.told(tmp_path / home / "deep" / "run.json")
        assert told.startswith(f"no folder {tmp_path / home / 'deep'} to write run.json to; mkdir -p ")
        command = told.partition("; ")[2].removesuffix(" makes it")
        subprocess.run(command, shell=True, check=True, cwd=tmp_path)
        check_writable(tmp_path / home / "deep" / "run.json")

    def test_a_link_that_leads_nowhere(self, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to(tmp_path / "no" / "run.json")
        assert f"mkdir -p {tmp_path}/no" in self.told(tmp_path / "link")

    def test_a_file_for_a_folder(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_bytes(b"")
        path = tmp_path / "file" / "run.json"
        assert self.told(path) == f"cannot write to {path}: Not a directory; give a path that you may write to"

    def test_a_circle_of_links(self, tmp_path: Path) -> None:
        path = tmp_path / "link"
        path.symlink_to(path)
        assert "Too many levels of symbolic links" in self.told(path)

    def test_a_name_too_long(self, tmp_path: Path) -> None:
        assert "File name too long" in self.told(tmp_path / ("n" * 256))

    @pytest.mark.parametrize("folder", ["/proc", "/sys"])
    def test_a_folder_that_takes_no_files(self, folder: str) -> None:
        """For root as for anybody."""
        told = self.told(Path(folder) / "run.json")
        assert told.startswith(f"cannot write to {folder}/run.json: ")
        assert told.endswith("; give a path that you may write to")

    @needs_modes
    def test_a_folder_without_permission(self, tmp_path: Path) -> None:
        tmp_path.chmod(0o500)
        assert "Permission denied" in self.told(tmp_path / "run.json")


class TestLoading:
    @pytest.fixture
    def told(self, tmp_path: Path) -> Callable[[bytes], str]:
        def load_it(data: bytes) -> str:
            path = tmp_path / "run.json"
            path.write_bytes(data)
            with pytest.raises(FfibenchError) as error:
                load(path)
            assert str(error.value).startswith(f"{path} ")
            return str(error.value).removeprefix(f"{path} ")

        return load_it

    def test_no_file(self, tmp_path: Path) -> None:
        path = tmp_path / "none.json"
        with pytest.raises(FfibenchError, match=rf"^cannot read {path}: No such file or directory; `ffibench show`"):
            load(path)

    def test_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(FfibenchError, match="Is a directory"):
            load(tmp_path)

    @pytest.mark.parametrize(
        "data",
        [
            pytest.param(b"", id="nothing"),
            pytest.param(b"\x7fELF\x02\x01\xff", id="a program"),
            pytest.param(b"contestant,ns\nc,22\n", id="a table"),
            pytest.param(b"[]", id="another document"),
            pytest.param(b"{}", id="an empty one"),
            pytest.param(b'{"benchmarks": [{"name": "send"}]}', id="a file of pytest-benchmark"),
            pytest.param(DOCUMENT[:-1], id="all but the last byte"),
            pytest.param(DOCUMENT[: len(DOCUMENT) // 2], id="half of it"),
            pytest.param(DOCUMENT + b"}", id="more than it"),
            pytest.param(DOCUMENT.replace(b"gcc", b"\xff\xfe\xfd"), id="not UTF-8"),
            pytest.param(b"[" * 200_000, id="nested without end"),
            pytest.param(b'{"schema": ' + b"9" * 5000 + b"}", id="a number without end"),
        ],
    )
    def test_no_run_file(self, data: bytes, told: Callable[[bytes], str]) -> None:
        sentence = told(data)
        assert sentence.startswith("is not a run file: ")
        assert sentence.endswith("; `ffibench run --json FILE` writes one")
        assert "\n" not in sentence

    @pytest.mark.parametrize(
        ("place", "value", "words"),
        [
            (("plan", "slices"), "three", "Expected `int`, got `str` - at `$.plan.slices`"),
            (("plan", "workers", 1, "contestant", "name"), 5, "at `$.plan.workers[1].contestant.name`"),
            (("plan", "mode"), "lazy", "Invalid enum value 'lazy' - at `$.plan.mode`"),
            (
                ("rounds", 2, "records", 0, "slices", 1, "wall_ns"),
                None,
                "at `$.rounds[2].records[0].slices[1].wall_ns`",
            ),
            (("ending",), "bored", "at `$.ending`"),
            (("rounds",), {}, "at `$.rounds`"),
        ],
    )
    def test_a_wrong_type_is_told_with_its_place(
        self, place: tuple[str | int, ...], value: object, words: str, told: Callable[[bytes], str]
    ) -> None:
        assert words in told(document_with(place, value))

    @pytest.mark.parametrize(
        ("place", "value", "words"),
        [
            (("plan", "cases", 0, "iterations"), 0, "0 iterations - at `$.plan.cases[0].iterations`"),
            (("plan", "cases", 0, "iterations"), 10**400, "401 digits - at `$.plan.cases[0].iterations`"),
            (("plan", "cases", 0, "iterations"), -5, "-5 iterations - at `$.plan.cases[0].iterations`"),
            (
                ("rounds", 2, "records", 1, "slices", 3, "wall_ns"),
                0,
                "0 ns - at `$.rounds[2].records[1].slices[3].wall_ns`",
            ),
            (
                ("rounds", 2, "records", 1, "slices", 3, "wall_ns"),
                -7,
                "-7 ns - at `$.rounds[2].records[1].slices[3].wall_ns`",
            ),
            (
                ("rounds", 0, "records", 0, "slices", 1, "wall_ns"),
                10**400,
                "at `$.rounds[0].records[0].slices[1].wall_ns`",
            ),
            (("rounds", 4, "records", 1, "usage"), None, "no usage and no failure - at `$.rounds[4].records[1]`"),
            (("plan", "workers"), [], "no baseline c - at `$.plan.workers`"),
            (("plan", "workers", 0, "contestant", "name"), "d", "no baseline c - at `$.plan.workers`"),
        ],
    )
    def test_a_value_that_cannot_be_is_told_with_its_place(
        self, place: tuple[str | int, ...], value: object, words: str, told: Callable[[bytes], str]
    ) -> None:
        """Each of these would end a comparison in the middle."""
        assert words in told(document_with(place, value))

    def test_two_workers_of_one_name(self, told: Callable[[bytes], str]) -> None:
        worker = msgspec.to_builtins(RUN.plan.workers[0])
        assert "c [gcc 12.2.0] twice - at `$.plan.workers`" in told(
            document_with(("plan", "workers"), [worker, worker])
        )

    @pytest.mark.parametrize("more", [{}, {"plan": None}, {"plan": {"cases": "elsewhere"}}])
    def test_a_newer_schema_is_told_before_anything_else(
        self, more: dict[str, object], told: Callable[[bytes], str]
    ) -> None:
        """What else is in it nobody here can know."""
        newer = msgspec.json.encode({**msgspec.json.decode(DOCUMENT), **more, "schema": 99})
        assert told(newer) == "has schema 99, this ffibench reads 1; pip install --upgrade ffibench"

    def test_an_older_schema_asks_for_a_new_run(self, told: Callable[[bytes], str]) -> None:
        assert told(document_with(("schema",), 0)) == "has schema 0, this ffibench reads 1; run it again"

    def test_a_file_from_before_the_host_told_more(self, tmp_path: Path) -> None:
        document: Any = msgspec.json.decode(msgspec.json.encode(full()))
        del document["before"], document["after"], document["plan"]["interpreters"]
        old = ("system", "machine", "processor", "processors", "pinned_to", "governor", "virtualisation", "tool")
        document["host"] = {name: document["host"][name] for name in old}
        for each in document["rounds"]:
            del each["disturbed"]
            each["host"] = {name: each["host"][name] for name in ("load1", "pressure", "steal")}
        path = tmp_path / "old.json"
        path.write_bytes(msgspec.json.encode(document))
        assert load(path) == full()

    def test_further_fields_are_passed_over(self, tmp_path: Path) -> None:
        (tmp_path / "run.json").write_bytes(document_with(("note",), "by hand"))
        assert load(tmp_path / "run.json") == watched(RUN)


def document_with(place: tuple[str | int, ...], value: object) -> bytes:
    """The run file with one value changed."""
    document: Any = msgspec.json.decode(WATCHED)
    inner = document
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    return msgspec.json.encode(document)


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
        save(RUN, kept_path(RUN))
        assert home.stat().st_mode & 0o777 == 0o700
        assert home.parent.stat().st_mode & 0o777 == 0o700

    def test_the_last_run_is_the_newest(self, home: Path) -> None:
        for experiment, started in (
            ("calls", "2025-11-20T08:13:00.250+00:00"),
            ("xsub", "2025-11-20T08:13:01.000+00:00"),
            ("zmq", "2024-12-31T23:59:59.999+00:00"),
        ):
            run = self.named(experiment, started)
            save(run, kept_path(run))
        assert load(last_run()).plan.experiment == "xsub"
        assert len(names(home)) == 3

    def test_two_runs_of_one_second_are_both_kept(self, home: Path) -> None:
        for started in ("2025-11-20T08:13:00.250+00:00", "2025-11-20T08:13:00.750+00:00"):
            run = self.named("xsub", started)
            save(run, kept_path(run))
        assert len(names(home)) == 2
        assert load(last_run()).started == "2025-11-20T08:13:00.750+00:00"

    def test_a_run_is_kept_in_one_place_however_often(self) -> None:
        assert kept_path(RUN) == kept_path(replace(RUN, rounds=(), ending=None))

    def test_no_run_was_kept_yet(self) -> None:
        with pytest.raises(FfibenchError, match="no run was kept yet; `ffibench run "):
            last_run()

    def test_what_a_write_left_behind_is_no_run(self, home: Path) -> None:
        save(RUN, kept_path(RUN))
        (home / ".ffibench-1").write_bytes(b"half")
        assert load(last_run()) == RUN

    def test_no_folder_to_keep_runs_in(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "file").write_bytes(b"")
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
        with pytest.raises(FfibenchError, match=r"cannot make the folder .*XDG_DATA_HOME"):
            kept_path(RUN)
