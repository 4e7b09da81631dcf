"""What disturbs a round: a small function a cause, from what was read to yes or no, and what to say of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from ffibench.model import Disturbance, Host, HostSample, Plan, WorkerRecord
from ffibench.stats import disturbed

# The figures are from a virtual machine of two processors, with a spinning worker pinned to one of them, for two or
# three seconds: alone; with `yes > /dev/null` on the other processor; with two or more programs on both.

# Pressure was 0.2 % alone, 0.7 to 1.9 % with the other processor busy, 96 to 100 % with both. A run has 1 to 7 %
# of its own making, since the harness and a worker that starts or ends meet now and then.
PRESSURE_MAX = 0.10

# Others kept 0.0 processors busy alone, 1.0 and 1.4 to 1.8 else. A worker needs one, and the harness, which reads
# its lines, something of another.
ROOM = 1.25

# 2.5 involuntary switches a second alone, 13 to 29 with the other processor busy, 71 to 146 with both: what has
# to share its processor is switched every few milliseconds.
SWITCHES_A_SECOND_MAX = 50

# Two of each process are no pattern, however short the stretch that they fell into: the harness, which reads its lines,
# takes its processor now and then. Processes of `ffibench run calls --case int -c '*'` were switched 0.4 to 4 times,
# and C's had measured for a tenth of a millisecond.
SWITCHES_A_PROCESS_MAX = 2

# What a hypervisor takes is taken from somebody: 2 % is as much as a slice may have waited, in `ffibench.stats`.
STEAL_MAX = 0.02

# Not measured: no machine with SMT was at hand. Two busy halves of a core each do some two thirds of what one does
# alone, so that a tenth of the time costs 3 to 5 %.
SIBLING_MAX = 0.10

# The two clocks are read one after the other, within a microsecond; no suspension is over in a hundredth of a second.
SUSPENDED_SECONDS_MAX = 0.01

# Other programs run: a worker shares its processor with them, or will when the kernel moves them.
CROWDS: frozenset[Disturbance] = frozenset({"load", "pressure"})

MORE_ROUNDS = "or with --rigorous for more rounds."
QUIETER = f"Run again when nothing else runs, {MORE_ROUNDS}"


class Cause(Struct, frozen=True, kw_only=True):
    """What to say of one cause."""

    noun: str
    """In a list of causes: `2 by pressure`."""
    text: str
    """A sentence without its end, which says when."""
    fix: str


CAUSES: Mapping[Disturbance, Cause] = {
    "load": Cause(noun="load", text="Other programs kept the processors busy", fix=QUIETER),
    "pressure": Cause(noun="pressure", text="Other programs waited for a processor", fix=QUIETER),
    "steal": Cause(
        noun="steal",
        text="The hypervisor took processor time away",
        fix=f"Run on a machine of its own, {MORE_ROUNDS}",
    ),
    "throttled": Cause(
        noun="throttling",
        text="The control group was stopped because its quota of processor time was used up",
        fix="Give the container or service more processors, as docker run --cpus 2 does, or lift its CPUQuota.",
    ),
    "suspended": Cause(
        noun="suspension",
        text="The machine was suspended",
        fix="Run again under systemd-inhibit, which keeps it awake.",
    ),
    "sibling": Cause(
        noun="a busy sibling",
        text="The other half of the core that workers run on was busy",
        fix="Run again when nothing else runs, or switch SMT off: echo off > /sys/devices/system/cpu/smt/control.",
    ),
    "switches": Cause(
        noun="switches", text="Workers were made to give their processor up again and again", fix=QUIETER
    ),
    "waits": Cause(noun="waiting", text="Workers took more wall than processor time", fix=QUIETER),
}


def sample_disturbances(sample: HostSample, host: Host) -> tuple[Disturbance, ...]:
    """Return why what ran during a sample of the host was disturbed; empty where it was not."""
    return tuple(cause for cause, is_so in OF_SAMPLES.items() if is_so(sample, host))


def round_disturbances(
    sample: HostSample, records: Sequence[WorkerRecord], plan: Plan, host: Host
) -> tuple[Disturbance, ...]:
    """Return why a round was disturbed: by the host's sample, and by what its workers met with.

    Of several threads or processes the kernel does not tell which were in the loop, so that only the sample is judged,
    and not by the pressure: they wait for a processor, or for each other, themselves. So do the threads of a runtime
    such as Java's beside its loop, and what its worker met with says nothing of the host.
    """
    found = sample_disturbances(sample, host)
    if not plan.alone:
        return tuple(cause for cause in found if cause != "pressure")
    judged = [record for record in records if (worker := plan.by_key.get(record.key)) and not worker.has_threads]
    return (*found, *(cause for cause, is_so in OF_RECORDS.items() if is_so(judged)))


def pressure_of(sample: HostSample) -> float | None:
    """Return the pressure that workers felt: that of their control group where it is told, else of the machine."""
    return sample.pressure if sample.group_pressure is None else sample.group_pressure


def _loaded(sample: HostSample, host: Host) -> bool:
    """Judge by what others used; on a system that shows no more than its load, by that, of which one is our worker.

    The load is a mean over a minute, so that it says of a compilation that it is still there when it is done.
    """
    if sample.others is None:
        return pressure_of(sample) is None and sample.load1 - 1 > host.processors
    return sample.others > max(host.processors - ROOM, ROOM - 1)


def _pressed(sample: HostSample, host: Host) -> bool:
    """Judge by others too, where it is known what they used: nobody waits for them for longer than they run.

    The rest is a worker's threads that wait for each other, such as those of Java, which compile beside its loop.
    """
    pressure = pressure_of(sample) or 0
    return (pressure if sample.others is None else min(pressure, sample.others)) > PRESSURE_MAX


def _stolen(sample: HostSample, host: Host) -> bool:
    return (sample.steal or 0) > STEAL_MAX


def _throttled(sample: HostSample, host: Host) -> bool:
    return (sample.throttles or 0) > 0


def _suspended(sample: HostSample, host: Host) -> bool:
    return (sample.suspended_s or 0) > SUSPENDED_SECONDS_MAX


def _sibling(sample: HostSample, host: Host) -> bool:
    return (sample.sibling or 0) > SIBLING_MAX


def _switched(records: Sequence[WorkerRecord]) -> bool:
    """Judge by all workers of a round together: one alone may run for a few milliseconds only."""
    known = [record for record in records if record.conditions is not None and record.conditions.switches is not None]
    switches = sum(record.conditions.switches or 0 for record in known if record.conditions is not None)
    wall_ns = sum(each.wall_ns for record in known for each in record.slices)
    return switches > SWITCHES_A_PROCESS_MAX * len(known) and switches * 1e9 > SWITCHES_A_SECOND_MAX * wall_ns


def _waited(records: Sequence[WorkerRecord]) -> bool:
    """A worker's figure is the median of its slices: it is off where more than half of them waited."""
    slices: dict[tuple[str, str], list[bool]] = {}
    for record in records:
        for each in record.slices:
            if each.kind == "timed":
                slices.setdefault((record.key, each.case), []).append(disturbed(each.wall_ns, each.cpu_ns))
    return any(2 * sum(waited) > len(waited) for waited in slices.values())


OF_SAMPLES: Mapping[Disturbance, Callable[[HostSample, Host], bool]] = {
    "load": _loaded,
    "pressure": _pressed,
    "steal": _stolen,
    "throttled": _throttled,
    "suspended": _suspended,
    "sibling": _sibling,
}

OF_RECORDS: Mapping[Disturbance, Callable[[Sequence[WorkerRecord]], bool]] = {
    "switches": _switched,
    "waits": _waited,
}
