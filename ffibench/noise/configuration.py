"""How a host is set, and what that does to figures: a small function a warning, from facts to a warning or None."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ffibench.model import Host, InterpreterBuild, RunWarning
from ffibench.noise.descriptions import named

# What the kernel reads the time from without a system call, by its vDSO, is left alone: tsc, kvm-clock, hyperv's
# page, arm's counter. These are read from a device, in a system call: a microsecond or more, four times a slice.
SLOW_CLOCKS = frozenset({"hpet", "acpi_pm", "jiffies", "refined-jiffies"})

# The kernel's sysfs-platform_profile names seven; these hold the processor back.
SAVING_PROFILES = frozenset({"low-power", "cool", "quiet"})

# A worker keeps one processor busy by itself, and the harness needs a little of another.
QUOTA_MIN = 1.0

NOT_PINNED = RunWarning(
    code="pinning",
    text="This system cannot pin a process to a processor, so that intervals are wider than they need be.",
    fix="Run on Linux, or with --rigorous for more rounds.",
)


def governor(host: Host) -> RunWarning | None:
    """A governor other than `performance` changes the frequency while a slice runs."""
    if host.governor in {None, "performance"}:
        return None
    return RunWarning(
        code="governor",
        text=f"The processor's frequency is scaled by the governor {host.governor}.",
        fix="cpupower frequency-set --governor performance holds it still.",
    )


def turbo(host: Host) -> RunWarning | None:
    """With turbo the frequency depends on heat and on what other cores do."""
    if not host.turbo:
        return None
    return RunWarning(
        code="turbo",
        text="The processor may run above its nominal frequency, for as long as heat and other cores let it.",
        fix="echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo, or echo 0 > "
        "/sys/devices/system/cpu/cpufreq/boost, switches that off.",
    )


def power(host: Host) -> RunWarning | None:
    """A battery or a saving profile holds the processor back, more so as it empties."""
    if host.on_battery:
        text, fix = "The machine runs on its battery, and saves power.", "Plug it in and run again."
    elif host.power_profile in SAVING_PROFILES:
        text = f"The power profile {host.power_profile} holds the processor back."
        fix = "powerprofilesctl set performance lets it run."
    else:
        return None
    return RunWarning(code="power", text=text, fix=fix)


def clock(host: Host) -> RunWarning | None:
    """A clock that is slow to read adds its own time to every slice."""
    if host.clock_source not in SLOW_CLOCKS:
        return None
    return RunWarning(
        code="clock",
        text=f"The clock source is {host.clock_source}, which takes a microsecond or more to read.",
        fix="More iterations make that small; echo tsc > "
        "/sys/devices/system/clocksource/clocksource0/current_clocksource takes another, where the kernel trusts it.",
    )


def quota(host: Host) -> RunWarning | None:
    """A quota of a processor or less is used up by a worker alone, which is then stopped."""
    if host.quota is None or host.quota > QUOTA_MIN:
        return None
    return RunWarning(
        code="quota",
        text=f"The control group may use {host.quota:g} processors, which a worker alone uses up.",
        fix="Give the container or service more, as docker run --cpus 2 does, or lift its CPUQuota.",
    )


def tracer(host: Host) -> RunWarning | None:
    """A tracer stops a process at its system calls, and one that follows children the workers too."""
    if host.tracer is None:
        return None
    return RunWarning(
        code="tracer",
        text=f"{host.tracer} traces ffibench, and its workers where it follows children.",
        fix="Run without it.",
    )


def injected(host: Host) -> RunWarning | None:
    """What is preloaded runs in every worker, the baseline among them."""
    if not host.injected:
        return None
    said = ", ".join(f"{name}={value}" for name, value in host.injected.items())
    return RunWarning(
        code="injected",
        text=f"Code that is not under test is put into every worker, or its memory watched: {said}.",
        fix=f"unset {' '.join(name for name in host.injected if '/' not in name)} and run again."
        if any("/" not in name for name in host.injected)
        else "Empty that file, or run in a container, and run again.",
    )


def debug_builds(builds: Sequence[InterpreterBuild]) -> RunWarning | None:
    """A debug build tests its own assumptions in every crossing."""
    names = [build.name for build in builds if build.debug]
    if not names:
        return None
    return RunWarning(
        code="debug",
        text=f"{named(names)} {'is a debug build' if len(names) == 1 else 'are debug builds'}, "
        "whose checks slow every crossing.",
        fix="--python PATH takes a release build.",
    )


def plain_builds(builds: Sequence[InterpreterBuild]) -> RunWarning | None:
    """An interpreter that no profile optimised is slower at everything but the native call.

    A Python without PGO and LTO moved ratios by 6 to 29 % against a distribution's build of the same version.
    One that lacks LTO alone is not warned of: nothing was measured that would bear it.
    """
    plain = [build for build in builds if build.pgo is False and not build.debug]
    if not plain:
        return None
    without = "PGO and LTO" if all(build.lto is False for build in plain) else "PGO"
    return RunWarning(
        code="build",
        text=f"{named([build.name for build in plain])} {'was' if len(plain) == 1 else 'were'} built without "
        f"{without}, which has been seen to move ratios by 6 to 29 %.",
        fix="--python PATH takes another; PYTHON_CONFIGURE_OPTS='--enable-optimizations --with-lto' before pyenv "
        "install builds one.",
    )


OF_HOSTS: tuple[Callable[[Host], RunWarning | None], ...] = (
    tracer,
    injected,
    quota,
    power,
    governor,
    turbo,
    clock,
)
