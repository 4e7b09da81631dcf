"""`requires=NAME` of a contestant's file: the row is missing without it, a run says which version it had."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli

from ffibench.catalog import Candidate, candidates, find_experiment
from ffibench.languages.python import language as python
from ffibench.model.runtime import Missing
from ffibench.worker.describe import describe

HERE = {name: metadata.version(name) for name in ("msgspec", "pyzmq")}


def noted(tally: Path, note: str, name: str = "python.py") -> Path:
    """Give a contestant of `tally` a note; return the folder."""
    path = tally / name
    before, after = ("/* ", " */\n") if path.suffix == ".c" else ("# ", "\n")
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(f"{before}ffibench: {note}{after}{text}", encoding="utf-8")
    return tally


def found(folder: Path | str, name: str, **requested: Sequence[str]) -> Candidate:
    (candidate,) = (
        each for each in candidates(find_experiment(str(folder)), requested) if each.contestant.name == name
    )
    return candidate


def test_every_binding_that_the_file_drives_has_the_packages_and_their_versions(tally: Path) -> None:
    noted(tally, "requires=msgspec,pyzmq")
    (source,) = (each for each in find_experiment(str(tally)).sources if each.language == "python")
    assert source.requires == ("msgspec", "pyzmq")
    for name in ("python/ctypes", "python/capi~nogil"):
        assert found(tally, name).contestant.packages == HERE
    assert found(tally, "c").contestant.packages == {}


def test_a_contestant_of_its_own_has_them_beside_its_distribution(tally: Path) -> None:
    mine = found(noted(tally, "distribution=pyzmq requires=msgspec", "mine.py"), "python/mine").contestant
    assert (mine.version, mine.packages) == (HERE["pyzmq"], {"msgspec": HERE["msgspec"]})


def test_what_is_missing_makes_the_row_missing(tally: Path) -> None:
    missing = found(noted(tally, "requires=msgspec,no-such-package"), "python/ctypes").missing
    assert missing == Missing(
        reason="the Python package no-such-package is not installed",
        fix=f"{sys.executable} -m pip install no-such-package",
    )


def test_what_an_extra_brings_is_installed_by_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    distributions = metadata.distributions

    def lacking(**options: Any) -> list[metadata.Distribution]:  # noqa: ANN401 (as the function has them)
        return [] if options.get("name") == "cbor2" else list(distributions(**options))

    monkeypatch.setattr(metadata, "distributions", lacking)
    rows = {each.contestant.name: each.missing for each in candidates(find_experiment("codec"))}
    told = Missing(
        reason="the Python package cbor2 is not installed",
        fix=f"{sys.executable} -m pip install 'ffibench[codec]'",
    )
    assert {name for name, missing in rows.items() if missing == told} == {
        name for name in rows if name.startswith("python/")
    }
    assert rows["c"] is None


def test_a_language_without_packages_says_so(tally: Path) -> None:
    missing = found(noted(tally, "requires=zcbor", "second.c"), "c/second").missing
    assert missing is not None
    assert missing.reason == "C has no packages here: zcbor"
    assert missing.fix == "take away distribution= and requires= in its file"


# --- other interpreters ---------------------------------------------------------------------------


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The packages that a private environment was asked for; it has none of them."""
    asked: list[str] = []
    facts = describe()

    def private_environment(_: object, packages: Sequence[str]) -> str:
        asked.extend(packages)
        return "private"

    def run_describe(path: str) -> dict[str, str]:
        return {**facts, "purelib": str(tmp_path / path), "executable": path, "real": path}

    monkeypatch.setattr(python, "private_environment", private_environment)
    monkeypatch.setattr(python, "run_describe", run_describe)
    return asked


def test_a_private_environment_is_given_them(tally: Path, given: list[str]) -> None:
    missing = found(noted(tally, "requires=msgspec"), "python/ctypes", python=["another"]).missing
    assert "msgspec" in given
    assert missing is not None
    assert missing.reason.startswith("msgspec could not be installed for CPython")
    assert missing.fix == "private -m pip install msgspec"


def test_what_the_tools_own_environment_lacks_is_installed_there(tally: Path, given: list[str]) -> None:
    missing = found(noted(tally, "requires=no-such-package"), "python/ctypes", python=["another"]).missing
    assert missing == Missing(
        reason="the Python package no-such-package is not installed",
        fix=f"{sys.executable} -m pip install no-such-package",
    )


# --- what a run says ------------------------------------------------------------------------------


def test_a_run_keeps_the_versions_and_prints_them(tally: Path, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    folder = str(noted(tally, "requires=msgspec"))
    answer = cli("run", folder, "-c", "python/ctypes", "--rounds", "1", "--json", str(file))
    assert answer.returncode == 0, answer.stderr
    run = json.loads(file.read_text(encoding="utf-8"))
    kept = {each["contestant"]["name"]: each["contestant"].get("packages") for each in run["plan"]["workers"]}
    assert kept["python/ctypes"] == {"msgspec": HERE["msgspec"]}
    for text in (answer.stdout, cli("show", str(file)).stdout):
        (line,) = (each for each in text.splitlines() if each.startswith("versions "))
        assert f"; msgspec {HERE['msgspec']}" in line
