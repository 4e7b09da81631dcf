"""What contestants of `codec` are held to in any language: whole runs, and decoders that take what C takes."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from struct import pack
from typing import NamedTuple

import pytest

from ffibench.model.runtime import Runtime
from ffibench.plan.options import ContestantOptions
from ffibench.workflow import RunOptions, run
from ffibench.workflow.prepare import prepare
from support.anywhere import check, skip_without
from support.codec import COMPLEX, PAYLOAD, REQUEST, RESPONSE, STRUCT, WAYS, Native, messages, natives, oracle

HEADS = {REQUEST: 16, RESPONSE: 16, COMPLEX: 24, PAYLOAD: 8}
"""Of each shape the bytes of a block's head."""
NUMBERS = (0, 1, 1 << 28, 1 << 31, (1 << 32) - 1)
NOT_UTF_8 = (
    *(b"\xff", b"\x80", b"\xc3", b"\xc3A", b"\xe2\x82", b"\xf0\x9f\x98", b"\xf8\x88\x80\x80\x80"),
    *(b"\xc0\x80", b"\xc1\x81", b"\xe0\x80\x80", b"\xf0\x80\x80\x80"),  # longer than need be
    *(b"\xed\xa0\x80", b"\xed\xa0\x80\xed\xb0\x80"),  # surrogates
    *(b"\xf4\x90\x80\x80", b"\xf7\xbf\xbf\xbf"),  # more than there is
)
UTF_8 = ("\ufffd", "\ufeff", "\0", "\x7f", "\ud7ff", "\uffff", "\U0010ffff", messages.ODD_TEXT)
PADS = (0, 3, 40, 300)
"""Characters before those of a text that matter: short texts and long ones may be decoded in different ways."""


class Given(NamedTuple):
    """A message, which a decoder is given with more memory behind it."""

    shape: str
    way: str
    message: bytes


def given(ways: Sequence[str]) -> Iterator[Given]:
    """Yield messages as they should be, with texts that are not UTF-8, too short, too long, and with other numbers."""
    for way in ways:
        for shape, head in HEADS.items():
            for message in [*messages.fixtures(shape), messages.timed(shape, 0, 9)]:
                good: bytes = oracle.encoded(shape, way, message)
                yield Given(shape, way, good)
                yield Given(shape, way, good + b"\0")
                yield from (Given(shape, way, good[:length]) for length in range(min(len(good), 120)))
                for place in range(0, min(len(good) - 4, head + 40) if way == STRUCT else 0, 4):
                    for number in (*NUMBERS, len(good) - 1, len(good), len(good) + 1):
                        yield Given(shape, way, good[:place] + pack("<I", number) + good[place + 4 :])
        for text in [*(each.encode() for each in UTF_8), *NOT_UTF_8]:
            for pad in PADS:
                yield from with_text(way, b"a" * pad + text)


def with_text(way: str, text: bytes) -> Iterator[Given]:
    """Yield messages with these bytes in the place of each of their texts."""
    held = "?" * len(text)
    made = (
        ("request", [held, 5]),
        ("response", [held, ""]),
        ("response", ["", held]),
        ("complex", [[[held, 1]], [], None]),
        ("complex", [[], ["", held], None]),
        ("complex", [[], [], held]),
    )
    for shape, message in made:
        yield Given(shape, way, oracle.encoded(shape, way, message).replace(held.encode(), text))


@cache
def _natives() -> dict[str, Native]:
    return natives()


def is_taken(message: Given) -> bool:
    """Say whether the library takes a message."""
    return isinstance(_natives()[message.way].answer(message.shape, message.message), bytes)


def check_run(name: str, size: int) -> None:
    """A contestant must do every case, and each slice and audit of it be right; `size` is that of a payload."""
    skip_without("codec", name)
    parameters = {"size": str(size)}
    check(run("codec", RunOptions(contestants=(name,), parameters=parameters, iterations=20, rounds=1, warmup=1)), name)


def check_decoders(command: Sequence[str | Path], ways: Sequence[str] = WAYS) -> None:
    """A program must take what the library takes; it reads lines `SHAPE WAY HEX LENGTH` and says `taken` or `refused`.

    The bytes have more behind them than the length says.
    """
    asked = list(given(ways))
    told = "".join(f"{shape} {way} {message.hex()}{'61' * 8} {len(message)}\n" for shape, way, message in asked)
    answer = subprocess.run(command, input=told, capture_output=True, text=True, check=False, timeout=120)
    assert (answer.stderr, answer.returncode) == ("", 0)
    wanted = ["taken" if is_taken(each) else "refused" for each in asked]
    said = answer.stdout.split()
    assert [(each, other) for each, one, other in zip(asked, wanted, said, strict=True) if one != other] == []
    assert {"taken", "refused"} == set(wanted)


def prepared(name: str) -> tuple[Runtime, Path]:
    """The runtime of a contestant of `codec` and its artifact; skips the test where this machine cannot run it."""
    skip_without("codec", name)
    found = prepare("codec", ContestantOptions(contestants=(name,)))
    if found.failures and "could not fetch" in str(found.failures[0].error):
        pytest.skip(str(found.failures[0].error).partition("\n")[0])
    chosen = {candidate.contestant.name: (candidate.runtime, artifact) for candidate, artifact in found.chosen}
    runtime, artifact = chosen[name]
    assert runtime is not None
    assert artifact is not None
    return runtime, artifact
