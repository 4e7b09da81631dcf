"""The machine: its hardware and its configuration."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from pathlib import Path

import ffibench
from ffibench.host import cgroups, power
from ffibench.host.procfs import ROOT, numbered, text
from ffibench.host.worker import tracer
from ffibench.model import Host

# ld.so(8), mallopt(3), perlrun(1). Python's own variables are not among them: workers run isolated, so Python
# does not read them.
INJECTING = ("LD_PRELOAD", "LD_AUDIT", "LD_PROFILE", "LD_DEBUG", "MALLOC_CHECK_", "MALLOC_PERTURB_", "PERL5OPT")
PRELOADS = "etc/ld.so.preload"


def describe_host(pinned_to: int | None, *, root: Path = ROOT, environment: Mapping[str, str] | None = None) -> Host:
    """Return what a reader of the table must know about this machine.

    `root` is the folder of /proc and /sys, `environment` what workers inherit; by default the tool's own.
    """
    return Host(
        system=f"{platform.system()} {platform.release()}",
        machine=platform.machine(),
        processor=_processor(root),
        processors=os.cpu_count() or 1,
        pinned_to=pinned_to,
        governor=power.governor(root),
        virtualisation=_virtualisation(root),
        tool=f"ffibench {ffibench.__version__} on {platform.python_implementation()} {platform.python_version()}",
        turbo=power.turbo(root),
        clock_source=text(root / "sys/devices/system/clocksource/clocksource0/current_clocksource"),
        quota=cgroups.quota(root),
        siblings=_siblings(root, pinned_to),
        numa_nodes=len(numbered(text(root / "sys/devices/system/node/online") or "")) or None,
        on_battery=power.on_battery(root),
        power_profile=power.power_profile(root),
        tracer=tracer("self", root=root),
        injected=_injected(root, os.environ if environment is None else environment),
    )


def worker_cpu() -> int | None:
    """Return the processor for single-threaded workers: the last one, since the first handles most interrupts.

    None where the system cannot pin a process.
    """
    if not hasattr(os, "sched_getaffinity"):
        return None
    return max(os.sched_getaffinity(0))


def _processor(root: Path) -> str:
    said = text(root / "proc/cpuinfo") or ""
    names = [line.partition(":")[2].strip() for line in said.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _virtualisation(root: Path) -> str | None:
    """Return the hypervisor, where the processor reports one."""
    if "hypervisor" not in (text(root / "proc/cpuinfo") or ""):
        return None
    return text(root / "sys/class/dmi/id/sys_vendor") or "a virtual machine"


def _siblings(root: Path, cpu: int | None) -> tuple[int, ...]:
    """Return the processors that share a core with the workers' one: programs there slow it down."""
    listed = text(root / f"sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list") or ""
    return tuple(each for each in numbered(listed) if each != cpu)


def _injected(root: Path, environment: Mapping[str, str]) -> dict[str, str]:
    found = {name: environment[name] for name in INJECTING if environment.get(name)}
    preloads = " ".join((text(root / PRELOADS) or "").split())
    return {**found, f"/{PRELOADS}": preloads} if preloads else found
