"""What the loader takes of each thread's stack, because a program is counted, is added to it."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import pytest
from support.counted import SUBJECT, Machine

from ffibench.audit.counting import FunctionCount, Watch, counting
from ffibench.audit.library import counting_library

DATA = Path(__file__).parent / "data"
STARTED = "Success, Success\n"
NEEDED = os.sysconf("SC_PAGESIZE") + 12_288
"""What a thread needs of its stack for itself: a page that guards it, its own data, and some calls."""


@pytest.fixture(scope="session")
def stack(machine: Machine) -> Path:
    return machine.build("stack", DATA / "stack.c", "-pthread")


def least(machine: Machine) -> int:
    """PTHREAD_STACK_MIN, the smallest size that may be asked for."""
    return 131_072 if machine.emulator or platform.machine() == "aarch64" else 16_384


def test_a_thread_with_the_smallest_stack_starts(machine: Machine, stack: Path) -> None:
    counted = machine.count(stack, str(least(machine)), "1000")
    assert counted.out == STARTED
    assert counted.snapshot.libraries == ()  # libc is not shown, though a function of it is changed


@pytest.mark.parametrize("more", [16_384, 100_000])
def test_a_thread_may_use_as_much_as_without(machine: Machine, stack: Path, more: int) -> None:
    size = least(machine) + more
    assert machine.count(stack, str(size), str(size - NEEDED)).out == STARTED


def test_a_size_that_is_too_small_is_still_an_error(machine: Machine, stack: Path) -> None:
    """The thread then has a stack of the usual size."""
    assert machine.count(stack, str(least(machine) - 1), "1000").out == "Invalid argument, Success\n"


@pytest.mark.parametrize("own", ["1048576", "0x100000", "04000000"])
def test_what_a_user_gives_to_thread_local_data_is_added(
    machine: Machine, stack: Path, monkeypatch: pytest.MonkeyPatch, own: str
) -> None:
    """Without a count the program could not start that thread with it."""
    monkeypatch.setenv("GLIBC_TUNABLES", f"glibc.rtld.nns=4:glibc.rtld.optional_static_tls={own}")
    with counting(SUBJECT) as counts:
        environment = {**counts.environment, "LD_AUDIT": str(machine.counting_library or counting_library())}
        monkeypatch.delenv("GLIBC_TUNABLES")  # the emulator shall not have it too
        assert machine.run(stack, str(least(machine)), "1000", environment=environment) == STARTED


@pytest.mark.parametrize("callers", [False, True])
def test_the_function_that_adds_it_is_counted_as_others(machine: Machine, stack: Path, *, callers: bool) -> None:
    watch = Watch(exports=("pthread_attr_setstacksize",), callers=callers, readings_max=10)
    counted = machine.count(stack, str(least(machine)), "1000", watch=watch)
    assert counted.out == STARTED
    by = ((str(stack), 1),) if callers else ()
    found = FunctionCount(name="pthread_attr_setstacksize", calls=1, sum=None, callers=by)
    assert [each for each in counted.library.functions if each.name == found.name] == [found]


def test_it_is_the_same_in_a_private_count(machine: Machine, stack: Path) -> None:
    assert machine.count(stack, str(least(machine)), "1000", watch=SUBJECT, private=True).out == STARTED
