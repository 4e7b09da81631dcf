"""The host of a run: its hardware, its configuration, and its noise during a round."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ffibench.model.numbers import Count, Positive, Seconds, Share

Disturbance = Literal["load", "pressure", "steal", "throttled", "suspended", "sibling", "switches", "waits"]
"""Why a round was disturbed; `ffibench.noise.disturbances` defines each reason and its threshold."""


class Host(Struct, frozen=True, kw_only=True):
    """The machine of a run. None where the machine does not report a value."""

    system: str
    machine: str
    processor: str
    processors: Positive
    pinned_to: Count | None
    governor: str | None
    """The cpufreq governor of all processors; several are joined by a comma."""
    virtualisation: str | None
    tool: str
    """Versions of ffibench and of the Python that runs it."""
    turbo: bool | None = None
    """Whether processors may run above their nominal frequency."""
    clock_source: str | None = None
    """The kernel's clock source: `tsc`, `kvm-clock`, `hpet`."""
    quota: Share | None = None
    """CPU quota of the control group, in processors."""
    siblings: tuple[Count, ...] = ()
    """Processors that share the core of the one that workers are pinned to (SMT)."""
    numa_nodes: Count | None = None
    on_battery: bool | None = None
    power_profile: str | None = None
    """The firmware's platform profile: `performance`, `balanced`, `low-power`."""
    tracer: str | None = None
    """The program that traces the tool and may trace its workers: `strace`, `gdb`."""
    injected: dict[str, str] = {}
    """Environment variables that inject code into every worker, such as `LD_PRELOAD`, with their values."""


class HostSample(Struct, frozen=True, kw_only=True):
    """The host's noise over a period. Shares are between 0 and 1; None where the host does not report a value."""

    load1: Share
    pressure: Share | None
    """Share of time in which some task waited for a processor (Linux PSI)."""
    steal: Share | None
    """Share of time that the hypervisor took away."""
    group_pressure: Share | None = None
    """Share of time in which some task of the tool's own control group waited for a processor."""
    others: Share | None = None
    """CPU use of other programs, in processors: 0.5 is half of one."""
    sibling: Share | None = None
    """Share of time in which the busiest sibling of the pinned processor was busy."""
    throttles: Count | None = None
    """How often the control group was throttled by its quota."""
    suspended_s: Seconds | None = None
    """Seconds that the machine was suspended."""
    busiest: tuple[str, ...] = ()
    """The programs that used most CPU time, where they were looked up: `make`, `postgres of postgres`."""


class Conditions(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The kernel's view of a live worker after its last slice. None where the kernel does not report a value."""

    switches: Count | None = None
    """Involuntary context switches of its main thread from `go` to its last line, without set-up and exit."""
    processors: str | None = None
    """The processors that it may run on, in the kernel's notation: `1`, `0-3`."""
    tracer: str | None = None
    """The program that traces it."""
    instruments: tuple[str, ...] = ()
    """Sanitizers and profilers whose libraries it has mapped: `AddressSanitizer`, `Valgrind`."""


class InterpreterBuild(Struct, frozen=True, kw_only=True):
    """How an interpreter that runs contestants was built. None where that is unknown."""

    name: str
    """As in a contestant's `interpreter`."""
    debug: bool = False
    pgo: bool | None = None
    """Profile-guided optimisation."""
    lto: bool | None = None
    """Link-time optimisation."""
