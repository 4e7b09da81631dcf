"""What every row of the fault matrix has: folders of its own, and the promise that nothing is left behind."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from click.testing import CliRunner
from support.contestants import Script, scripted_plan
from support.faults import Command, Play, Seen, seen
from support.leftovers import assert_as_before, assert_gone, footprint
from support.shell import Shell

from ffibench.cli import cli
from ffibench.paths import cache_folder
from ffibench.workflow import measure

DATA = Path(__file__).parent / "data"


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a path short enough for the sockets in it."""
    path = Path(tempfile.mkdtemp(prefix="f-", dir="/tmp"))
    yield path
    shutil.rmtree(path)


@pytest.fixture(autouse=True)
def nothing_left(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever the fault: no process, socket, temporary folder, half a file or half a build stays behind.

    Processes are known by a mark in their environment, which they inherit whatever group or session they enter.
    """
    mark = f"FAULTS={uuid4()}"
    monkeypatch.setenv(*mark.split("="))
    temporary, data = folder / "tmp", folder / "data"
    for each in (temporary, data):
        each.mkdir(mode=0o700)
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setenv("XDG_DATA_HOME", str(data))
    before = footprint()
    yield
    assert_gone(mark)
    assert_as_before(before)
    assert list(temporary.iterdir()) == []
    assert [path.name for path in data.rglob(".*")] == []
    assert [path.name for path in cache_folder("shims").glob(".*")] == []


@pytest.fixture
def play(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Run `ffibench run` with scripted workers in place of built ones; the rest is the real command.

    `python/a` has the script that is given, from its second round on where that says nothing else, among two that
    keep to the contract. Keyword arguments that a plan has are the plan's.
    """

    def run(script: Mapping[str, object], *arguments: str, **changes: Any) -> Seen:  # noqa: ANN401
        faulty: Script = {"gross": 50, "since": 2, **script}
        scripts: dict[str, float | Script] = {"c": 20, "python/a": faulty, "python/b": 40}
        plan = scripted_plan(folder, scripts, **{"transport": "ipc", "audited": False, **changes})
        ready = SimpleNamespace(failures=(), folder=None, chosen=(), unavailable=(), library=plan.library)
        monkeypatch.setattr(measure, "prepare", lambda *_, **__: ready)
        monkeypatch.setattr(measure, "make_plan", lambda *_: plan)
        answer = CliRunner().invoke(cli, ["run", "work", *arguments])
        return seen(answer.exit_code, answer.stdout, answer.stderr)

    return run


@pytest.fixture(scope="module", autouse=True)
def own_cache(private_folders: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache in which nobody else builds meanwhile, so that all that is found there was left by these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "faults"))
        yield


@pytest.fixture(scope="session")
def experiment(private_folders: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The experiment `tally` with one contestant beside the baseline, `python/broken`; its shims are built."""
    path = tmp_path_factory.mktemp("faults") / "tally"
    shutil.copytree(DATA.parents[1] / "cli/data/tally", path)
    (path / "python.py").unlink()
    shutil.copy(DATA / "broken.py", path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "faults"))
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        assert Command(path.parent, path)("build", str(path)).status == 0
    return path


@pytest.fixture
def own(private_folders: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The experiment `tally` with its baseline alone, to be spoiled; always at one path, so that it is built once."""
    path = tmp_path_factory.getbasetemp() / "own" / "tally"
    shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(DATA.parents[1] / "cli/data/tally", path)
    (path / "python.py").unlink()
    return path


@pytest.fixture
def shell(own: Path) -> Shell:
    """Run lines of a shell."""
    return Shell(own)


@pytest.fixture
def command(folder: Path, experiment: Path) -> Command:
    """Run the real command."""
    return Command(folder, experiment)
