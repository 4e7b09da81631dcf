"""codec finds out who cheats: contestants made of python.py by a small change, each invalid where it does so.

Each calls the library through ctypes by hand, so that one run has them all.
"""

from __future__ import annotations

import json
import shutil
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
from support.codec import FOLDER, cases
from support.command import Cli

BY_HAND = '''
import ctypes
from types import SimpleNamespace

from cbor2 import loads

from . import _shapes


class Buffer:
    @classmethod
    def from_param(cls, memory):
        return (ctypes.c_char * len(memory)).from_buffer(memory)


def by_hand(path):
    library = ctypes.CDLL(path)

    def function(name, result, *arguments):
        found = library[name]
        found.restype, found.argtypes = result, arguments
        return found

    number, size, data = ctypes.c_int, ctypes.c_size_t, ctypes.c_char_p
    carried = (number, data, size, Buffer, size)
    return SimpleNamespace(
        codec_answer_cbor=function("codec_answer_cbor", ctypes.c_int64, *carried),
        codec_answer_block=function("codec_answer_block", ctypes.c_int64, *carried),
        codec_check=function("codec_check", ctypes.c_int64, number, *carried),
        codec_warm_heap=function("codec_warm_heap", number),
        codec_version=function("codec_version", data),
        codec_digest=function("codec_digest", ctypes.c_uint32, ctypes.c_uint32, data, size),
    )


def memo(function):
    """Do once what is to be done for each message."""
    kept = []

    def first(value):
        if not kept:
            kept.append(function(value))
        return kept[0]

    return first


class Hidden(SHAPES["payload"]):
    """Gives a view where it should copy."""

    from_struct = PayloadView.from_struct


LEAST = [encode(("", 0)) for encode in (Request(0).to_cbor, Request(0).to_struct)]
'''
HEAD = "BAD = (ValueError"
SIZE = '    size = int(options["size"])\n'
SHAPE = "else SHAPES[shape](size)"
ENCODES = "encode, total = self.encode, 0"
DECODES = "decode, light, total = self.decode, self.shape.light, 0"
TOTALS = "encode, decode, light, view = self.encode, self.decode, self.shape.light, self.view"
CALLS = "length = call(number, request, size, answer, room)"
CALLED = "length = call(number, request, len(request), answer, room)"
UNCOUNTED = "length = self.native.codec_check(self.is_block, number, request, len(request), answer, room)"
LITTLE = "call(0, LEAST[self.is_block], len(LEAST[self.is_block]), bytearray(64), 64)"

Changes = dict[str, str]


def calling(how: str) -> Changes:
    """Call otherwise in both loops that do."""
    return {CALLS: f"{how}; {UNCOUNTED}", CALLED: f"{how}; {UNCOUNTED}"}


def reading(kind: str, what: str) -> Changes:
    """Decode blocks of a shape otherwise; `found` is the message."""
    return {
        HEAD: f"whole = _shapes.{kind}.from_struct\n"
        f"_shapes.{kind}.from_struct = staticmethod(lambda block: [{what} for found in [whole(block)]][0])\n\n{HEAD}"
    }


def text_at(check: str, errors: str) -> Changes:
    """Take texts out of blocks otherwise."""
    body = f"{check}return str(block[offset : offset + length], 'utf-8', '{errors}')"
    return {HEAD: f"def text_at(block, offset, length):\n    {body}\n\n\n_shapes.text_at = text_at\n{HEAD}"}


def memo(loop: str, of: str) -> Changes:
    """Do once in a loop what is to be done for each message."""
    return {loop: loop.replace(of, f"memo({of})")}


def hidden(step: str) -> Changes:
    """Keep a view of a payload in a step."""
    return {SHAPE: f"else Hidden(size) if (shape, step) == ('payload', '{step}') {SHAPE}"}


HONEST: dict[str, Changes] = {
    "honest": {},
    "honest-by-a-change": reading("Response", "found"),
}
CHECK = "if offset + length > len(block):\n        raise ValueError\n    "
LENIENT = "_shapes.Shape.from_cbor = staticmethod(lambda data: loads(data, str_errors='replace'))"
ENDS = (
    "_shapes.Payload.from_struct = lambda _, block: (bytes((each := _shapes.bytes_at(block))[:1]) + bytes(each[-1:]),)"
)
FIRST = {way: f"payload {way} total default heap" for way in ("CBOR", "struct")}
WRONG: dict[str, tuple[Changes, str, str]] = {
    "memo-of-a-request": (memo(ENCODES, "self.encode"), "requests", "request CBOR encode"),
    "memo-of-a-request-in-all": (memo(TOTALS, "self.encode"), "sum", FIRST["CBOR"]),
    "memo-of-an-answer": (memo(DECODES, "self.decode"), "sum", "request CBOR decode"),
    "memo-of-an-answer-in-all": (memo(TOTALS, "self.decode"), "sum", FIRST["CBOR"]),
    "view-in-decode": (hidden("decode"), "fields", "payload struct decode"),
    "view-in-all": (hidden("total"), "fields", FIRST["struct"]),
    "no-utf-8": (text_at(CHECK, "replace"), "refused", FIRST["struct"]),
    "no-utf-8-in-cbor": ({HEAD: f"{LENIENT}\n{HEAD}"}, "refused", FIRST["CBOR"]),
    "no-bounds": (text_at("", "strict"), "refused", FIRST["struct"]),
    "fields-swapped": (reading("Response", "found[::-1]"), "fields", "response struct encode"),
    "tags-swapped": (reading("Complex", "(found[0], found[1][::-1], found[2])"), "fields", "complex struct encode"),
    "absent-for-empty": (reading("Complex", "(*found[:2], found[2] or None)"), "fields", "complex struct encode"),
    "number-of-32-bits": (reading("Request", "(found[0], found[1] & 0xFFFFFFFF)"), "fields", "request struct encode"),
    "bytes-left-out": ({HEAD: f"{ENDS}\n{HEAD}"}, "fields", FIRST["struct"]),
}
"""Changes, the figure of the receipt that is wrong, and the first case in which it is: the process counts no more."""

MISCALLED: dict[str, tuple[Changes, str, str]] = {
    "skips-the-call": (
        {CALLS: UNCOUNTED, CALLED: UNCOUNTED},
        "never called codec_answer_{} in 22 operations.",
        "* call|* total*",
    ),
    "calls-once": (
        {CALLS: CALLS.replace("=", "= length if total else")},
        "called codec_answer_{} 2 times in 22 operations, expected 22.",
        "* call",
    ),
    "calls-twice": (
        {CALLS: f"{CALLS}; {CALLS}", CALLED: f"{CALLED}; {CALLED}"},
        "called codec_answer_{} 44 times in 22 operations, expected 22.",
        "* call|* total*",
    ),
    "calls-with-nothing": (
        calling("call(number, request, 0, answer, room)"),
        "passed 0 bytes to codec_answer_{} in 22 operations, expected ",
        "* call|request * total|complex * total|payload * total*",
    ),
    "calls-with-little": (
        calling(LITTLE),
        "passed ",
        "* call|request * total|complex * total|payload * total*",
    ),
    "calls-in-vain": (
        calling("call(number, request, len(request), bytearray(1), 1)"),
        "called codec_answer_{} 22 times, of which 22 returned a negative number.",
        "* call|* total*",
    ),
}
"""Changes, what the audit says, and the cases of which: their receipts are right."""

ITERATIONS = 11
"""Of a slice; with its warm-up the audit counts 22 operations. The last message differs from the first."""


def written(folder: Path, changes: dict[str, Changes]) -> Path:
    """Write codec's folder with contestants of python.py, each changed."""
    shutil.copytree(FOLDER.path, folder, ignore=lambda _, names: {name for name in names if not shipped(name)})
    text = (FOLDER.path / "python.py").read_text(encoding="utf-8")
    for name, own in changes.items():
        changed = text.replace(SIZE, f'    native = by_hand(options["library"])\n{SIZE}')
        for before, after in own.items():
            assert changed.count(before) == 1, (name, before)
            changed = changed.replace(before, after)
        place = changed.index(own.get(HEAD, HEAD))
        path = folder / f"{name.replace('-', '_')}.py"
        path.write_text(f"{changed[:place]}{BY_HAND}\n\n{changed[place:]}", encoding="utf-8")
    return folder


def shipped(name: str) -> bool:
    """Whether a file is one of the experiment's own parts, and no contestant but the baseline."""
    return name in {"experiment.py", "c.c"} or (name.startswith("_") and name != "__pycache__")


@pytest.fixture(scope="module")
def found(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The rows of one small run, by contestant and case."""
    changes = {name: each for name, (each, *_) in {**WRONG, **MISCALLED}.items()}
    folder = written(tmp_path_factory.mktemp("cheats") / "codec", {**HONEST, **changes})
    file = folder.parent / "run.json"
    options = ("--iterations", str(ITERATIONS), "--rounds", "1", "--slices", "1", "--set", "size=3000")
    answer = cli("run", str(folder), *options, "--json", str(file))
    assert answer.returncode == 1, answer.stderr
    rows: dict[str, dict[str, Any]] = {}
    for row in json.loads(file.read_text(encoding="utf-8"))["summary"]:
        rows.setdefault(row["contestant"].removeprefix("python/"), {})[row["case"]] = row
    return rows


@pytest.mark.parametrize("name", ["c", "control", *HONEST])
def test_who_is_honest_is_valid(found: dict[str, dict[str, Any]], name: str) -> None:
    assert {case.name for case in cases()} == set(found[name])
    assert [row["reason"] for row in found[name].values() if not row["valid"]] == []
    assert {row["audit"] for row in found[name].values()} == {"accepted"}


@pytest.mark.parametrize("name", WRONG)
def test_who_does_other_work_is_invalid(found: dict[str, dict[str, Any]], name: str) -> None:
    _, figure, case = WRONG[name]
    reasons = {row["reason"] for row in found[name].values()}
    assert not any(row["valid"] for row in found[name].values())
    (reason,) = reasons
    assert reason.startswith(f"It reported {figure} = ")
    assert f" in warmup slice 0 of {case}, expected " in reason
    if figure == "refused":
        assert reason.startswith("It reported refused = 3 in ")
        assert ", expected 4, " in reason


@pytest.mark.parametrize("name", MISCALLED)
def test_who_calls_otherwise_is_invalid(found: dict[str, dict[str, Any]], name: str) -> None:
    _, told, globs = MISCALLED[name]
    wrong = [case for case in found[name] if any(fnmatchcase(case, glob) for glob in globs.split("|"))]
    assert len(wrong) >= 8
    for case in wrong:
        row, function = found[name][case], "cbor" if " CBOR " in case else "block"
        assert (row["valid"], row["audit"]) == (False, "invalid"), case
        assert row["reason"].startswith(f"It {told.format(function)}"), case


def test_and_only_where_it_does(found: dict[str, dict[str, Any]]) -> None:
    for name in MISCALLED:
        uncalled = [row for case, row in found[name].items() if case.split()[2] in {"encode", "decode"}]
        assert len(uncalled) == 17
        assert all(row["valid"] for row in uncalled), name
