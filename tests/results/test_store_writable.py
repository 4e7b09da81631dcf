"""The promise: a path that cannot be written to is told before anything is measured."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from support.run_files import names

from ffibench.errors import FfibenchError
from ffibench.results.store import check_writable

needs_modes = pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")


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
