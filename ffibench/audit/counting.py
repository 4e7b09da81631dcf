"""Counts the calls that a program and its children make into native libraries, from outside them.

    with counting(Watch(patterns=("libz.so*",))) as counts:
        subprocess.run(command, env={**os.environ, **counts.environment})
        print(counts.snapshot())

native/audit/count.c describes what is counted and what is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from mmap import mmap

from msgspec import Struct

from ffibench.audit import shared_memory
from ffibench.audit.counts_file import counts_file, unnamed_file
from ffibench.audit.environment import counting_environment
from ffibench.audit.library import counting_library
from ffibench.errors import FfibenchError
from ffibench.model import Returns

POSITIONS = 6
"""Integer arguments that are passed in registers on every machine."""
FILE_BYTES = 64 * 1024 * 1024
"""Address space. Memory is used for watched libraries alone, about a kilobyte for a dozen functions."""


class Sum(Struct, frozen=True, kw_only=True):
    """Sum an integer argument of a function over its calls.

    `position` is from 0, among integer and pointer arguments only: floating-point arguments are not counted.
    `bits` is the width of its type, 32 or 64: the upper half of a register with a 32-bit value is undefined.
    """

    function: str
    position: int
    bits: int = 64


class Watch(Struct, frozen=True, kw_only=True):
    """Selects the mapped objects that are counted.

    Those whose file name or whole path matches one of `patterns` (by fnmatchcase; the path by which the object was
    opened and the path of the file itself both match), and those that define a function of `exports`.

    `readings_max` is the number of Readings that there is room for, 0 for none. With `callers` it is told which files
    the calls come from, which makes each call slower. `returns` says what the calls of some functions must return.
    """

    patterns: tuple[str, ...] = ()
    exports: tuple[str, ...] = ()
    sums: tuple[Sum, ...] = ()
    readings_max: int = 0
    callers: bool = False
    returns: tuple[Returns, ...] = ()


class FunctionCount(Struct, frozen=True, kw_only=True):
    """The calls of a function. `sum` is modulo 2**64, None where no sum was asked for.

    `wrong` are the calls that did not return what they must, None where the watch does not say what that is.

    An old version of a symbol, which newly linked programs do not use, is named `name@VERSION`.

    `callers`, where they are asked for, are the files that called, with their calls, the most first. They are told by
    where a call returns to: a tail call is of its caller's caller. The path is empty for code that is in no file, made
    by the program as it ran.

    `address_taken`: the library itself refers to the function by its address. Its own calls are then told by where they
    return to, which is wrong for a call that is the last thing that a function does, a tail call: one of the library
    counts where it was called from outside, and one from outside does not where the library called its caller.
    """

    name: str
    calls: int
    sum: int | None
    wrong: int | None = None
    address_taken: bool = False
    callers: tuple[tuple[str, int], ...] = ()


class CountedLibrary(Struct, frozen=True, kw_only=True):
    """A file that was mapped and counted, as the kernel identifies it; `device` is its `st_dev`.

    `functions` are those that were called or whose sum was asked for, sorted by name. `untyped` are all the symbols of
    the file that have no type and were taken for functions, since they lie in its code: assembly often leaves it out.
    """

    path: str
    device: int
    inode: int
    functions: tuple[FunctionCount, ...]
    untyped: tuple[str, ...] = ()


class Snapshot(Struct, frozen=True, kw_only=True):
    """All counts at a moment. Each counter is read once, but not all at the same instant.

    `processes` are the program images that loaded the counting library: a fork adds none, an exec adds one.
    """

    processes: int
    libraries: tuple[CountedLibrary, ...]
    troubles: tuple[str, ...]


class Reading(Struct, frozen=True, kw_only=True):
    """What had been counted when the program read a clock of its own, just before it was read.

    `counts` has each function of the watch's `exports`, in their order, over all libraries and all their versions.
    """

    clock: shared_memory.Clock
    counts: tuple[FunctionCount, ...]


class Counting:
    """A file for counts, and the environment variables that make a command count into it.

    Attributes:
        environment: to be merged into the environment of the command. Programs that are linked statically, that run
            as another user, or that are built for another architecture run as usual, uncounted; for the last of
            these ld.so prints a message on standard error.
        pass_fds: the descriptors that the command has to inherit, as subprocess.Popen has it; none but for a private
            count.

    """

    def __init__(
        self, shared: mmap, watch: Watch, environment: Mapping[str, str], pass_fds: tuple[int, ...] = ()
    ) -> None:
        self._shared = shared
        self._watch = watch
        self.environment = environment
        self.pass_fds = pass_fds

    def snapshot(self) -> Snapshot:
        """Return the counts so far; processes may still be running."""
        found: dict[tuple[int, ...], list[shared_memory.Block]] = {}
        for block in shared_memory.blocks(self._shared):
            identity = (block.device, block.inode, block.bytes, block.changed_ns)
            found.setdefault(identity, []).append(block)
        return Snapshot(
            processes=shared_memory.processes(self._shared),
            libraries=tuple(_library(blocks, asked=self._watch.callers) for blocks in found.values()),
            troubles=shared_memory.troubles(self._shared),
        )

    def readings(self) -> tuple[Reading, ...]:
        """Return the readings of clocks so far, in their order; the program must have ended or be waiting.

        They are those of one thread, the first that reads the processor's clock, of the process that is started with
        this environment: not of its children, but of a program that it executes in its place. They are taken where the
        program calls `clock_gettime` of libc, for the processor's clock of the process and for the monotonic clock. Of
        successive readings of the monotonic clock only the first and the last are kept, so that a timed loop is seen
        as processor, monotonic, monotonic, processor.
        """
        summed = {each.function for each in self._watch.sums}
        checked = {each.function for each in self._watch.returns}
        return tuple(
            Reading(
                clock=reading.clock,
                counts=tuple(
                    FunctionCount(
                        name=name,
                        calls=calls,
                        sum=total if name in summed else None,
                        wrong=wrong if name in checked else None,
                    )
                    for name, (calls, total, wrong) in zip(self._watch.exports, reading.counts, strict=True)
                ),
            )
            for reading in shared_memory.readings(self._shared)
        )

    def readings_cut(self) -> bool:
        """Whether the program read clocks more often than the watch's `readings_max`; later readings are lost."""
        return shared_memory.readings_cut(self._shared)


def _callers(found: Sequence[Mapping[str, int]], calls: int) -> tuple[tuple[str, int], ...]:
    """Merge the callers of a function; what is missing of its calls is of no known file."""
    total = Counter[str]()
    for each in found:
        total.update(each)
    total[""] += max(0, calls - total.total())
    return tuple((path, count) for path, count in total.most_common() if count)


def _library(blocks: list[shared_memory.Block], *, asked: bool) -> CountedLibrary:
    """Merge the blocks of one file, which list the same functions in the same order."""
    functions = []
    for number, name in enumerate(blocks[0].names):
        calls = sum(block.calls[number] for block in blocks)
        sums = [value for block in blocks if (value := block.sums[number]) is not None]
        if calls or sums:
            total = sum(sums) % 2**64 if sums else None
            wrong = [value for block in blocks if (value := block.wrong[number]) is not None]
            functions.append(
                FunctionCount(
                    name=name,
                    calls=calls,
                    sum=total,
                    wrong=sum(wrong) if wrong else None,
                    address_taken=any(block.address_taken[number] for block in blocks),
                    callers=_callers([block.callers[number] for block in blocks], calls) if asked else (),
                )
            )
    return CountedLibrary(
        path=blocks[0].path,
        device=blocks[0].device,
        inode=blocks[0].inode,
        functions=tuple(sorted(functions, key=lambda function: function.name)),
        untyped=tuple(
            sorted(name for name, untyped in zip(blocks[0].names, blocks[0].untyped, strict=True) if untyped)
        ),
    )


@contextmanager
def counting(watch: Watch, *, file_bytes: int = FILE_BYTES, private: bool = False) -> Iterator[Counting]:
    """Provide a file for counts until the context ends; commands that outlive it continue, uncounted.

    With `private` the file has no path by which the program could open it. It is handed over as a descriptor that is
    closed before the program begins, so that what the command executes, in its place or as a child, is not counted;
    what it forks is.

    Raises FfibenchError where this machine cannot count, or the watch asks for something impossible.
    """
    _check(watch)
    library = counting_library()
    if ":" in str(library):
        raise FfibenchError(
            f"the counting library cannot be loaded from {library.parent}: a colon separates the paths in LD_AUDIT",
            fix="XDG_CACHE_HOME chooses another place",
        )
    sums = [(each.function, each.position, each.bits) for each in watch.sums]
    returns = [(each.function, each.must_be, each.position, each.bits) for each in watch.returns]
    head = shared_memory.head(
        file_bytes, watch.patterns, watch.exports, sums, watch.readings_max, watch.callers, returns
    )
    if head is None:
        raise FfibenchError(
            f"the names to watch, and {watch.readings_max} readings of clocks, do not fit into {file_bytes} bytes",
            fix="name fewer, by patterns",
        )
    if private:
        with unnamed_file(head, file_bytes) as (descriptor, shared):
            yield Counting(shared, watch, counting_environment(library, f"fd:{descriptor}"), (descriptor,))
    else:
        with counts_file(head, file_bytes) as (path, shared):
            yield Counting(shared, watch, counting_environment(library, str(path)))


def _check(watch: Watch) -> None:
    """Raise FfibenchError where the counting library cannot do what is asked."""
    asked: tuple[Sum | Returns, ...] = (*watch.sums, *watch.returns)
    names = (*watch.patterns, *watch.exports, *(each.function for each in asked))
    if not all(names) or any("\0" in name for name in names):
        raise FfibenchError(
            "a name or pattern to watch is empty or has a NUL in it", fix="give the name of a file or function"
        )
    if watch.readings_max < 0:
        raise FfibenchError(f"{watch.readings_max} readings of clocks cannot be kept", fix="ask for 0 or more")
    for what, functions in (
        ("sums", [each.function for each in watch.sums]),
        ("results", [each.function for each in watch.returns]),
    ):
        for name in functions:
            if functions.count(name) > 1:
                raise FfibenchError(f"two {what} are asked of {name}, of which one can be kept", fix="ask for one")
    for each in asked:
        if not 0 <= each.position < POSITIONS:
            what = "summed" if isinstance(each, Sum) else "compared with its result"
            raise FfibenchError(
                f"argument {each.position} of {each.function} cannot be {what}: integer arguments "
                f"0 to {POSITIONS - 1} are passed in registers",
                fix="ask for one of these",
            )
        if each.bits not in {32, 64}:
            what = f"argument {each.position}" if isinstance(each, Sum) else "the result"
            raise FfibenchError(f"{what} of {each.function} cannot have {each.bits} bits", fix="ask for 32 or 64")
