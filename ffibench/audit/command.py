"""The native calls of any command, counted from outside while it runs as it would without ffibench.

What counting changes for the program: its environment has `LD_AUDIT`; `dladdr` finds nothing for a counted function;
each call takes some nanoseconds longer. docs/audit.md says what is not seen.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from ffibench.audit.comparison import Comparison, compared
from ffibench.audit.counting import CountedLibrary, Watch, counting
from ffibench.audit.cpp_names import SourceNames, demangler
from ffibench.audit.descendants import Descendants, Survivor, Uncounted
from ffibench.audit.foreground import Ended, Look, run_in_foreground
from ffibench.audit.loading import loading_trouble
from ffibench.audit.patterns import unmatched
from ffibench.audit.program import executable, printable, program_of
from ffibench.audit.series import Interval, Series
from ffibench.audit.support import unsupported
from ffibench.errors import FfibenchError

SCHEMA_VERSION = 2
"""1 had `bare_seconds` and `bare_cpu_seconds`; 2 has `comparison` in their place, and more."""

STANDARD_INPUT = 0


class CommandOptions(Struct, frozen=True, kw_only=True):
    """How a command is audited."""

    pairs: int = 0
    """It is run so many times more with the count, and as often without, to compare the times."""
    follow: bool = False
    """Wait for the processes that it leaves running, until a signal to end arrives."""
    demangle: bool = True
    """Read C++ names."""
    callers: bool = False
    """Tell which files the calls come from, which makes each call slower."""
    every_seconds: float | None = None
    """Cut the counts into intervals of this length."""


class Observer:
    """Is told what happens meanwhile; a subclass shows it."""

    def pair(self, number: int) -> None:
        """Before a pair of runs, from 1."""

    def interval(self, interval: Interval, source_names: Mapping[str, str]) -> None:
        """After an interval."""


class CommandAudit(Struct, frozen=True, kw_only=True):
    """The native calls of one command, with its times and exit status."""

    schema: int = SCHEMA_VERSION
    command: tuple[str, ...]
    patterns: tuple[str, ...]
    """The libraries that were asked for."""
    unmatched: tuple[str, ...] = ()
    """The patterns that no mapped library matches."""
    program: str
    """The ELF file that the kernel loaded: for a script, its interpreter."""
    seconds: float
    """Wall time while counting: of the command, or to the end of its last process where they were followed."""
    cpu_seconds: float
    """CPU time while counting, with that of the children that the command waited for and of others that ended."""
    exit_status: int
    """The command's exit status, or 128 plus the number of the signal that killed it."""
    killed_by: str | None = None
    processes: int
    """Programs that were started and loaded the counting library. Forks count as the program that they are of."""
    libraries: tuple[CountedLibrary, ...]
    intervals: tuple[Interval, ...] = ()
    """The calls over time, where that was asked for; they add up to those of `libraries`."""
    source_names: Mapping[str, str] = {}
    """C++ functions as they are written in the source, by their names in `libraries`, those of the symbol table."""
    troubles: tuple[str, ...] = ()
    uncounted: tuple[Uncounted, ...] = ()
    """Programs that were seen to run without the counting library; one that ended at once may have been missed."""
    survivors: tuple[Survivor, ...] = ()
    """Processes that were still running when counting ended: what they called later is missing."""
    followed: bool = False
    """Whether the processes that the command left running were waited for."""
    comparison: Comparison | None = None
    """With the times of the same command without counting, where it was run again to compare."""


def audit_command(
    command: Sequence[str],
    patterns: Sequence[str],
    options: CommandOptions | None = None,
    observer: Observer | None = None,
) -> CommandAudit:
    """Run a command to its end and count its calls into the libraries that match `patterns`.

    Its files, signals and exit status are its own. Raises FfibenchError, before starting it, where it cannot be started
    or its calls cannot be counted.
    """
    options, observer = options or CommandOptions(), observer or Observer()
    started, program = executable(command[0]), program_of(command)
    hindered = unsupported(program)
    if hindered is not None:
        raise hindered
    position = _input_position() if options.pairs else None
    names = SourceNames(demangler() if options.demangle else None)
    with counting(Watch(patterns=tuple(patterns), callers=options.callers)) as count:
        environment = {**os.environ, **count.environment}
        runs = _Runs(program=started, command=command, environment=environment, follow=options.follow)
        descendants = runs.descendants()
        looks: list[Look] = [descendants.look]
        series = None
        if options.every_seconds is not None:
            series = Series(
                count.snapshot, options.every_seconds, lambda each: observer.interval(each, names.of(each.functions()))
            )
            looks.append(series.look)
        ended = runs.run(descendants, looks)
        snapshot = count.snapshot()
        intervals = () if series is None else series.finish(ended.seconds, snapshot)
        comparison, troubles = runs.compared(options.pairs, ended, position, observer)
        loading = loading_trouble(program, environment, ended.status, snapshot.processes)
    if loading is not None:
        troubles.append(loading)
    functions = [function.name for library in snapshot.libraries for function in library.functions if function.calls]
    if options.demangle:
        troubles += names.troubles(functions)
    if not descendants.listed:
        troubles.append("what ran without the counter is not known, since this kernel does not list child processes")
    return CommandAudit(
        command=tuple(printable(word) for word in command),
        patterns=tuple(printable(pattern) for pattern in patterns),
        unmatched=tuple(printable(pattern) for pattern in unmatched(patterns, snapshot.libraries)),
        program=printable(str(program)),
        seconds=ended.seconds,
        cpu_seconds=ended.cpu_seconds,
        exit_status=ended.status,
        killed_by=ended.killed_by,
        processes=snapshot.processes,
        libraries=snapshot.libraries,
        intervals=intervals,
        source_names=names.of(functions),
        troubles=(*snapshot.troubles, *troubles),
        uncounted=descendants.uncounted(),
        survivors=ended.survivors,
        followed=options.follow,
        comparison=comparison,
    )


class _Runs(Struct, frozen=True, kw_only=True):
    """The runs of one command, counted and bare."""

    program: Path
    command: Sequence[str]
    environment: Mapping[str, str]
    """In which it is counted."""
    follow: bool

    def descendants(self) -> Descendants:
        """Return who looks for its processes; made before it starts."""
        return Descendants(self.environment["FFIBENCH_COUNT"])

    def run(
        self, descendants: Descendants, looks: Sequence[Look], *, counted: bool = True, quiet: bool = False
    ) -> Ended:
        """Run it once."""
        environment = self.environment if counted else os.environ
        return run_in_foreground(
            self.program,
            self.command,
            environment,
            descendants=descendants,
            looks=looks,
            follow=self.follow,
            quiet=quiet,
        )

    def compared(
        self, pairs: int, ended: Ended, position: int | None, observer: Observer
    ) -> tuple[Comparison | None, list[str]]:
        """Run it in pairs after the run that `ended`, standard input from `position`; return what went wrong too."""

        def again(counted: bool) -> Ended:
            if position is not None:
                os.lseek(STANDARD_INPUT, position, os.SEEK_SET)
            descendants = self.descendants()
            return self.run(descendants, (descendants.look,) if counted else (), counted=counted, quiet=True)

        if not pairs:
            return None, []
        if ended.asked_to_end:
            return None, ["the command was not run again to compare, since it received a signal to end"]
        comparison, troubles = compared(again, pairs, ended.status, observe=observer.pair)
        return comparison, list(troubles)


def _input_position() -> int | None:
    """Return the position of standard input in its file, to read it again from there; None where there is no need.

    Raises FfibenchError where it is a pipe: another run could not read it again.
    """
    try:
        if os.isatty(STANDARD_INPUT):
            return None
        return os.lseek(STANDARD_INPUT, 0, os.SEEK_CUR)
    except OSError as error:
        if error.errno == errno.EBADF:  # it is closed
            return None
        raise FfibenchError(
            "--compare runs the command again, and standard input cannot be read twice here",
            fix="add < FILE, or < /dev/null if the command reads nothing",
        ) from None
