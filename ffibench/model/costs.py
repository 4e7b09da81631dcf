"""What a binding costs besides its calls: once for each binding, not for each operation."""

from __future__ import annotations

from msgspec import Struct

from ffibench.model.numbers import Count, Number, Positive, Seconds


class WorkerCosts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one process reported of its start, where it was asked for."""

    import_ns: Positive
    """The import of its shim; of a contestant without one, that of its file, which imports the binding."""
    first_call_ns: Count = 0
    """From the start of that import to the end of the first operation; 0: it was not asked for."""
    rss_bytes: Number | None = None
    """By how much the memory of the process grew during the import; None where the kernel does not report it."""
    pss_bytes: Number | None = None
    """The same, with pages that processes share divided among them."""


class BindingParts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the binding of a contestant is made of, as it lies in the cache."""

    contestant: str
    interpreter: str
    sources: dict[str, Count] = {}
    """The files that somebody would have to write, but for the build file, with their lines that are not blank."""
    modules: dict[str, Count] = {}
    """The files that a process loads, with their bytes."""
    stripped_bytes: Count | None = None
    """Of all modules, without their symbol tables; None where nothing is compiled, or no `strip` is there."""
    built: bool = False
    """Whether something is generated or compiled before it can be loaded."""
    compile_seconds: Seconds | None = None
    """None where nothing is built, and where the build took place before its time was recorded."""
    core: str = ""
    """What all bindings of the technology link, built once; empty where there is nothing."""
    core_seconds: Seconds | None = None


class Spread(Struct, frozen=True, kw_only=True):
    """The median over the rounds, with its 95 % interval where there are enough of them."""

    median: float
    low: float | None = None
    high: float | None = None


class BindingCosts(Struct, frozen=True, kw_only=True):
    """A row of the table of costs. Nothing of a contestant's costs is known where it loads no binding."""

    contestant: str
    interpreter: str
    rounds: int = 0
    """Processes that reported."""
    parts: BindingParts | None = None
    import_ns: Spread | None = None
    first_call_ns: Spread | None = None
    rss_bytes: Spread | None = None
    pss_bytes: Spread | None = None
