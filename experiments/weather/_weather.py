"""What weather's contestants in Python share: a role's arguments, and what it says at its end.

Loops are not shared: the timed and the empty one of a contestant stand side by side in its own file.
"""

from __future__ import annotations

import sys
from typing import NamedTuple, NoReturn

from ffibench.worker.contract import Options

FILTER = "10001 "


class Task(NamedTuple):
    """The arguments of the worker."""

    publishes: bool
    address: str
    """Where the publisher listens."""
    zipcodes: int
    seed: int
    patience: float
    """Seconds that a role waits for the other."""
    verbose: bool

    @property
    def patience_ms(self) -> int:
        """The same for RCVTIMEO."""
        return int(1000 * self.patience)


def read_task(options: Options) -> Task:
    """Return the arguments of the worker as what they mean."""
    return Task(
        publishes=options["role"] == "publisher",
        address=f"tcp://127.0.0.1:{int(options['port']) or '*'}",
        zipcodes=int(options["zipcodes"]),
        seed=int(options["seed"]),
        patience=float(options["patience"]),
        verbose=options["verbose"] == "1",
    )


def fail_without_subscriber(task: Task) -> NoReturn:
    """End the publisher to which no subscriber came."""
    sys.exit(f"publisher: no subscriber came within {task.patience:g} s")


def fail_without_update(task: Task, came: int, matches: int) -> NoReturn:
    """End the subscriber to which only so many updates came."""
    within = f"within {task.patience:g} s of each other; waiting for the publisher"
    sys.exit(f"subscriber: {came} of {matches} updates came {within}")


def fail_with_more_updates(matches: int) -> NoReturn:
    """End the subscriber to which more updates came than match."""
    sys.exit(f"subscriber: more than {matches} updates came")


def print_average(task: Task, total: int, matches: int) -> None:
    """Print what the example of the guide prints, where the user asked to hear more."""
    if task.verbose and matches:
        print(f"Average temperature for zipcode '{FILTER}' was {int(total / matches)}F", file=sys.stderr)
