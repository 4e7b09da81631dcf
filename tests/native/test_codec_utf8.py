"""The library of `codec` takes as UTF-8 what Python takes: every class of one to four bytes, wherever it stands."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.compiled import compiled

from ffibench.paths import asset

Valid = Callable[[bytes], bool]

# The first and the last byte of each class of table 3-7 of Unicode, and those beside them.
BYTES = bytes.fromhex(
    "00 41 7f 80 81 8f 90 91 9f a0 a1 bf c0 c1 c2 df e0 e1 ec ed ee ef f0 f1 f3 f4 f5 f7 f8 fb fc fe ff"
)


@pytest.fixture(scope="session")
def valid(tmp_path_factory: pytest.TempPathFactory) -> Valid:
    """The library's own check, by itself."""
    source = asset("native/lib/codec/utf8.c").read_text(encoding="utf-8")
    include = f"-I{asset('native/lib/codec')}"
    path = compiled(tmp_path_factory.mktemp("utf8") / "utf8.so", source, include, "-shared", "-fPIC", "-O3")
    check = ctypes.CDLL(str(path)).utf8_valid
    check.restype, check.argtypes = ctypes.c_bool, [ctypes.c_char_p, ctypes.c_size_t]
    return lambda data: check(data, len(data))


def python_takes(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def test_every_one_and_two_bytes(valid: Valid) -> None:
    for length in (0, 1, 2):
        wrong = [data for data in map(bytes, product(range(256), repeat=length)) if valid(data) != python_takes(data)]
        assert wrong == []


@pytest.mark.parametrize("length", [3, 4])
def test_every_class_of_three_and_four_bytes(valid: Valid, length: int) -> None:
    beginnings = BYTES if length == 4 else range(256)
    for beginning in beginnings:
        rest = map(bytes, product(BYTES, repeat=length - 1))
        wrong = [data for data in (bytes([beginning]) + each for each in rest) if valid(data) != python_takes(data)]
        assert wrong == []


def test_every_character_and_no_surrogate(valid: Valid) -> None:
    for begin in range(0, 0x110000, 0x100):
        if not 0xD800 <= begin < 0xE000:
            assert valid("".join(map(chr, range(begin, begin + 0x100))).encode())
    for code in range(0xD800, 0xE000):
        assert not valid(chr(code).encode("utf-8", "surrogatepass"))
    assert not valid(b"\xf4\x90\x80\x80"), "beyond U+10FFFF"


@pytest.mark.parametrize(
    "bad", [b"\x80", b"\xc0\x80", b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98"]
)
def test_what_is_bad_is_found_at_every_place(valid: Valid, bad: bytes) -> None:
    """Eight bytes of ASCII are looked at in one."""
    for before, after in product(range(19), range(19)):
        for odd in (b"", "é".encode()):
            assert not valid(odd + b"x" * before + bad + b"x" * after)
            assert valid(odd + b"x" * before + "é€😀".encode() + b"x" * after)


@given(st.binary(max_size=40) | st.lists(st.sampled_from(BYTES), max_size=20).map(bytes) | st.text().map(str.encode))
@example(b"\xf0\x9f\x98\x80" * 10)
@settings(deadline=None, max_examples=1000)
def test_bytes_that_are_drawn(valid: Valid, data: bytes) -> None:
    assert valid(data) == python_takes(data)
