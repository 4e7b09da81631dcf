"""The promise: each thread of a team does its share with a session of its own, and a thread that differs is seen."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from threading import get_ident

import pytest

from ffibench.worker.contract import Loops, Receipt
from ffibench.worker.thread_team import ThreadTeam
from ffibench.worker.threaded import Threaded

THREADS = 3
Session = Generator[Loops, None, None]


@pytest.fixture
def team() -> Iterator[ThreadTeam]:
    made = ThreadTeam(THREADS)
    yield made
    made.close()


class Record:
    """What sessions did, by thread."""

    def __init__(self) -> None:
        self.ran: list[tuple[int, int]] = []
        self.emptied: list[int] = []
        self.asked: list[int] = []
        self.ended = 0

    def session(self, counted: int) -> Session:
        def run(iterations: int) -> Receipt:
            self.ran.append((get_ident(), iterations))
            return {"operations": iterations}

        def after(iterations: int) -> Receipt:
            self.asked.append(get_ident())
            return {"counted": iterations + counted}

        yield Loops(run, self.emptied.append, after=after)
        self.ended += 1


def test_each_thread_does_its_share_and_answers_for_itself(team: ThreadTeam) -> None:
    record = Record()
    threaded = Threaded(team, [record.session(0) for _ in range(THREADS)])
    threaded.loops.run(30)
    assert threaded.loops.after is not None
    assert threaded.loops.after(30) == {"operations": 10, "counted": 10, "threads": THREADS}
    assert [iterations for _, iterations in record.ran] == [10] * THREADS
    assert len({thread for thread, _ in record.ran}) == THREADS
    assert sorted(record.asked) == sorted(thread for thread, _ in record.ran)
    threaded.loops.empty(30)
    assert record.emptied == [10] * THREADS
    threaded.tear_down()
    assert record.ended == THREADS


@pytest.mark.parametrize("odd", range(THREADS))
def test_a_thread_that_says_something_else_is_not_counted(team: ThreadTeam, odd: int) -> None:
    record = Record()
    threaded = Threaded(team, [record.session(int(number == odd)) for number in range(THREADS)])
    threaded.loops.run(30)
    assert threaded.loops.after is not None
    # So it differs from what is expected, whichever thread it was.
    right = {"operations": 10, "counted": 10, "threads": THREADS}
    assert threaded.loops.after(30) == {**right, **({"counted": 11, "threads": 1} if odd == 0 else {"threads": 2})}


def test_a_thread_that_fails_ends_the_slice(team: ThreadTeam) -> None:
    def broken() -> Session:
        def run(_: int) -> Receipt:
            raise OSError("it broke")

        yield Loops(run, lambda _: None)

    threaded = Threaded(team, [broken() for _ in range(THREADS)])
    with pytest.raises(OSError, match="it broke"):
        threaded.loops.run(30)


def test_shares_are_equal(team: ThreadTeam) -> None:
    record = Record()
    threaded = Threaded(team, [record.session(0) for _ in range(THREADS)])
    with pytest.raises(ValueError, match="31 iterations are not the same for each of 3 threads"):
        threaded.loops.run(31)
