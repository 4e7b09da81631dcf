"""The promise: no run is lost to a full disk or to whatever else its path leads to."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.run_files import RUN, full, names, save_compared
from support.runs import watched

from ffibench.model import Run
from ffibench.results.store import check_writable, load, write

needs_modes = pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")


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
        save_compared(run, tmp_path / "run.json")
        assert load(tmp_path / "run.json") == run
        assert names(tmp_path) == ["run.json"]

    def test_the_last_one_stays(self, tmp_path: Path) -> None:
        save_compared(RUN, tmp_path / "run.json")
        save_compared(full(), tmp_path / "run.json")
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
        save_compared(RUN, tmp_path / "run.json")

        def fail(self: Path, argument: object) -> None:
            if step == "write_bytes":
                with self.open("wb") as file:
                    file.write(b"half")
            raise error

        with monkeypatch.context() as patch:
            patch.setattr(Path, step, fail)
            with pytest.raises(type(error)):
                save_compared(full(), tmp_path / "run.json")
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
