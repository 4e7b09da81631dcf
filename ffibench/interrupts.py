"""The signals that end a command in good order: what Ctrl-C, `kill` and a terminal that is closed send.

All are raised in the main thread as Python raises Ctrl-C, so that whoever cleans up after one cleans up after all.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(KeyboardInterrupt):
    """A signal that ends the command has come."""


class Interrupts:
    """Raises Interrupted for each signal that comes, and remembers the first.

    Attributes:
        came: whether any has.
        number: the first that came, SIGINT before.

    """

    def __init__(self) -> None:
        self.came, self.number = False, signal.SIGINT

    @property
    def status(self) -> int:
        """The exit status that a shell gives a process which the signal ended: 130 for Ctrl-C."""
        return 128 + self.number

    @contextmanager
    def raised(self) -> Iterator[None]:
        """Raise in the body, but for the signals that are ignored, as SIGHUP is under nohup."""
        self.came, self.number = False, signal.SIGINT
        with _handled({each for each in ENDING if signal.getsignal(each) is not signal.SIG_IGN}, self._raise):
            yield

    def _raise(self, number: int, frame: FrameType | None) -> None:
        if not self.came:
            self.came, self.number = True, signal.Signals(number)
        raise Interrupted(signal.Signals(number).name)


INTERRUPTS = Interrupts()
"""Those of this command."""


class _PutOff:
    """The signals that have come to the main thread in a body of `postponed`."""

    def __init__(self) -> None:
        self.active = self.due = False
        self.caught: list[signal.Signals] = []

    def note(self, number: int, frame: FrameType | None) -> None:
        self.caught.append(signal.Signals(number))
        if self.due:
            self.due = False  # once: what cleans up is not interrupted
            raise Interrupted(self.caught[0].name)


_PUT_OFF = _PutOff()


@contextmanager
def postponed() -> Iterator[None]:
    """Put the signals off to the end of the body: halfway through, they would leave something behind.

    They come before that in the waits that `due` marks. Inside of another such body its end is meant.
    """
    if _PUT_OFF.active or not _in_main_thread():
        yield
        return
    _PUT_OFF.caught.clear()
    heard = {each for each in ENDING if signal.getsignal(each) is not signal.SIG_IGN}
    try:
        with _handled(heard, _PUT_OFF.note):
            _PUT_OFF.active = True
            try:
                yield
            finally:
                _PUT_OFF.active = False
    finally:
        if _PUT_OFF.caught:
            signal.raise_signal(_PUT_OFF.caught[0])


@contextmanager
def due() -> Iterator[None]:
    """Raise Interrupted in the body, a wait that may be left at any point, for what was put off or comes now."""
    if not _PUT_OFF.active or not _in_main_thread():
        yield
        return
    try:
        _PUT_OFF.due = True
        if _PUT_OFF.caught:
            raise Interrupted(_PUT_OFF.caught[0].name)
        yield
    finally:
        _PUT_OFF.due = False


def _in_main_thread() -> bool:
    """Whether this is the thread that signals interrupt."""
    return threading.current_thread() is threading.main_thread()


@contextmanager
def _handled(numbers: set[signal.Signals], handler: signal._HANDLER) -> Iterator[None]:
    """Handle the signals by `handler` in the body, and as before after it."""
    if not _in_main_thread():
        yield
        return
    # What was not set from Python cannot be set again from here.
    before = {number: known for number in numbers if (known := signal.getsignal(number)) is not None}
    try:
        with _blocked(numbers):
            for number in before:
                signal.signal(number, handler)
        yield
    finally:
        with _blocked(numbers):
            for number, each in before.items():
                signal.signal(number, each)


@contextmanager
def _blocked(numbers: set[signal.Signals]) -> Iterator[None]:
    """Hold the signals back while handlers are changed, so that none is changed and another not."""
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, numbers)  # may raise what came before, when it has blocked
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
