"""The calls over time add up to all calls, in intervals of the asked length, whatever the machine does meanwhile."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from support.compiled import compiled

from ffibench.audit.command import CommandOptions, Observer, audit_command
from ffibench.audit.counting import CountedLibrary, FunctionCount, Snapshot
from ffibench.audit.series import Interval, Series
from ffibench.audit.support import unsupported


def snapshot(*libraries: Mapping[str, int]) -> Snapshot:
    """The calls of library files that all have one path."""
    return Snapshot(
        processes=len(libraries),
        libraries=tuple(
            CountedLibrary(
                path="/lib/libz.so",
                device=1,
                inode=inode,
                functions=tuple(FunctionCount(name=name, calls=calls, sum=None) for name, calls in functions.items()),
            )
            for inode, functions in enumerate(libraries)
        ),
        troubles=(),
    )


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the series."""
    found = Clock()
    monkeypatch.setattr(time, "monotonic", found)
    return found


def test_an_interval_has_what_was_called_in_it_and_the_last_one_the_rest(clock: Clock) -> None:
    taken = iter([snapshot({"crc32": 5}), snapshot({"crc32": 5, "adler32": 2}), snapshot({"crc32": 5, "adler32": 2})])
    told: list[Interval] = []
    series = Series(lambda: next(taken), 10, told.append)
    assert series.look() == 10
    for seconds in (110, 120, 130):
        clock.seconds = seconds
        assert series.look() == 10
    intervals = series.finish(33, snapshot({"crc32": 9, "adler32": 2}))
    assert tuple(told) == intervals
    assert [(each.start_seconds, each.end_seconds) for each in intervals] == [(0, 10), (10, 20), (20, 30), (30, 33)]
    assert [each.calls.get("/lib/libz.so") for each in intervals] == [{"crc32": 5}, {"adler32": 2}, None, {"crc32": 4}]


def test_a_look_before_its_time_takes_nothing_and_a_late_one_takes_all(clock: Clock) -> None:
    series = Series(lambda: snapshot({"crc32": 5}), 10, lambda _: None)
    clock.seconds = 109
    assert series.look() == 1
    assert series.intervals == []
    clock.seconds = 135
    assert series.look() == 5
    assert [(each.start_seconds, each.end_seconds) for each in series.intervals] == [(0, 35)]
    clock.seconds = 136
    assert series.look() == 4
    assert len(series.intervals) == 1


def test_a_command_that_ends_before_the_first_interval_has_one(clock: Clock) -> None:
    (interval,) = Series(snapshot, 10, lambda _: None).finish(0.5, snapshot({"crc32": 1}))
    assert (interval.seconds, interval.calls) == (0.5, {"/lib/libz.so": {"crc32": 1}})


def test_two_files_of_one_path_are_added_up(clock: Clock) -> None:
    series = Series(lambda: snapshot({"crc32": 1}), 10, lambda _: None)
    clock.seconds = 110
    series.look()
    *_, last = series.finish(12, snapshot({"crc32": 1}, {"crc32": 3}))
    assert last.calls == {"/lib/libz.so": {"crc32": 3}}
    assert last.processes == 2


PROGRAM = """
#include <fcntl.h>
#include <unistd.h>
int _Z5tallyi(int number);
int main(int count, char **words)
{
    char byte;
    for (int i = 0; i < 1000; i++) _Z5tallyi(i);
    int more = open(words[count - 1], O_RDONLY);
    read(more, &byte, 1);
    for (int i = 0; i < 20; i++) _Z5tallyi(i);
    return 0;
}
"""


@pytest.mark.skipif(unsupported(Path(sys.executable)) is not None, reason="programs cannot be counted here")
def test_a_command_is_cut_while_it_runs(tmp_path: Path) -> None:
    """It waits until an interval has been told, so that no clock decides."""
    compiled(tmp_path / "libtally.so", "int _Z5tallyi(int number) { return number; }", "-shared", "-fPIC")
    link = (f"-L{tmp_path}", "-ltally", f"-Wl,-rpath,{tmp_path}")
    app = compiled(tmp_path / "app", PROGRAM, *link)
    os.mkfifo(tmp_path / "more")
    told: list[int] = []
    names: dict[str, str] = {}

    class Goes(Observer):
        def interval(self, interval: Interval, source_names: Mapping[str, str]) -> None:
            told.append(sum(interval.calls.get(path, {}).values()))
            names.update(source_names)
            if told[-1] and sum(told) == 1000:
                os.close(os.open(tmp_path / "more", os.O_WRONLY))

    path = str(tmp_path / "libtally.so")
    audit = audit_command([str(app), str(tmp_path / "more")], ["libtally*"], CommandOptions(every_seconds=0.2), Goes())
    assert told == [sum(interval.calls.get(path, {}).values()) for interval in audit.intervals]
    assert len(told) > 1
    assert sum(told) == 1020
    assert names == {"_Z5tallyi": "tally(int)"}
