"""What a worker said, in a message of ours."""

from __future__ import annotations

import pytest

from ffibench.proof.quoting import named, printable, quoted


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"plain", "'plain'"),
        (b"it's", '"it\'s"'),
        (b"\x1b]0;title\x07", "'\\x1b]0;title\\x07'"),
        ("\N{RIGHT-TO-LEFT OVERRIDE}".encode(), "'\\u202e'"),
        (b"\xff\xfe", "'\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}'"),
        (b"x" * 160, f"'{'x' * 160}'"),
        (b"x" * 161, f"'{'x' * 160}'..."),
        (b"", "''"),
    ],
)
def test_foreign_output_is_shown_short_and_harmless(data: bytes, text: str) -> None:
    assert printable(data) == text


def test_a_name_is_as_it_is_unless_it_would_break_a_line() -> None:
    assert named("python/a [CPython 3.11.7]") == "python/a [CPython 3.11.7]"
    assert named("a\nb") == "'a\\nb'"
    assert named("x" * 161) == f"'{'x' * 160}'..."


def test_a_number_is_short_or_quoted() -> None:
    assert quoted(80_000) == "80,000"
    assert quoted(10**60) == f"'1{'0' * 60}'"
    assert quoted("ten") == "'ten'"
    assert quoted(None) == "nothing"
