"""An experiment, as its folder declares it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Literal

from msgspec import Struct

from ffibench.model.contestant import Contestant

Value = str | int | float
"""One value of an experiment's parameter."""

Receipt = dict[str, int | str]
"""What a slice says it did, in the terms that the experiment names."""


class WheelLibrary(Struct, frozen=True, kw_only=True):
    """A shared library carried by an installed Python distribution, such as pyzmq's libzmq.

    `pattern` is matched against the distribution's files (fnmatch on the whole relative path).
    """

    distribution: str
    pattern: str


class LibraryFile(Struct, frozen=True, kw_only=True):
    """A shared library by its path, relative to the experiment's folder, or by its soname."""

    path: str


class LibrarySources(Struct, frozen=True, kw_only=True):
    """C sources, compiled into one shared library by the cached build.

    Each is a path in the experiment's folder, or in ffibench's own `native/lib`.
    """

    sources: tuple[str, ...]


Library = WheelLibrary | LibraryFile | LibrarySources


class Parameter(Struct, frozen=True, kw_only=True):
    """A parameter of an experiment, set by `--set NAME=VALUE`; the default's type is the value's type."""

    name: str
    default: Value
    help: str
    sweep: tuple[Value, ...] = ()
    """Of a number: the values that it is swept over where the user names none. Each is a point, in processes of its
    own."""
    check: Callable[[Value], str | None] | None = None
    """Says what is wrong with a value, or None."""


class Accepted(Struct, frozen=True, kw_only=True):
    """One way in which an operation may reach the library; what the audit counts from outside must equal it.

    Functions that it does not name are counted and shown, and not judged: an error number asked for, a size.
    """

    calls: Mapping[str, int]
    """Function to its calls in one operation; 0 for one that would be a second way of doing the work."""
    length: tuple[str, int] | None = None
    """A function and the position (from 0) of its argument that says how many bytes it takes."""
    size: int = 0
    """Bytes of one operation, by that argument."""
    total: int | None = None
    """Bytes of all operations of a slice, where they differ from one to the next; None: `size` of each."""


class Delivery(Struct, frozen=True, kw_only=True):
    """A proof of what goes over the wire: so many operations of a case, with a real peer at the other end.

    The worker is told `peers=1`, and begins when its peer has come.
    """

    operations: int
    peer: Callable[[str, Mapping[str, Value]], AbstractContextManager[Callable[[], Receipt]]]
    """From an endpoint and the parameters to a peer that lives as long as the worker; then says what it got."""
    receipt: Callable[[Mapping[str, Value], int], Receipt]
    """From the parameters and the operations to what it must have got."""


class Role(Struct, frozen=True, kw_only=True):
    """A part that a process plays, such as publisher or subscriber: a word that can be an option's name."""

    name: str
    alone: Mapping[str, Value] = {}
    """Other defaults of parameters, where this role alone is varied and the others are played by the baseline."""
    slices: int | None = None
    """Timed slices of a process then, where the user names none."""


class Figure(Struct, frozen=True, kw_only=True):
    """A further figure of a case's slices, shown beside the headline as its median over slices and rounds."""

    name: str
    """`wall`, or a name in the slices' `figures`; in nanoseconds a slice."""
    heading: str
    """What the table calls it: `first match`."""


class Case(Struct, frozen=True, kw_only=True):
    """One point of an experiment, as one role sees it: its iterations a slice, and the oracle of its receipt."""

    name: str
    """Unique in an experiment, over all roles: `publish`, `receive`."""
    role: str = ""
    """Who does it; empty: the experiment's first role."""
    operation: str
    """What one operation is, for the caption."""
    iterations: int
    fixed: bool = False
    """The iterations follow from the parameters, so that `--iterations` cannot choose them."""
    clock: Literal["wall", "cpu"] = "wall"
    """Of its headline, nanoseconds an operation."""
    figures: tuple[Figure, ...] = ()
    series: str = ""
    """What its points on the axis of a sweep have in common; empty: its name."""
    only: tuple[str, ...] = ()
    """Contestants that take part, by globs such as `c`; empty: all. The baseline always does, and where others than
    it may the control too."""
    cannot: Callable[[Contestant], str | None] | None = None
    """Says of a contestant why it can never run this case, told from what both declare; None where it can."""
    receipt: Callable[[int], Receipt]
    """From the iterations of a slice to what its receipt must say."""
    accepts: tuple[Accepted, ...] = ()
    """The ways that the audit accepts; without any it counts and does not judge."""
    delivery: Delivery | None = None


class Experiment(Struct, frozen=True, kw_only=True):
    """A piece of fixed work: what `experiment.py` in its folder binds to the name `EXPERIMENT`."""

    title: str
    header: str
    """A C header in the folder itself or in `native/include`."""
    functions: tuple[str, ...]
    """The functions of the header that the contestants call; the shims bind these."""
    library: Library
    cases: Callable[[Mapping[str, Value]], tuple[Case, ...]]
    parameters: tuple[Parameter, ...] = ()
    kinds: Mapping[str, str] = {}
    """Overrides of parameter kinds, `FUNCTION.PARAMETER` to kind."""
    roles: tuple[Role, ...] = (Role(name="worker"),)
    """In the order in which they are started; where there are several, the first binds an endpoint and names it."""
    transport: Literal["ipc"] | None = None
    """`ipc`: each worker is given an endpoint of its own in a private temporary folder."""
    threads: int = 1
    """Threads of a process that work at the same time: with one, each process is pinned to a processor."""
    slices: int | None = None
    """Timed slices of a process where the user names none: one, where a slice is long and rounds are few."""
