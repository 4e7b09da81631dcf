"""The host's facts and its noise in words, for the lines under a table and for `ffibench doctor`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ffibench.model import Host, HostSample
from ffibench.noise.disturbances import pressure_of

NAMES_MAX = 3


def listed(names: Sequence[str]) -> str:
    """List names: `a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def named(names: Sequence[str]) -> str:
    """List names, of many the first three, and how many more there are."""
    shown = list(names[:NAMES_MAX])
    if len(names) > NAMES_MAX:
        shown.append(f"{len(names) - NAMES_MAX} more")
    return listed(shown)


def host_words(host: Host) -> list[str]:
    """Say how a host is set, as far as it tells."""
    said = []
    if host.virtualisation:
        said.append(f"under {host.virtualisation}")
    if host.governor:
        said.append(f"governor {host.governor}")
    if host.turbo is not None:
        said.append(f"turbo {'on' if host.turbo else 'off'}")
    if host.clock_source:
        said.append(f"clock {host.clock_source}")
    if host.quota is not None:
        said.append(f"a quota of {host.quota:g} processors")
    if (host.numa_nodes or 1) > 1:
        said.append(f"{host.numa_nodes} NUMA nodes")
    if host.power_profile:
        said.append(f"power profile {host.power_profile}")
    if host.on_battery:
        said.append("on battery")
    return said


def noise_words(samples: Sequence[HostSample]) -> list[str]:
    """Say how noisy a host was, from the least to the most of what was sampled: `load 0.4 to 0.9`."""
    spans = (
        _span("load", "", (sample.load1 for sample in samples), _tenths),
        _span("pressure", "", (pressure_of(sample) for sample in samples), _percent),
        _span("steal", "", (sample.steal for sample in samples), _percent),
        _span("other processes:", " CPU", (sample.others for sample in samples), _tenths),
        _span("sibling busy", "", (sample.sibling for sample in samples), _percent),
    )
    return [span for span in spans if span]


def _tenths(value: float) -> str:
    return f"{value:.1f}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _span(name: str, unit: str, values: Iterable[float | None], shown: Callable[[float], str]) -> str:
    """Give the least and the most; empty where nothing was sampled."""
    known = [value for value in values if value is not None]
    if not known:
        return ""
    low, high = shown(min(known)), shown(max(known))
    return f"{name} {high}{unit}" if low == high else f"{name} {low} to {high}{unit}"
