"""The promise: `ffibench doctor` says of a host what a run's table says of it, by the same judgement."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from support.runs import HOST, QUIET

from ffibench.errors import FfibenchError
from ffibench.languages import languages
from ffibench.languages.python.language import Python
from ffibench.model import Finding
from ffibench.model.runtime import Runtime
from ffibench.noise.disturbances import CAUSES
from ffibench.worker.describe import describe
from ffibench.workflow import doctor


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> dict[str, Finding]:
    """What is said of a host that is noisy and badly set, by subject."""
    host = replace(HOST, governor="powersave", clock_source="hpet", quota=0.5)
    monkeypatch.setattr(doctor, "worker_cpu", lambda: 1)
    monkeypatch.setattr(doctor, "describe_host", lambda cpu: host)
    monkeypatch.setattr(doctor, "look", lambda siblings: replace(QUIET, steal=0.5))
    return {finding.subject: finding for finding in doctor.host_findings()}


def test_facts_come_first_and_need_no_fix(looked: dict[str, Finding]) -> None:
    assert list(looked)[:3] == ["processor", "host", "noise"]
    assert looked["host"].found == "governor powersave, clock hpet, a quota of 0.5 processors"
    assert looked["noise"].found == "load 0.1, pressure 0.0 %, steal 50.0 %"
    assert not any(looked[subject].fix for subject in ("processor", "host", "noise"))


def test_what_is_wrong_is_said_as_under_a_table(looked: dict[str, Finding]) -> None:
    assert looked["steal"].found == f"{CAUSES['steal'].text} just now."
    assert looked["steal"].fix == CAUSES["steal"].fix
    assert {"governor", "clock", "quota"} < looked.keys()
    assert not any(finding.missing for finding in looked.values())  # a run is whole all the same


def test_a_quiet_host_has_facts_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "worker_cpu", lambda: None)
    monkeypatch.setattr(doctor, "describe_host", lambda cpu: replace(HOST, governor=None))
    monkeypatch.setattr(doctor, "look", lambda siblings: QUIET)
    found = {finding.subject: finding for finding in doctor.host_findings()}
    assert list(found) == ["processor", "pinning", "noise"]
    assert [finding.subject for finding in found.values() if finding.fix] == ["pinning"]


@pytest.mark.parametrize(("pgo", "said"), [("no", ["python build"]), ("yes", []), ("", [])])
def test_the_build_of_an_interpreter_is_judged(pgo: str, said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = Runtime(
        language="python",
        label="CPython 3.11.7",
        version="3.11.7",
        executable="python3",
        identity="",
        context={**describe(), "debug": "", "pgo": pgo, "lto": "no"},
    )
    monkeypatch.setattr(Python, "runtimes", lambda self, requested, packages: [runtime])
    found = list(doctor.language_findings(languages()["python"]))
    assert [finding.subject for finding in found if finding.subject.endswith("build")] == said


def test_whether_native_calls_can_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "unsupported", lambda program: None)
    monkeypatch.setattr(doctor, "counting_library", lambda: Path("libcount.so"))
    assert doctor.counting_finding() == Finding(
        group="Audit", subject="native calls", found="can be counted from outside"
    )
    monkeypatch.setattr(
        doctor, "unsupported", lambda program: FfibenchError("python is built for musl", "use a build for glibc")
    )
    assert doctor.counting_finding().found == "python is built for musl"
    assert doctor.counting_finding().fix == "use a build for glibc"
    assert not doctor.counting_finding().missing  # its rows are shown all the same, and not ranked
