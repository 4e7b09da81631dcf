"""K threads submit into one native context: does the queue scale, and does the interpreter's lock let it?

A submit puts a request into a queue and wakes the context's one consumer, by one of two policies. What was delivered is
proved by a bitmap over (producer, sequence), so that a loss and a duplicate cannot cancel out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from ffibench.errors import FfibenchError
from ffibench.model import Accepted, Case, Contestant, Experiment, LibrarySources, Parameter, Receipt, Returns, Value

QUEUES = {
    "lock": "the one slot under one lock, until it is accepted",
    "mutex": "the one list",
    "sharded": "the producer's own list of several",
    "mpsc": "the one list without a lock",
}
"""Design to where a submit puts its request. The names are those of `fanout.h`."""
WAKES = {"every": "a wake at every submit", "edge": "a wake where it was empty"}
APART = "apart"
PLACEMENTS = {
    APART: "the consumer on CPU {last}, all other threads on {others}",
    "together": "all threads on CPU {last}",
    "free": "where the system puts them",
}
"""Placement of threads to its words; `apart` is the usual one and has no part in the name of a case."""
ALL = "all"

SINGLE_SLOT = "lock"
"""Its slot is empty at every submit, so that the two wakes are one; it is entered under `every` alone."""
HEADLINE = "sharded-edge"
"""Where every contestant takes part, unless the user names cells; in the others the baseline alone."""

SUBMITS = 20_000
SUBMITS_HOST = 4_000  # a callback into Python takes up to 20 us, which a slice awaits outside its clocks
SUBMITS_LOCK = 120  # 30 to 60 us each, since each sleeps until it is accepted
PER_THREAD_LEAST = 10
PER_THREAD_MAX = 10_000_000
"""The memory of all requests is reserved, 24 bytes each."""

SYSTEM_LIMITS = ("/proc/sys/kernel/threads-max", "/proc/sys/kernel/pid_max", "/sys/fs/cgroup/pids.max")

ONE_SUBMIT = Accepted(calls={"fanout_submit": 1}, returns=(Returns(function="fanout_submit", must_be="0"),))


def threads_max() -> int | None:
    """Return how many threads a process can have here at the most, as far as that is told; root has no quota."""
    import os
    import resource

    limits = []
    for path in SYSTEM_LIMITS:
        try:
            limits.append(int(Path(path).read_text(encoding="ascii")))
        except (OSError, ValueError):  # none, or the word `max`
            continue
    quota, _ = resource.getrlimit(resource.RLIMIT_NPROC)
    if os.geteuid() != 0 and quota != resource.RLIM_INFINITY:
        limits.append(quota)
    return min(limits, default=None)


def check_threads(threads: Value) -> str | None:
    """Say what is wrong with a number of threads, or None."""
    number = int(threads)
    if number < 1:
        return f"{number} threads cannot submit; it takes 1 or more"
    most = threads_max()
    if most is not None and number >= most:  # the process has threads beside them
        return f"{number:,} threads are more than this system allows, {most:,} with all others"
    return None


def check_per_thread(count: Value) -> str | None:
    """Say what is wrong with a number of submits, or None."""
    if not 0 <= int(count) <= PER_THREAD_MAX:
        return f"a thread submits 1 to {PER_THREAD_MAX:,} times; 0 stands for what suits the queue"
    return None


def check_words(known: Mapping[str, str], noun: str) -> Callable[[Value], str | None]:
    """Return the check of a list of words, separated by commas."""

    def check(text: Value) -> str | None:
        for word in str(text).split(","):
            if word not in known and text != ALL:
                return f"there is no {noun} {word!r}; there are {', '.join(known)}, separated by commas, or {ALL}"
        return None

    return check


def check_callback(callback: Value) -> str | None:
    """Say what is wrong with the callback, or None."""
    return None if callback in {"count", "host"} else f"{callback!r} is neither count nor host"


def chosen(text: Value, known: Mapping[str, str]) -> list[str]:
    """Return the words that a list names, in the order in which they are known."""
    words = str(text).split(",")
    return [word for word in known if text == ALL or word in words]


def cells(values: Mapping[str, Value]) -> Iterator[tuple[str, str, str]]:
    """Yield the queues with their wakes and placements."""
    for queue in chosen(values["queues"], QUEUES):
        for wake in chosen(values["wakes"], WAKES):
            if queue != SINGLE_SLOT or wake == "every":
                for placement in chosen(values["placement"], PLACEMENTS):
                    yield queue, wake, placement


def placement_words(values: Mapping[str, Value]) -> str:
    """Return where threads run, for the lines under the table."""
    import os

    *others, last = sorted(os.sched_getaffinity(0))
    several = "CPUs" if len(others) > 1 else "CPU"
    words = {"last": last, "others": f"{several} {', '.join(map(str, others))}" if others else f"CPU {last} too"}
    return "; ".join(f"{name}: {PLACEMENTS[name].format(**words)}" for name in chosen(values["placement"], PLACEMENTS))


def cases(values: Mapping[str, Value]) -> tuple[Case, ...]:
    """Return a case for each queue and wake. Raises FfibenchError where what is named leaves none."""
    named = values["queues"] != ALL or values["wakes"] != ALL
    found = tuple(_case(*cell, values, named=named) for cell in cells(values))
    if not found:
        raise FfibenchError(
            f"--set queues={SINGLE_SLOT} has no edge: its one slot is empty at every submit", fix="--set wakes=every"
        )
    return found


def _case(queue: str, wake: str, placement: str, values: Mapping[str, Value], *, named: bool) -> Case:
    cell = f"{queue}-{wake}"
    name = cell if placement == APART else f"{cell}-{placement}"
    threads = int(values["threads"])
    host = values["callback"] == "host"
    submits = SUBMITS_LOCK if queue == SINGLE_SLOT else SUBMITS_HOST if host else SUBMITS
    per_thread = int(values["per_thread"]) or max(submits // threads, PER_THREAD_LEAST)
    by = f"{threads:,} thread{'s' if threads > 1 else ''}"
    edge = ", which is the edge too: its slot is empty each time" if queue == SINGLE_SLOT else ""

    def receipt(iterations: int) -> Receipt:
        right = {"submits": iterations, "delivered": iterations}
        wrong = dict.fromkeys(("duplicates", "missing", "disorders", "strays"), 0)
        called = {"calls": iterations, "distinct": iterations} if host else {}
        return {**right, **wrong, **called}

    def cannot(contestant: Contestant) -> str | None:
        if host and queue == SINGLE_SLOT and contestant.lock == "held":
            return "deadlock: submit holds the runtime's lock and waits for an accept, whose callback needs that lock"
        return None

    return Case(
        name=name,
        operation=f"fanout_submit of one request, by {by} into {QUEUES[queue]} ({queue}), {WAKES[wake]}{edge}",
        iterations=threads * per_thread,
        fixed=True,
        series=name,
        only=() if named or cell == HEADLINE else ("c",),
        cannot=cannot,
        receipt=receipt,
        accepts=(ONE_SUBMIT,),
    )


EXPERIMENT = Experiment(
    title="threads that submit into one native context",
    header="fanout.h",
    functions=(
        "fanout_version",
        "fanout_open",
        "fanout_error",
        "fanout_place",
        "fanout_on_request",
        "fanout_submit",
        "fanout_delivered",
        "fanout_duplicates",
        "fanout_disorders",
        "fanout_strays",
        "fanout_missing",
        "fanout_finish",
        "fanout_close",
    ),
    library=LibrarySources(
        sources=(
            "fanout/context.c",
            "fanout/placement.c",
            "fanout/proof.c",
            "fanout/requests.c",
            "fanout/bell.c",
            "fanout/lock.c",
            "fanout/mutex.c",
            "fanout/sharded.c",
            "fanout/mpsc.c",
        )
    ),
    parameters=(
        Parameter(
            name="threads",
            default=1,
            help="how many threads submit at the same time",
            sweep=(1, 2, 4, 8),
            check=check_threads,
        ),
        Parameter(
            name="per_thread",
            default=0,
            help=f"submits of each thread; 0 for {SUBMITS:,} of all threads, or {SUBMITS_HOST:,} with callback=host, "
            f"and {SUBMITS_LOCK} into {SINGLE_SLOT}",
            check=check_per_thread,
        ),
        Parameter(
            name="queues",
            default=ALL,
            help=f"{', '.join(QUEUES)}, separated by commas, or {ALL}",
            check=check_words(QUEUES, "queue"),
        ),
        Parameter(
            name="wakes",
            default=ALL,
            help=f"{', '.join(WAKES)}, or {ALL}",
            check=check_words(WAKES, "wake"),
        ),
        Parameter(
            name="placement",
            default=APART,
            help=f"{', '.join(PLACEMENTS)}, separated by commas, or {ALL}: where threads run",
            check=check_words(PLACEMENTS, "placement"),
        ),
        Parameter(
            name="callback",
            default="count",
            help="what is called for each request: count, in C, or beside it a function of the host language",
            check=check_callback,
        ),
    ),
    cases=cases,
    threads=8,
    placement=placement_words,
    around="the context is opened with its consumer, what is left in it is delivered, and it is closed",
)
