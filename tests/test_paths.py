"""`experiments/` and `native/` are found wherever ffibench is installed, and are not installed twice."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest

import ffibench
from ffibench import paths
from ffibench.errors import FfibenchError

PACKAGE = Path(ffibench.__file__).parent


@pytest.mark.parametrize("name", ["experiments/xsub/experiment.py", "native/include/zmq.h", "native/shims/python/capi"])
def test_what_is_no_module_is_found(name: str) -> None:
    assert paths.asset(name).exists()


def test_it_lies_inside_the_package_or_beside_it_but_not_in_both() -> None:
    for name in ("experiments", "native"):
        assert (PACKAGE / name).exists() != (PACKAGE.parent / name).exists()


def test_an_installation_knows_its_files_or_is_editable() -> None:
    files = {str(file) for file in metadata.files("ffibench") or []}
    inside = (PACKAGE / "native").exists()
    assert ("ffibench/native/include/zmq.h" in files) is inside
    assert ("ffibench/experiments/xsub/c.c" in files) is inside
    assert not any(file.startswith(("native/", "experiments/")) for file in files)


def test_only_the_folder_that_is_asked_for_to_be_written_to_is_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = tmp_path / "ffibench" / "shims"
    assert paths.cache_path("shims") == path
    assert list(tmp_path.iterdir()) == []
    assert paths.cache_folder("shims") == path
    assert path.stat().st_mode & 0o777 == 0o700


def test_an_installation_without_them_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(paths, "PACKAGE", tmp_path / "ffibench")
    with pytest.raises(FfibenchError, match=r"lacks native.*pip install"):
        paths.asset("native")
