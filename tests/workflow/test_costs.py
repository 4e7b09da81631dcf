"""The promise: lines are those a person keeps up, sizes those of what is loaded, times those of the build."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.contestants import plan_of

from ffibench.builds.times import TIMES, recorded_times
from ffibench.model import BindingParts, PlannedWorker
from ffibench.plan.options import ContestantOptions
from ffibench.workflow.costs import binding_parts, lines_of, stripped_bytes
from ffibench.workflow.prepare import Prepared, prepare

NAMES = ("python/capi", "python/cffi-abi", "python/cffi-api", "python/ctypes", "python/nanobind")


@pytest.fixture(scope="module")
def prepared(private_folders: None) -> Prepared:
    return prepare("xsub", ContestantOptions(contestants=NAMES))


def parts_of(prepared: Prepared, *names: str) -> dict[str, BindingParts]:
    """The bindings of a plan that has these contestants."""
    chosen = [candidate.contestant for candidate, _ in prepared.chosen if candidate.contestant.name in names]
    plan = plan_of(*(PlannedWorker(contestant=each, role="worker", command=("work",)) for each in chosen))
    return {each.contestant: each for each in binding_parts(prepared, plan, {})}


@pytest.fixture(scope="module")
def parts(prepared: Prepared) -> dict[str, BindingParts]:
    return parts_of(prepared, "c", "control", *NAMES)


def artifact_of(prepared: Prepared, name: str) -> Path:
    (found,) = (path for candidate, path in prepared.chosen if candidate.contestant.name == name)
    assert found is not None
    return found


def test_the_baseline_and_its_control_have_no_binding(parts: dict[str, BindingParts]) -> None:
    assert tuple(sorted(parts)) == NAMES


def test_contestants_that_are_not_in_the_plan_are_left_out(prepared: Prepared) -> None:
    assert set(parts_of(prepared, "c", "python/ctypes")) == {"python/ctypes"}


@pytest.mark.parametrize(
    ("name", "sources", "modules"),
    [
        ("python/capi", {"zmq_capi.c"}, {"zmq_capi.so"}),
        ("python/cffi-abi", {"generate.py", "zmq_cffi_abi.py"}, {"_zmq_cffi_abi.py", "zmq_cffi_abi.py"}),
        ("python/cffi-api", {"generate.py", "zmq_cffi_api.py"}, {"_zmq_cffi_api.so", "zmq_cffi_api.py"}),
        ("python/ctypes", {"zmq_ctypes.py"}, {"zmq_ctypes.py"}),
        ("python/nanobind", {"zmq_nanobind.cpp"}, {"zmq_nanobind.so"}),
    ],
)
def test_the_files_are_named(parts: dict[str, BindingParts], name: str, sources: set[str], modules: set[str]) -> None:
    """Neither the C that cffi writes nor meson.build is a line that somebody would keep up."""
    assert set(parts[name].sources) == sources
    assert set(parts[name].modules) == modules


def test_lines_and_bytes_are_those_of_the_files(prepared: Prepared, parts: dict[str, BindingParts]) -> None:
    shim = artifact_of(prepared, "python/ctypes")
    text = shim.read_text(encoding="utf-8")
    assert parts["python/ctypes"].sources == {shim.name: len([line for line in text.split("\n") if line.strip()])}
    assert parts["python/ctypes"].modules == {shim.name: len(shim.read_bytes())}


def test_a_stripped_module_is_smaller_and_a_source_is_not_stripped(parts: dict[str, BindingParts]) -> None:
    for name in ("python/capi", "python/nanobind", "python/cffi-api"):
        stripped = parts[name].stripped_bytes
        assert stripped is not None
        assert 4096 < stripped < sum(parts[name].modules.values())
    assert parts["python/ctypes"].stripped_bytes is parts["python/cffi-abi"].stripped_bytes is None


def test_without_strip_there_is_no_such_size(
    prepared: Prepared, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    module = artifact_of(prepared, "python/capi")
    (tmp_path / "no.so").write_text("no module", encoding="utf-8")
    assert stripped_bytes([tmp_path / "no.so"]) is None
    monkeypatch.setenv("PATH", str(tmp_path))
    assert stripped_bytes([module]) is None


def test_the_time_is_the_recorded_one_and_that_of_the_core_apart(
    prepared: Prepared, parts: dict[str, BindingParts]
) -> None:
    folder = artifact_of(prepared, "python/nanobind").parent.parent
    times = recorded_times(folder)
    assert times is not None
    nanobind = parts["python/nanobind"]
    assert (nanobind.built, nanobind.compile_seconds) == (True, times.compile_seconds)
    assert nanobind.core == "python/nanobind-core"
    assert nanobind.core_seconds is not None
    assert nanobind.core_seconds > 0
    assert (parts["python/ctypes"].built, parts["python/ctypes"].compile_seconds) == (False, None)
    assert parts["python/capi"].core == ""


def test_a_build_from_before_the_recording_has_no_time(prepared: Prepared) -> None:
    record = artifact_of(prepared, "python/capi").parent.parent / TIMES
    kept = record.read_bytes()
    record.unlink()
    try:
        capi = parts_of(prepared, "c", "python/capi")["python/capi"]
    finally:
        record.write_bytes(kept)
    assert (capi.built, capi.compile_seconds) == (True, None)


@pytest.mark.parametrize(("text", "lines"), [("", 0), ("\n \n\t\n", 0), ("a\n\nb", 2), ("a\r\n  b\n", 2)])
def test_blank_lines_are_none(text: str, lines: int) -> None:
    assert lines_of(text) == lines
