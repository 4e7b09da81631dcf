"""An experiment, as its folder declares it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Literal

from msgspec import Struct

from ffibench.model.contestant import Contestant
from ffibench.model.numbers import Count, Number

Value = str | Number | float
"""One value of an experiment's parameter."""

Receipt = dict[str, int | str]
"""What a slice says it did, in the terms that the experiment names."""


SliceKind = Literal["cold", "warmup", "timed", "empty"]
"""What a slice is: one that warms up, one whose time counts, one of the empty loop."""


class WheelLibrary(Struct, frozen=True, kw_only=True):
    """A shared library carried by an installed Python distribution, such as pyzmq's libzmq.

    `pattern` is matched against the distribution's files (fnmatch on the whole relative path).
    """

    distribution: str
    pattern: str


class LibraryFile(Struct, frozen=True, kw_only=True):
    """A shared library by its path, relative to the experiment's folder, or by its soname."""

    path: str


class WheelSources(Struct, frozen=True, kw_only=True):
    """C sources that an installed Python distribution carries, which is not imported: zcbor's, for one."""

    distribution: str
    sources: tuple[str, ...]
    """The distribution's files, relative to where it is installed: `zcbor/src/zcbor_common.c`."""
    include: str
    """The folder of its headers, likewise: `zcbor/include`."""


class LibrarySources(Struct, frozen=True, kw_only=True):
    """C sources, compiled into one shared library by the cached build.

    Each is a path in the experiment's folder, or in ffibench's own `native/lib`.
    """

    sources: tuple[str, ...]
    wheels: tuple[WheelSources, ...] = ()
    arguments: tuple[str, ...] = ()
    """Of the compiler, beside the flags that everything is built with: `-DNAME=VALUE`."""


Library = WheelLibrary | LibraryFile | LibrarySources


class Parameter(Struct, frozen=True, kw_only=True):
    """A parameter of an experiment, set by `--set NAME=VALUE`; the default's type is the value's type."""

    name: str
    default: Value
    help: str
    sweep: tuple[Value, ...] = ()
    """The default values of a sweep over a numeric parameter. Each value is measured in separate processes."""
    check: Callable[[Value], str | None] | None = None
    """Returns what is wrong with a value, or None."""


class Returns(Struct, frozen=True, kw_only=True):
    """What each call of a function must return.

    The function returns an integer or a pointer, and all of its arguments are passed in registers: at most six integers
    and pointers, and eight floating-point numbers. It does not return twice as `setjmp` does, and throws no exception.
    """

    function: str
    must_be: Literal["0", "not 0", "not negative", "argument"]
    position: Count = 0
    """Of the argument that it must be equal to, from 0, among integers and pointers only."""
    bits: Literal[32, 64] = 32
    """The width of the result: 32 for an `int`, 64 for a `long` or a pointer."""


class Accepted(Struct, frozen=True, kw_only=True):
    """One allowed set of native calls for an operation; the counts of the audit must equal it.

    Calls of other functions, such as a query of an error number, are counted and shown, but not checked.
    """

    calls: Mapping[str, Count]
    """Function to its calls per operation; 0 for a function that would do the same work another way."""
    length: tuple[str, Count] | None = None
    """A function and the position (from 0) of its length argument, in bytes."""
    size: Count = 0
    """Bytes per operation, summed over that argument."""
    total: Count | None = None
    """Bytes of a whole slice, where operations differ in size; None: `size` per operation."""
    returns: tuple[Returns, ...] = ()
    """What calls must return. Those that return something else are counted, and make the audit invalid."""


class Delivery(Struct, frozen=True, kw_only=True):
    """A check of what arrives at the other end: a number of operations of a case with a real peer.

    The worker gets the argument `peers=1` and starts when its peer has connected.
    """

    operations: int
    peer: Callable[[str, Mapping[str, Value]], AbstractContextManager[Callable[[], Receipt]]]
    """From an endpoint and the parameters to a peer that lives as long as the worker and returns what it received."""
    receipt: Callable[[Mapping[str, Value], int], Receipt]
    """From the parameters and the number of operations to what the peer must receive."""


Mode = Literal["quick", "default", "rigorous"]
"""How much is measured, by an option of `ffibench run`."""


class Effort(Struct, frozen=True, kw_only=True):
    """How much is measured, by `--quick`, by default and by `--rigorous`."""

    rounds_min: int
    rounds_max: int
    seconds_max: float
    precision: float
    """The half-width of an interval, as a share of its row, at which a run stops."""
    slices: int = 3
    warmup: int = 1


class Role(Struct, frozen=True, kw_only=True):
    """What a process does in an experiment, such as publisher or subscriber. The name also serves as an option."""

    name: str
    alone: Mapping[str, Value] = {}
    """Parameter defaults for runs that vary this role alone, with the baseline in the other roles."""
    slices: int | None = None
    """Default number of timed slices in such runs."""


class Figure(Struct, frozen=True, kw_only=True):
    """An extra figure of a case's slices, shown beside the headline as its median over slices and rounds."""

    name: str
    """`wall`, or a name in the slices' `figures`; in nanoseconds a slice."""
    heading: str
    """Its column heading: `first match`."""


class Call(Struct, frozen=True, kw_only=True):
    """A case whose loop is generated in every language from a call expression: `crc32(0, bytes(1024), 1024)`."""

    expression: str
    """One call, or a sequence of calls: `h = f(1); g(h)`. `{size}` stands for the value of the parameter `size`."""
    name: str = ""
    """Of its case; empty: the expression."""
    key: str = ""
    """Of its case: what hand-written loops know it by; empty: made of its first function and its number."""
    group: str = ""
    """The heading under which its case stands in the grid."""
    only: tuple[str, ...] = ()
    """Globs of the contestants that run its case, as those of a `Case`."""
    setup: tuple[str, ...] = ()
    """Calls before the loop, each of which may be tested: `sqlite3_open(":memory:", out(db)) == 0`."""
    teardown: tuple[str, ...] = ()
    """Calls after the loop, likewise."""
    iterations: int | None = None
    """None: so many that the slice of a binding takes about 2 ms, by the time that C takes for one."""
    checked: bool = True
    """Whether each answer is compared with C's; a function that answers differently each time cannot be."""


class Case(Struct, frozen=True, kw_only=True):
    """One case of an experiment for one role: its iterations per slice and the oracle of its receipt."""

    name: str
    """Unique in an experiment, over all roles: `publish`, `receive`."""
    key: str = ""
    """Its name in the worker contract, without a comma or a colon; empty: its name."""
    role: str = ""
    """The role that runs it; empty: the experiment's first role."""
    operation: str
    """What one operation is, for the caption."""
    iterations: int
    fixed: bool = False
    """The parameters determine the iterations, so `--iterations` cannot change them."""
    clock: Literal["wall", "cpu"] = "wall"
    """The clock of the headline figure, nanoseconds per operation."""
    figures: tuple[Figure, ...] = ()
    group: str = ""
    """The heading under which it stands in a grid of several cases."""
    bytes: int = 0
    """What one operation takes across the boundary; 0: it is not a matter of bytes."""
    parameters: tuple[str, ...] | None = None
    """Those that it depends on: a sweep over another one leaves it out. None: all."""
    series: str = ""
    """The series that the points of a sweep belong to; empty: its name."""
    alternative: str = ""
    """The name of a case, or its series, that does the same another way: a sweep over a size says from which size on
    the two cost as much."""
    counter: str = ""
    """The field of the receipt that the library itself counts, if any: 0 for who makes no native calls."""
    only: tuple[str, ...] = ()
    """Globs of the contestants that run this case, such as `c`; empty: all. The baseline always runs it, and so does
    the control unless only the baseline may."""
    cannot: Callable[[Contestant], str | None] | None = None
    """Returns why a contestant cannot run this case, from what both declare; None where it can."""
    receipt: Callable[[int], Receipt]
    """From the iterations of a slice to the expected receipt."""
    accepts: tuple[Accepted, ...] = ()
    """The sets of native calls that the audit accepts; without any it counts and does not check."""
    delivery: Delivery | None = None


def no_cases(values: Mapping[str, Value]) -> tuple[Case, ...]:
    """Return no cases: those of an experiment that has calls alone."""
    return ()


class Derived(Struct, frozen=True, kw_only=True):
    """A header and a library that an experiment makes of its parameters."""

    files: Mapping[str, str]
    """By its name each file that is made, C all of them."""
    header: str
    """One of `files`."""
    sources: tuple[str, ...]
    """Those of `files` that are compiled into the library, beside the sources that the experiment names."""
    functions: tuple[str, ...]
    """Those of the header that contestants call, beside those that the experiment names."""


class Extension(Struct, frozen=True, kw_only=True):
    """Another experiment with the contestants of this folder added, in place of an `Experiment`."""

    of: str
    """The name of an experiment of ffibench's, or a folder, relative to this one and with a slash: `../foo`."""


class Experiment(Struct, frozen=True, kw_only=True):
    """A piece of fixed work, which `experiment.py` assigns to the name `EXPERIMENT`."""

    title: str
    header: str = ""
    """A C header: a path, relative to the folder, one of `native/include`, or a name as in `#include <zlib.h>`; empty
    where `derive` makes one."""
    derive: Callable[[Mapping[str, Value]], Derived] | None = None
    """From the parameters that are texts to a header, and sources of the library, that are made of them: of a schema,
    for one. Its library is of `LibrarySources`."""
    functions: tuple[str, ...] = ()
    """The functions of the header that the contestants call; the shims bind these, and those of `calls`."""
    library: Library
    cases: Callable[[Mapping[str, Value]], tuple[Case, ...]] = no_cases
    """From the parameters to the cases that have loops of their own in the contestants' files."""
    calls: tuple[Call, ...] = ()
    """The cases whose loops are generated."""
    counter: str = ""
    """A function of the library that returns how many calls it served to the calling thread since that asked last: the
    receipts of generated loops tell it. It is one of `functions`."""
    parameters: tuple[Parameter, ...] = ()
    variants: tuple[str, ...] = ()
    """Globs of the bindings that take part only if asked for, here or by name: `c/*`, `python/ctypes~untyped`."""
    kinds: Mapping[str, str] = {}
    """Overrides of parameter kinds, `FUNCTION.PARAMETER` to kind."""
    roles: tuple[Role, ...] = (Role(name="worker"),)
    """In starting order. Where there are several, the first one binds an endpoint and reports it."""
    transport: Literal["ipc"] | None = None
    """`ipc`: each worker is given an endpoint of its own in a private temporary folder."""
    threads: int = 1
    """Threads of a process that work at the same time. With one, each process is pinned to a processor."""
    placement: Callable[[Mapping[str, Value]], str] | None = None
    """From the parameters to the processors on which its threads run, where it places them itself."""
    around: str = ""
    """What a worker does at the start and the end of a slice, outside its clocks, where that takes more processor time
    than printing a line: "threads and their queue are made and ended". Where it is empty such work is invalid."""
    efforts: Mapping[Mode, Effort] = {}
    """How much is measured of all its cases, where it is another amount than that of most experiments."""
    slices: int | None = None
    """Default number of timed slices of a process: one where a slice is long and rounds are few."""
