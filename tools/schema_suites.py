"""Writes the large messages of `experiments/schema/suites`: `python tools/schema_suites.py`.

The same seed gives the same files; each .proto says what its numbers and texts are drawn from.
"""

from __future__ import annotations

import json
import random
import string
import struct
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SUITES = Path(__file__).parents[1] / "experiments/schema/suites"
SEED = 20_240_229
ODD_LETTERS = "äéñøß漢字かな"
WIDTH = 120


def main(folder: Path) -> None:
    """Write the files."""
    for name, message in messages(random.Random(SEED)).items():
        (folder / f"{name}.json").write_text(text(message), encoding="utf-8")


def messages(draw: random.Random) -> dict[str, Mapping[str, Any]]:
    """Return the messages by name of their suite."""
    numbers = [number_of(draw, draw.randint(1, 31)) for _ in range(5_000)]
    floats = [shortest(draw.uniform(-1_000, 1_000)) for _ in range(5_000)]
    texts = [letters(draw, 4, 20, odd=place % 8 == 0) for place in range(1_000)]
    return {
        "array_int": {"values": numbers},
        "array_sfixed": {"values": numbers},
        "array_float": {"values": floats},
        "array_string": {"values": texts},
        "array_struct": {"particles": [particle(draw, number) for number in range(1, 1_001)]},
        "tags": {
            "labels": {tag(draw): tag(draw) for _ in range(32)},
            "tags": [tag(draw) for _ in range(16)],
        },
    }


def number_of(draw: random.Random, bits: int) -> int:
    """Return a number whose highest bit of so many is set."""
    return 1 << (bits - 1) | draw.getrandbits(bits - 1)


def shortest(number: float) -> float:
    """Return the nearest float, as the double with the fewest digits that is rounded to it."""
    (rounded,) = struct.unpack("<f", struct.pack("<f", number))
    for digits in range(6, 10):
        found = float(f"{rounded:.{digits}g}")
        if struct.pack("<f", found) == struct.pack("<f", rounded):
            return found
    return float(rounded)


def letters(draw: random.Random, least: int, most: int, *, odd: bool = False) -> str:
    """Return small letters; where it is `odd`, about every third one is not ASCII."""
    length = draw.randint(least, most)
    sources = [ODD_LETTERS if odd and draw.random() < 1 / 3 else string.ascii_lowercase for _ in range(length)]
    return "".join(map(draw.choice, sources))


def tag(draw: random.Random) -> str:
    """Return letters and digits."""
    return "".join(draw.choices(string.ascii_lowercase + string.digits, k=draw.randint(4, 20)))


def particle(draw: random.Random, number: int) -> dict[str, Any]:
    """Return an element of array_struct."""
    return {
        "id": number,
        "name": letters(draw, 3, 12),
        "position": {axis: draw.randint(-1_000 * 1_024, 1_000 * 1_024) / 1_024 for axis in "xyz"},
        "charge": draw.randint(-3, 3),
        "fixed": number % 4 == 0,
    }


def text(message: Mapping[str, Any]) -> str:
    """Return JSON in lines of about WIDTH characters, so that a change of one element is one of few lines."""
    pieces = json.dumps(message, ensure_ascii=False).split(", ")
    lines = [pieces[0]]
    for piece in pieces[1:]:
        if len(lines[-1]) + len(piece) + 2 > WIDTH:
            lines[-1] += ","
            lines.append(piece)
        else:
            lines[-1] += f", {piece}"
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else SUITES)
