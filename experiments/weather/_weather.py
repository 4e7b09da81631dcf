"""What weather's contestants in Python share: a role's arguments, and what it says at its end.

Loops are not shared: the timed and the empty one of a contestant stand side by side in its own file.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # a worker starts in less time without
    from typing import NoReturn

    from ffibench.worker.contract import Options

FILTER = "10001 "


class Task:
    """The arguments of the worker as what they mean."""

    def __init__(self, options: Options) -> None:
        """Read the arguments."""
        self.publishes = options["role"] == "publisher"
        self.address = f"tcp://127.0.0.1:{int(options['port']) or '*'}"  # where the publisher listens
        self.zipcodes = int(options["zipcodes"])
        self.seed = int(options["seed"])
        self.patience = float(options["patience"])  # seconds that a role waits for the other
        self.patience_ms = int(1000 * self.patience)  # the same for RCVTIMEO
        self.verbose = options["verbose"] == "1"


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
