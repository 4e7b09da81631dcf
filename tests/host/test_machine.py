"""The promise: a machine is described by what it tells of itself, and what it does not tell is left out."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import pytest
from support.trees import plant

from ffibench.host.machine import describe_host, worker_cpu
from ffibench.model import Host

CPU = "sys/devices/system/cpu"
SUPPLY = "sys/class/power_supply"
CLOCK = "sys/devices/system/clocksource/clocksource0/current_clocksource"


def described(
    root: Path, files: dict[str, str], *, cpu: int | None = 1, environment: dict[str, str] | None = None
) -> Host:
    return describe_host(cpu, root=plant(root, files), environment=environment or {})


def test_the_machine_is_described() -> None:
    found = describe_host(1)
    assert found.system == f"{platform.system()} {platform.release()}"
    assert found.processors == os.cpu_count()
    assert found.pinned_to == 1
    assert found.processor
    assert found.tool.startswith("ffibench ")
    assert platform.python_version() in found.tool


def test_what_a_machine_does_not_tell(tmp_path: Path) -> None:
    host = described(tmp_path, {})
    told = (host.governor, host.virtualisation, host.turbo, host.clock_source, host.quota)
    more = (host.numa_nodes, host.on_battery, host.power_profile, host.tracer)
    assert {*told, *more} == {None}
    assert (host.siblings, host.injected) == ((), {})


def test_processor_and_hypervisor(tmp_path: Path) -> None:
    bare = "processor : 0\nmodel name\t: Some 9000\nflags : fpu\n"
    assert described(tmp_path, {"proc/cpuinfo": bare}).processor == "Some 9000"
    assert described(tmp_path, {"proc/cpuinfo": bare}).virtualisation is None
    guest = {"proc/cpuinfo": bare.replace("fpu", "fpu hypervisor")}
    assert described(tmp_path, guest).virtualisation == "a virtual machine"
    assert described(tmp_path, {**guest, "sys/class/dmi/id/sys_vendor": "QEMU\n"}).virtualisation == "QEMU"


@pytest.mark.parametrize(
    ("content", "governor"), [("powersave\n", "powersave"), ("\n", None), ("\udcff", "\N{REPLACEMENT CHARACTER}")]
)
def test_the_governor_is_read(content: str, governor: str | None, tmp_path: Path) -> None:
    file = tmp_path / CPU / "cpu0/cpufreq/scaling_governor"
    file.parent.mkdir(parents=True)
    file.write_bytes(content.encode(errors="surrogateescape"))
    assert describe_host(None, root=tmp_path).governor == governor


def test_the_governors_of_all_processors_are_read(tmp_path: Path) -> None:
    kinds = ("powersave", "performance", "powersave")
    files = {f"{CPU}/cpu{number}/cpufreq/scaling_governor": kind for number, kind in enumerate(kinds)}
    assert described(tmp_path, files).governor == "performance, powersave"


@pytest.mark.parametrize(
    ("files", "turbo"),
    [
        pytest.param({"intel_pstate/no_turbo": "0\n"}, True, id="intel, on"),
        pytest.param({"intel_pstate/no_turbo": "1\n", "cpufreq/boost": "1\n"}, False, id="intel, off"),
        pytest.param({"cpufreq/boost": "1\n"}, True, id="acpi, on"),
        pytest.param({"cpufreq/boost": "0\n"}, False, id="acpi, off"),
        pytest.param({"cpufreq/policy0/boost": "0\n", "cpufreq/policy1/boost": "1\n"}, True, id="amd, one of two"),
        pytest.param({"cpufreq/boost": "\n"}, None, id="nothing in it"),
    ],
)
def test_turbo(files: dict[str, str], turbo: bool | None, tmp_path: Path) -> None:
    assert described(tmp_path, {f"{CPU}/{path}": content for path, content in files.items()}).turbo is turbo


@pytest.mark.parametrize(
    ("supplies", "on_battery"),
    [
        pytest.param({"BAT0": ("Battery", "Discharging", "")}, True, id="unplugged"),
        pytest.param({"AC": ("Mains", "", ""), "BAT0": ("Battery", "Charging", "System")}, False, id="plugged in"),
        pytest.param({"BAT0": ("Battery", "Full", ""), "BAT1": ("Battery", "Discharging", "")}, True, id="two"),
        pytest.param({"hidpp_battery_0": ("Battery", "Discharging", "Device")}, None, id="of a mouse"),
        pytest.param({"AC": ("Mains", "", "")}, None, id="none"),
    ],
)
def test_the_battery(supplies: dict[str, tuple[str, str, str]], on_battery: bool | None, tmp_path: Path) -> None:
    files = {
        f"{SUPPLY}/{name}/{file}": content
        for name, contents in supplies.items()
        for file, content in zip(("type", "status", "scope"), contents, strict=True)
    }
    assert described(tmp_path, files).on_battery is on_battery


def test_profile_clock_and_nodes(tmp_path: Path) -> None:
    files = {
        "sys/firmware/acpi/platform_profile": "low-power\n",
        CLOCK: "hpet\n",
        "sys/devices/system/node/online": "0-1,4\n",
    }
    host = described(tmp_path, files)
    assert (host.power_profile, host.clock_source, host.numa_nodes) == ("low-power", "hpet", 3)


@pytest.mark.parametrize(("listed", "siblings"), [("1,5\n", (5,)), ("0-1\n", (0,)), ("1\n", ()), ("what?\n", ())])
def test_who_shares_the_core(listed: str, siblings: tuple[int, ...], tmp_path: Path) -> None:
    files = {f"{CPU}/cpu1/topology/thread_siblings_list": listed}
    assert described(tmp_path, files).siblings == siblings
    assert described(tmp_path, files, cpu=None).siblings == ()


def test_who_traces_the_tool(tmp_path: Path) -> None:
    status = "Name:\tffibench\nTracerPid:\t77\n"
    assert described(tmp_path, {"proc/self/status": status}).tracer == "process 77"
    assert described(tmp_path, {"proc/77/comm": "strace\n"}).tracer == "strace"
    assert described(tmp_path, {"proc/self/status": status.replace("77", "0")}).tracer is None


def test_what_is_put_into_every_worker(tmp_path: Path) -> None:
    """Python's own variables are not: its workers run isolated."""
    given = {"LD_PRELOAD": "libasan.so.8", "LD_AUDIT": "", "PYTHONPROFILEIMPORTTIME": "1", "HOME": "/"}
    assert described(tmp_path, {}, environment=given).injected == {"LD_PRELOAD": "libasan.so.8"}
    files = {"etc/ld.so.preload": "/lib/one.so\n/lib/two.so\n"}
    assert described(tmp_path, files).injected == {"/etc/ld.so.preload": "/lib/one.so /lib/two.so"}


def test_the_tool_s_own_environment_is_what_workers_inherit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERL5OPT", "-d:NYTProf")
    assert describe_host(None, root=tmp_path).injected["PERL5OPT"] == "-d:NYTProf"


def test_workers_get_the_last_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "sched_getaffinity", lambda pid: {2, 5, 3})
        assert worker_cpu() == 5


def test_a_system_that_cannot_pin(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.delattr(os, "sched_getaffinity")
        assert worker_cpu() is None
