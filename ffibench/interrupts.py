"""The signals that stop a command cleanly: those of Ctrl-C, `kill` and a terminal that is closed.

All are raised in the main thread as Python raises Ctrl-C, so that code that cleans up after one cleans up after all.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(KeyboardInterrupt):
    """A signal to stop the command was received."""


class Interrupts:
    """Raises Interrupted for each signal, and remembers the first.

    Attributes:
        came: whether any was received.
        number: the first that was received; SIGINT until then.

    """

    def __init__(self) -> None:
        self.came, self.number = False, signal.SIGINT

    @property
    def status(self) -> int:
        """The exit status that a shell gives a process killed by the signal: 130 for Ctrl-C."""
        return 128 + self.number

    @contextmanager
    def raised(self) -> Iterator[None]:
        """Raise in the body, except for ignored signals, such as SIGHUP under nohup."""
        self.came, self.number = False, signal.SIGINT
        with _handled({each for each in ENDING if signal.getsignal(each) is not signal.SIG_IGN}, self._raise):
            yield

    def _raise(self, number: int, frame: FrameType | None) -> None:
        if not self.came:
            self.came, self.number = True, signal.Signals(number)
        raise Interrupted(signal.Signals(number).name)


INTERRUPTS = Interrupts()
"""The interrupts of this command."""


class _Postponed:
    """The signals that the main thread received in a body of `postponed`."""

    def __init__(self) -> None:
        self.active = self.due = False
        self.caught: list[signal.Signals] = []

    def note(self, number: int, frame: FrameType | None) -> None:
        self.caught.append(signal.Signals(number))
        if self.due:
            self.due = False  # once: clean-up is not interrupted
            raise Interrupted(self.caught[0].name)


_POSTPONED = _Postponed()


@contextmanager
def postponed() -> Iterator[None]:
    """Postpone signals to the end of the body, which would leave something behind if it were interrupted.

    In waits that `due` marks they are delivered earlier. A nested body postpones to the end of the outer one.
    """
    if _POSTPONED.active or not _in_main_thread():
        yield
        return
    _POSTPONED.caught.clear()
    heard = {each for each in ENDING if signal.getsignal(each) is not signal.SIG_IGN}
    try:
        with _handled(heard, _POSTPONED.note):
            _POSTPONED.active = True
            try:
                yield
            finally:
                _POSTPONED.active = False
    finally:
        if _POSTPONED.caught:
            signal.raise_signal(_POSTPONED.caught[0])


@contextmanager
def due() -> Iterator[None]:
    """Deliver postponed and new signals in the body, a wait that may be interrupted at any point."""
    if not _POSTPONED.active or not _in_main_thread():
        yield
        return
    try:
        _POSTPONED.due = True
        if _POSTPONED.caught:
            raise Interrupted(_POSTPONED.caught[0].name)
        yield
    finally:
        _POSTPONED.due = False


def _in_main_thread() -> bool:
    """Whether this is the thread that receives signals."""
    return threading.current_thread() is threading.main_thread()


@contextmanager
def _handled(numbers: set[signal.Signals], handler: signal._HANDLER) -> Iterator[None]:
    """Handle the signals with `handler` in the body, and as before after it."""
    if not _in_main_thread():
        yield
        return
    # A handler that was not set from Python cannot be restored from Python.
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
    """Block the signals while handlers are changed, so that either all are changed or none."""
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, numbers)  # may raise a signal that was received before
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
