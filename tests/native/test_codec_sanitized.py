"""The library of `codec` takes whatever it is given: the sanitizers find nothing, and it does not contradict itself."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from support.codec import CBOR, MALFORMED, SHAPES, WAYS, Message, messages, oracle
from support.codec_fuzz import decoded, fuzz, fuzz_program

DATA = Path(__file__).parent / "data"
SEEDS, COUNT = (1, 2, 3), 10_000
"""`nox -s sanitize` draws two million."""


def samples() -> list[tuple[str, str, bytes]]:
    """Messages with every part, and of few bytes."""
    known: list[tuple[str, Message]] = [(shape, each) for shape in SHAPES for each in messages.fixtures(shape)[:2]]
    known += [(shape, messages.timed(shape, 5, 10)) for shape in SHAPES]
    return [(shape, way, oracle.encoded(shape, way, message)) for shape, message in known for way in WAYS]


@pytest.mark.parametrize("seed", SEEDS)
def test_messages_that_are_drawn_and_spoiled(codec_program: list[str], seed: int) -> None:
    answer = fuzz(codec_program, seed, COUNT)
    assert (answer.returncode, answer.stderr) == (0, b"")
    good, _, bad, _ = answer.stdout.replace(b",", b"").split()
    assert int(good) + int(bad) == 2 * COUNT
    assert int(good) > COUNT // 20, "some are good still, else little is tried"


def test_one_that_ends_anywhere_is_refused(codec_program: list[str]) -> None:
    cut = [(shape, way, data[:length]) for shape, way, data in samples() for length in range(len(data))]
    assert set(decoded(codec_program, cut)) == {MALFORMED}


def test_every_bit_may_flip(codec_program: list[str]) -> None:
    flipped = []
    for shape, way, data in samples():
        for bit in range(8 * len(data)):
            spoiled = bytearray(data)
            spoiled[bit // 8] ^= 1 << bit % 8
            flipped.append((shape, way, bytes(spoiled)))
    assert set(decoded(codec_program, flipped)) == {0, MALFORMED}


def test_every_byte_may_be_any_at_the_beginning(codec_program: list[str]) -> None:
    changed = [
        (shape, way, data[:place] + bytes([byte]) + data[place + 1 :])
        for shape, way, data in samples()
        for place in range(min(len(data), 24))
        for byte in range(256)
    ]
    assert set(decoded(codec_program, changed)) == {0, MALFORMED}


@pytest.mark.parametrize("way", WAYS)
def test_of_all_pairs_of_bytes_one_is_a_message(codec_program: list[str], way: str) -> None:
    pairs = [(shape, way, bytes(pair)) for shape in SHAPES for pair in product(range(256), repeat=2)]
    taken = [pairs[place] for place, result in enumerate(decoded(codec_program, pairs)) if result == 0]
    assert taken == ([("payload", CBOR, b"\x81\x40")] if way == CBOR else [])


SEEDED = {
    "canonical CBOR that is not asked of zcbor": ("-DZCBOR_CANONICAL", None, 1, "a good message is refused: shape "),
    "a text of a block that is read too far": ("", "block.c", 66, "heap-buffer-overflow"),
    "a text of CBOR that is read too far": ("", "cbor.c", 66, "heap-buffer-overflow"),
}


@pytest.mark.parametrize("what", SEEDED)
def test_what_is_wrong_is_found(codec_program: list[str], tmp_path: Path, what: str) -> None:
    lost, source, status, told = SEEDED[what]
    seed = None if source is None else (source, DATA / "reads_more.h")
    answer = fuzz(fuzz_program(tmp_path, lost=lost, seed=seed), SEEDS[0], COUNT)
    assert answer.returncode == status
    assert told in answer.stderr.decode()
