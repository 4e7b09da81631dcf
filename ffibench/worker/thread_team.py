"""Threads behind one gate, for the duration of a case: the counterpart of `native/kits/c/thread_team.h`.

By `_thread`, which every interpreter has at hand; `threading` would make its start a third longer.
"""

from __future__ import annotations

from _thread import allocate_lock, start_new_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Work = Callable[[int], int]
    """What a thread does, by its number; returns how many iterations it did, raises where it fails."""


class ThreadTeam:
    """A number of threads, the same for every slice, so that no clock includes the start of one.

    Each waits at a lock of its own, which costs nothing meanwhile. A thread that fails does not stop the others: `run`
    raises what it raised when all have returned.
    """

    def __init__(self, size: int) -> None:
        """Start the threads. Raises OSError where the system allows no more."""
        self._work: Work = _no_work
        self._gates = [allocate_lock() for _ in range(size)]
        self._ends = [allocate_lock() for _ in range(size)]
        self._finish = allocate_lock()
        self._count = allocate_lock()
        self._finished = 0
        self._leaving = False
        self._done = [0] * size
        self._failed: list[BaseException] = []
        self._finish.acquire()
        for lock in (*self._gates, *self._ends):
            lock.acquire()
        for number in range(size):
            try:
                start_new_thread(self._serve, (number,))  # ends with the process, also where the worker fails meanwhile
            except RuntimeError as error:
                raise OSError(f"cannot start thread {number + 1} of {size}: {error}") from None

    def run(self, work: Work) -> int:
        """Open the gate, wait until the last thread has returned, and return the sum of what they did."""
        self._work = work
        self._finished = 0
        for gate in self._gates:
            gate.release()
        self._finish.acquire()
        if self._failed:
            raise self._failed[0]
        return sum(self._done)

    def close(self) -> None:
        """End the threads."""
        self._leaving = True
        for gate in self._gates:
            gate.release()
        for end in self._ends:
            end.acquire()

    def _serve(self, number: int) -> None:
        gate = self._gates[number]
        while True:
            gate.acquire()
            if self._leaving:
                self._ends[number].release()
                return
            try:
                self._done[number] = self._work(number)
            except BaseException as error:
                self._failed.append(error)
            with self._count:
                self._finished += 1
                last = self._finished == len(self._gates)
            if last:
                self._finish.release()


def _no_work(_: int) -> int:
    return 0
