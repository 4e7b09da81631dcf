"""A generated operation that several threads do at the same time, each with memory and a set-up of its own.

The counterpart of `native/kits/c/ffibench_threads.h`. What the threads share is the function that they call: on an
interpreter without a GIL its reference count decides how far they get.
"""

from __future__ import annotations

from ffibench.worker.contract import Loops

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from ffibench.worker.contract import Receipt
    from ffibench.worker.thread_team import ThreadTeam


class Threaded:
    """One operation of a generated loop, entered once for each thread of a team."""

    def __init__(self, team: ThreadTeam, sessions: Sequence[Generator[Loops]]) -> None:
        """Set each session up."""
        self._team = team
        self._sessions = sessions
        self._each = [next(session) for session in sessions]
        self._receipts: list[Receipt] = [{} for _ in sessions]
        self.loops = Loops(self._run, self._empty, after=self._after)

    def tear_down(self) -> None:
        """End each session."""
        for session in self._sessions:
            next(session, None)

    def _share(self, iterations: int) -> int:
        each, rest = divmod(iterations, len(self._each))
        if rest:
            raise ValueError(f"{iterations} iterations are not the same for each of {len(self._each)} threads")
        return each

    def _run(self, iterations: int) -> None:
        share, receipts = self._share(iterations), self._receipts
        runs = [loops.run for loops in self._each]

        def work(number: int) -> int:
            receipts[number] = runs[number](share) or {}
            return share

        self._team.run(work)

    def _empty(self, iterations: int) -> None:
        share = self._share(iterations)
        loops = [each.empty for each in self._each]

        def work(number: int) -> int:
            loops[number](share)
            return share

        self._team.run(work)

    def _after(self, iterations: int) -> Receipt:
        """Return what the first thread says, and how many say the same: all did the same.

        Each is asked in the thread that did the work: a library may count for each of them.
        """
        share, receipts = self._share(iterations), self._receipts

        def work(number: int) -> int:
            after = self._each[number].after
            if after is not None:
                receipts[number] = {**receipts[number], **after(share)}
            return share

        self._team.run(work)
        return {**receipts[0], "threads": receipts.count(receipts[0])}
