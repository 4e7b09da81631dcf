"""The frequency settings of the processors: governor, turbo, battery and the firmware's power profile, from sysfs."""

from __future__ import annotations

from pathlib import Path

from ffibench.host.procfs import number, text

CPU = "sys/devices/system/cpu"
SUPPLIES = "sys/class/power_supply"
PROFILE = "sys/firmware/acpi/platform_profile"


def governor(root: Path) -> str | None:
    """Return the cpufreq governor of all processors, several joined by a comma; None where none is reported."""
    # A processor and its policy have the same governor; older kernels have no policy folders.
    files = (root / CPU).glob("cpu[0-9]*/cpufreq/scaling_governor")
    return ", ".join(sorted({said for file in files if (said := text(file)) is not None})) or None


def turbo(root: Path) -> bool | None:
    """Return whether a processor may run above its nominal frequency; None where that is not reported.

    intel_pstate has `no_turbo`, 1 for off; other drivers have `boost`, 1 for on, and amd_pstate one per policy.
    """
    off = number(root / CPU / "intel_pstate/no_turbo")
    if off is not None:
        return off == 0
    files = (root / CPU / "cpufreq/boost", *(root / CPU).glob("cpufreq/policy*/boost"))
    known = [on for file in files if (on := number(file)) is not None]
    return any(known) if known else None


def on_battery(root: Path) -> bool | None:
    """Return whether a battery of the machine itself, not of a mouse, is discharging; None where it has none."""
    found = None
    for supply in sorted((root / SUPPLIES).glob("*")):
        if text(supply / "type") == "Battery" and text(supply / "scope") != "Device":
            found = bool(found) or text(supply / "status") == "Discharging"
    return found


def power_profile(root: Path) -> str | None:
    """Return the firmware's platform profile."""
    return text(root / PROFILE)
