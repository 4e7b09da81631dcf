"""The promise: a host or an interpreter that is badly set is warned of with what mends it, and a good one is not."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from support.runs import HOST

from ffibench.model import InterpreterBuild, RunWarning
from ffibench.noise.configuration import debug_builds, plain_builds
from ffibench.noise.warnings import configuration_warnings


def warnings(**changes: object) -> list[RunWarning]:
    return list(configuration_warnings(replace(HOST, **changes)))


def test_a_host_that_is_well_set() -> None:
    assert warnings() == []
    assert warnings(turbo=False, clock_source="tsc", quota=2.0, on_battery=False, power_profile="performance") == []


@pytest.mark.parametrize(
    ("changes", "code", "words", "fix"),
    [
        ({"governor": "powersave"}, "governor", "powersave", "cpupower"),
        ({"governor": "performance, powersave"}, "governor", "performance, powersave", "cpupower"),
        ({"turbo": True}, "turbo", "nominal frequency", "no_turbo"),
        ({"on_battery": True}, "power", "battery", "Plug it in"),
        ({"on_battery": True, "power_profile": "low-power"}, "power", "battery", "Plug it in"),
        ({"power_profile": "low-power"}, "power", "low-power", "powerprofilesctl"),
        ({"clock_source": "hpet"}, "clock", "hpet", "clocksource0"),
        ({"quota": 1.0}, "quota", "1 processors", "--cpus 2"),
        ({"quota": 0.25}, "quota", "0.25 processors", "--cpus 2"),
        ({"tracer": "strace"}, "tracer", "strace traces ffibench", "without it"),
        ({"injected": {"LD_PRELOAD": "libasan.so.8"}}, "injected", "LD_PRELOAD=libasan.so.8", "unset LD_PRELOAD"),
        ({"injected": {"/etc/ld.so.preload": "/lib/a.so"}}, "injected", "/etc/ld.so.preload=", "Empty"),
    ],
)
def test_a_host_that_is_not(changes: dict[str, object], code: str, words: str, fix: str) -> None:
    (warning,) = warnings(**changes)
    assert warning.code == code
    assert words in warning.text
    assert fix in warning.fix
    assert warning.text.endswith(".")
    assert warning.fix.endswith(".")


@pytest.mark.parametrize("source", [None, "tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter"])
def test_clocks_that_are_read_without_a_system_call(source: str | None) -> None:
    assert warnings(clock_source=source) == []


@pytest.mark.parametrize("profile", [None, "balanced", "balanced-performance", "performance", "custom"])
def test_profiles_that_let_the_processor_run(profile: str | None) -> None:
    assert warnings(power_profile=profile) == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("clock_source", source) for source in ("hpet", "acpi_pm", "jiffies", "refined-jiffies")),
        *(("power_profile", profile) for profile in ("low-power", "cool", "quiet")),
    ],
)
def test_every_slow_clock_and_saving_profile_is_warned_of_by_its_name(field: str, value: str) -> None:
    (warning,) = warnings(**{field: value})
    assert f" {value}" in warning.text


def test_of_code_put_in_by_variable_and_by_file_the_variables_can_be_unset() -> None:
    (warning,) = warnings(injected={"LD_PRELOAD": "/a.so", "/etc/ld.so.preload": "/b.so", "LD_AUDIT": "/c.so"})
    assert warning.fix == "unset LD_PRELOAD LD_AUDIT and run again."


def test_what_changed_during_the_run_is_told_too() -> None:
    """A kernel that loses its trust in the tsc takes another clock, and a plug can be pulled."""
    trusted = replace(HOST, clock_source="tsc")
    found = list(configuration_warnings(trusted, replace(HOST, clock_source="hpet", on_battery=True)))
    assert [warning.code for warning in found] == ["power", "clock"]
    assert [warning.code for warning in configuration_warnings(replace(HOST, on_battery=True), trusted)] == ["power"]


class TestBuilds:
    GOOD = InterpreterBuild(name="CPython 3.13.0", pgo=True, lto=True)
    UNTOLD = InterpreterBuild(name="CPython 3.11.2")
    PLAIN = InterpreterBuild(name="CPython 3.11.7", pgo=False, lto=False)
    DEBUG = InterpreterBuild(name="CPython 3.12.1 debug", debug=True, pgo=False, lto=False)

    def test_nothing_is_said_of_what_cannot_be_told(self) -> None:
        for builds in ((), (self.GOOD,), (self.UNTOLD, self.GOOD), (replace(self.GOOD, lto=False),)):
            assert debug_builds(builds) is plain_builds(builds) is None

    def test_a_debug_build(self) -> None:
        found = debug_builds((self.GOOD, self.DEBUG))
        assert found is not None
        assert found.text == "CPython 3.12.1 debug is a debug build, whose checks slow every crossing."
        assert plain_builds((self.DEBUG,)) is None  # once is enough

    def test_builds_without_a_profile(self) -> None:
        found = plain_builds((self.GOOD, self.PLAIN))
        assert found is not None
        assert found.text.startswith("CPython 3.11.7 was built without PGO and LTO, which ")
        found = plain_builds((self.PLAIN, replace(self.PLAIN, name="CPython 3.12.1", lto=True)))
        assert found is not None
        assert found.text.startswith("CPython 3.11.7 and CPython 3.12.1 were built without PGO, which ")
