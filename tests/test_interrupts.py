"""The promise: a signal that ends the command comes where nothing can be left behind, and always comes."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator

import pytest

from ffibench.interrupts import ENDING, Interrupted, due, postponed

ARRIVALS = [pytest.param(number, id=number.name) for number in ENDING]


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Every signal raises KeyboardInterrupt, and each handler and the mask are afterwards what they were before."""
    found = {number: signal.signal(number, signal.default_int_handler) for number in ENDING}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    yield
    assert {signal.getsignal(number) for number in ENDING} <= {signal.default_int_handler, signal.SIG_IGN}
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == mask
    for number, handler in found.items():
        signal.signal(number, handler)


def put_off(body: Callable[[], object]) -> None:
    with postponed():
        body()


def interrupted(body: Callable[[], object]) -> None:
    """The body is interrupted, within it or at its end."""
    with pytest.raises(KeyboardInterrupt):
        put_off(body)


@pytest.mark.parametrize("number", ARRIVALS)
def test_it_is_put_off_to_the_end(number: signal.Signals) -> None:
    done = []

    def body() -> None:
        signal.raise_signal(number)
        done.append("the rest of the body")

    interrupted(body)
    assert done


@pytest.mark.parametrize("number", ARRIVALS)
def test_it_comes_at_once_in_a_wait(number: signal.Signals) -> None:
    done = []

    def wait() -> None:
        with due():
            signal.raise_signal(number)
            done.append("the rest of the wait")

    def body() -> None:
        with pytest.raises(Interrupted, match=f"^{number.name}$"):
            wait()

    interrupted(body)
    assert not done


def test_a_wait_does_not_begin_where_it_has_come_before() -> None:
    done = []

    def body() -> None:
        signal.raise_signal(signal.SIGINT)
        with due():
            done.append("the wait")

    interrupted(body)
    assert not done


def test_after_a_wait_it_is_put_off_again() -> None:
    done = []

    def body() -> None:
        with due():
            pass
        signal.raise_signal(signal.SIGINT)
        done.append("the rest of the body")

    interrupted(body)
    assert done


def test_a_second_one_does_not_disturb_what_cleans_up_after_the_first() -> None:
    done = []

    def body() -> None:
        try:
            with due():
                signal.raise_signal(signal.SIGINT)
        finally:
            signal.raise_signal(signal.SIGINT)
            done.append("cleaned up")

    interrupted(body)
    assert done


def test_an_inner_body_ends_where_the_outer_one_does() -> None:
    done = []

    def body() -> None:
        put_off(lambda: signal.raise_signal(signal.SIGINT))
        done.append("the rest of the outer body")

    interrupted(body)
    assert done


def test_one_that_has_come_does_not_come_again() -> None:
    interrupted(lambda: signal.raise_signal(signal.SIGINT))
    with postponed(), due():
        pass


def test_it_comes_where_the_body_fails_too() -> None:
    def body() -> None:
        signal.raise_signal(signal.SIGINT)
        raise ValueError("the body's own")

    interrupted(body)


def test_what_is_ignored_stays_ignored() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with postponed(), due():
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN  # what is started in the body inherits it
        signal.raise_signal(signal.SIGHUP)


def test_a_wait_of_another_thread_is_not_the_one_that_is_meant() -> None:
    """Signals come to the main thread, whatever another one waits for."""
    waits, goes_on = threading.Event(), threading.Event()
    done = []

    def wait() -> None:
        with postponed(), due():
            waits.set()
            goes_on.wait(60)

    def body() -> None:
        thread = threading.Thread(target=wait)
        thread.start()
        assert waits.wait(60)
        signal.raise_signal(signal.SIGINT)
        goes_on.set()
        thread.join()
        done.append("the rest of the body")

    interrupted(body)
    assert done
