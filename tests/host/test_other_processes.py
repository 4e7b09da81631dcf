"""The promise: who keeps the processors busy is named, the busiest first, and whose it is where it is not ours."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.trees import plant

from ffibench.host.other_processes import OtherProcess, busiest, other_processes

TICKS = os.sysconf("SC_CLK_TCK")


def stat(name: str, user: int, system: int, start: int = 1) -> str:
    return f"7 ({name}) R 1 7 7 0 -1 0 0 0 0 0 {user} {system} 0 0 20 0 1 0 {start} 0 0\n"


def used(name: str, share: float, user_id: int | None = None) -> OtherProcess:
    """A process that has used so much of a processor in a second."""
    return OtherProcess(name=name, user_id=os.getuid() if user_id is None else user_id, ticks=round(share * TICKS))


def test_processes_are_read_whatever_their_names(tmp_path: Path) -> None:
    files = {"proc/7/stat": stat("a) (b", 20, 3), "proc/8/stat": stat("make", 1, 0, 9), "proc/self/stat": "x"}
    found = other_processes(plant(tmp_path, {**files, f"proc/{os.getpid()}/stat": stat("pytest", 99, 0)}))
    assert found == {
        (7, 1): OtherProcess(name="a) (b", user_id=os.getuid(), ticks=23),
        (8, 9): OtherProcess(name="make", user_id=os.getuid(), ticks=1),
    }


def test_a_process_that_ends_while_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "proc/7").mkdir(parents=True)
    assert other_processes(tmp_path) == {}


def test_what_was_used_in_between_counts() -> None:
    before = {(1, 0): used("old", 50), (2, 0): used("make", 3)}
    after = {(1, 0): used("old", 50), (2, 0): used("make", 3.5), (3, 0): used("new", 0.9), (4, 0): used("idle", 0.01)}
    assert busiest(before, after, 1.0) == ("new", "make")
    assert busiest(before, after, 60.0) == ()


def test_a_number_that_was_given_again_is_another_process() -> None:
    assert busiest({(1, 0): used("old", 50)}, {(1, 8): used("new", 0.5)}, 1.0) == ("new",)


def test_processes_of_one_name_are_one_and_the_first_three_are_enough() -> None:
    after = {(number, 0): used("cc1", 0.04) for number in range(20)}
    more = {(100 + number, 0): used(f"p{number}", 0.2 + number / 10) for number in range(4)}
    assert busiest({}, {**after, **more}, 1.0) == ("cc1", "p3", "p2")


def test_another_user_s_process_is_told_with_its_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 4_000_000_000)
    names = busiest({}, {(1, 0): used("make", 0.5, 0), (2, 0): used("ld", 0.4, 3_999_999_999)}, 1.0)
    assert names == ("make of root", "ld of user 3999999999")
