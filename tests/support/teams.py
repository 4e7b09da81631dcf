"""A publisher and a subscriber as the harness plays them: in order, let go together, and closed when both are done."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Timer
from typing import IO, Any, cast

from msgspec import Struct

SECONDS_MAX = 60.0


class Part(Struct, frozen=True, kw_only=True):
    """How a player is started."""

    command: Sequence[str]
    options: Mapping[str, object]
    environment: Mapping[str, str] = {}


@dataclass
class Player:
    """A running worker of a team, and what it has said."""

    process: subprocess.Popen[str]
    ready: dict[str, Any] = field(default_factory=dict)
    lines: list[dict[str, Any]] = field(default_factory=list)
    errors: str = ""

    @property
    def status(self) -> int | None:
        return self.process.returncode

    def slices(self, kind: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["kind"] == kind]

    def receipts(self) -> list[dict[str, Any]]:
        return [line["receipt"] for line in self.lines if line["kind"] != "empty"]

    def go(self) -> None:
        stdin = cast("IO[str]", self.process.stdin)
        stdin.write("go\n")
        stdin.flush()

    def read(self, count: int) -> None:
        """Take in so many lines, or fewer where it ends before."""
        for line in (self._line() for _ in range(count)):
            if not line:
                break
            self.lines.append(json.loads(line))

    def end(self) -> None:
        """Close its standard input and wait for its end."""
        rest, self.errors = self.process.communicate()
        assert rest == ""

    def _line(self) -> str:
        return cast("IO[str]", self.process.stdout).readline()


@contextmanager
def player(part: Part, **options: object) -> Iterator[Player]:
    """Start a worker and read that it is ready; it is killed where it goes on for too long."""
    process = subprocess.Popen(
        [*part.command, *(f"{name}={value}" for name, value in {**part.options, **options}.items())],
        env={**os.environ, **part.environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    limit = Timer(SECONDS_MAX, process.kill)
    limit.start()
    try:
        with process:
            started = Player(process)
            line = started._line()
            if line:
                started.ready = json.loads(line)["ready"]
            yield started
    finally:
        limit.cancel()
        process.kill()


@contextmanager
def team(first: Part, second: Part, **options: object) -> Iterator[tuple[Player, Player]]:
    """Start both; the second is told where the first waits."""
    with (
        player(first, **options) as one,
        player(second, **options, endpoint=one.ready["endpoint"]) as other,
    ):
        yield one, other


def let_go(*assigned: Player, lines: int) -> None:
    """Let them begin, and read all that they say."""
    for each in assigned:
        each.go()
    for each in assigned:
        each.read(lines)
