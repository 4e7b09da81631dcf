"""The host of a run: what it is, how it is set, and its noise while a round was measured."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Disturbance = Literal["load", "pressure", "steal", "throttled", "suspended", "sibling", "switches", "waits"]
"""Why a round was disturbed. What each means, and from when on, stands in `ffibench.noise.disturbances`."""


class Host(Struct, frozen=True, kw_only=True):
    """The machine of a run. What it does not tell is None."""

    system: str
    machine: str
    processor: str
    processors: int
    pinned_to: int | None
    governor: str | None
    """Of the frequency of all processors; those of several kinds are joined by a comma."""
    virtualisation: str | None
    tool: str
    """Version of ffibench and of the Python that runs it."""
    turbo: bool | None = None
    """Whether processors may run above their nominal frequency."""
    clock_source: str | None = None
    """What the kernel reads the time from: `tsc`, `kvm-clock`, `hpet`."""
    quota: float | None = None
    """Processors that the control group may use at the most."""
    siblings: tuple[int, ...] = ()
    """Processors that share the core of the one that workers are pinned to (SMT)."""
    numa_nodes: int | None = None
    on_battery: bool | None = None
    power_profile: str | None = None
    """The firmware's platform profile: `performance`, `balanced`, `low-power`."""
    tracer: str | None = None
    """The program that traces the tool, and so may trace its workers: `strace`, `gdb`."""
    injected: dict[str, str] = {}
    """What puts foreign code into every worker: `LD_PRELOAD` and its like, with what they name."""


class HostSample(Struct, frozen=True, kw_only=True):
    """The host's noise over one stretch of time: shares are between 0 and 1. What the host does not tell is None."""

    load1: float
    pressure: float | None
    """Share of the time in which some task waited for a processor (Linux PSI)."""
    steal: float | None
    """Share of the time that the hypervisor took away."""
    group_pressure: float | None = None
    """Share of the time in which some task of the tool's own control group waited for a processor."""
    others: float | None = None
    """Processors that other programs kept busy: 0.5 is half of one."""
    sibling: float | None = None
    """Share of the time in which a processor of the same core was busy: the busiest."""
    throttles: int | None = None
    """How often the control group was stopped because its quota was used up."""
    suspended_s: float | None = None
    """Seconds that the machine was suspended."""
    busiest: tuple[str, ...] = ()
    """The programs that used most, where it was looked for them: `make`, `postgres of postgres`."""


class Conditions(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the kernel says of a live worker when it has done its work. What it does not tell is None."""

    switches: int | None = None
    """Involuntary switches of its first thread from `go` to its last line: set-up and end are not in it."""
    processors: str | None = None
    """The processors that it may run on, as the kernel lists them: `1`, `0-3`."""
    tracer: str | None = None
    """The program that traces it."""
    instruments: tuple[str, ...] = ()
    """Sanitizers and profilers whose libraries are mapped into it: `AddressSanitizer`, `Valgrind`."""


class InterpreterBuild(Struct, frozen=True, kw_only=True):
    """How an interpreter that runs contestants was built. None where that cannot be told."""

    name: str
    """As in a contestant's `interpreter`."""
    debug: bool = False
    pgo: bool | None = None
    """Optimised by a profile."""
    lto: bool | None = None
    """Optimised while linked."""
