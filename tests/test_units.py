"""Counts are read exactly or refused with a reason; figures of a column line up and lose nothing."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ffibench.units import (
    ABSENT,
    COUNT_MAX,
    aligned,
    column,
    decimals_of,
    format_count,
    format_exact_rate,
    format_ns,
    format_number,
    format_rate,
    format_seconds,
    format_share,
    parse_count,
)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("1", 1),
        ("50000", 50_000),
        ("10_000_000", 10_000_000),
        ("10M", 10_000_000),
        ("10m", 10_000_000),
        ("100k", 100_000),
        ("100K", 100_000),
        ("2.5k", 2_500),
        ("1G", 10**9),
        ("1e7", 10**7),
        ("2.5E+3", 2_500),
        (" 7 ", 7),
        ("1e15", COUNT_MAX),
    ],
)
def test_a_count_is_read_exactly(text: str, count: int) -> None:
    assert parse_count(text) == count


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("0", "is zero"),
        ("0.0k", "is zero"),
        ("-5", "is negative"),
        ("-5k", "is negative"),
        ("0.5", "not a whole number"),
        ("2.5555k", "not a whole number"),
        ("10,000", "comma"),
        ("", "not a count"),
        ("k", "not a count"),
        ("1__0", "not a count"),
        ("_1", "not a count"),
        ("1e7k", "not a count"),
        ("1e-3", "not a count"),
        ("10 000", "not a count"),
        ("10T", "not a count"),
        ("0x10", "not a count"),
        ("\N{ARABIC-INDIC DIGIT ONE}", "not a count"),
        ("inf", "not a count"),
        ("1e16", "the largest count"),
        ("1e999", "the largest count"),
        ("9" * 5000, "5000 characters"),
    ],
)
def test_what_is_not_a_count_is_refused_in_a_sentence(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as caught:
        parse_count(text)
    assert str(caught.value).endswith(".")


@given(st.integers(1, COUNT_MAX))
def test_every_way_of_writing_a_count_reads_back(count: int) -> None:
    assert parse_count(str(count)) == parse_count(f"{count:_}") == count
    for suffix, unit in (("k", 10**3), ("M", 10**6), ("G", 10**9)):
        if count <= COUNT_MAX // unit:
            assert parse_count(f"{count}{suffix}") == count * unit
            assert parse_count(f"{count}{suffix.swapcase()}") == count * unit
    if count * 1000 <= COUNT_MAX:
        assert parse_count(f"{count}e3") == count * 1000


@given(st.text(max_size=50))
def test_any_text_is_a_positive_count_or_a_value_error(text: str) -> None:
    try:
        count = parse_count(text)
    except ValueError:
        return
    assert 1 <= count <= COUNT_MAX


def test_a_column_has_its_points_below_each_other() -> None:
    assert column([22.41, 138.3, 4.0, None, 0.05, 12345.0]) == [
        "    22.4   ",
        "   138     ",
        "     4.00  ",
        "     \N{EN DASH}     ",
        "     0.0500",
        "12,300     ",
    ]


def test_a_column_of_differences_is_no_finer_than_asked() -> None:
    assert column([0.031, -0.031, 27.1, 338.0], finest=1) == ["  0.0", "  0.0", " 27.1", "338  "]


def test_a_column_shows_what_is_not_finite_as_absent() -> None:
    assert column([math.nan, math.inf, None]) == [ABSENT] * 3
    assert column([]) == []


FIGURES = st.floats(1e-6, 1e12) | st.floats(-1e12, -1e-6)


@given(st.lists(FIGURES | st.none(), min_size=1), st.integers(1, 6))
def test_a_column_reads_back_within_half_a_unit_of_its_last_digit(values: list[float | None], significant: int) -> None:
    texts = column(values, significant)
    assert len({len(text) for text in texts}) == 1
    points = {text.index(".") for text in texts if "." in text}
    assert len(points) <= 1
    for value, text in zip(values, texts, strict=True):
        if value is None:
            assert text.strip() == ABSENT
            continue
        last_digit = 10.0 ** -decimals_of(value, significant)
        assert abs(float(text.replace(",", "")) - value) <= 0.5 * last_digit * (1 + 1e-9)
        if "." in text:
            digits = text.strip().lstrip("-").replace(",", "").replace(".", "").lstrip("0")
            assert len(digits) == significant


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (format_number(9.996), "10.0"),
        (format_number(9999.0), "10,000"),
        (format_number(1237.0), "1240"),
        (format_number(0.0), "0.00"),
        (format_number(9999.4, 6, finest=0), "9999"),
        (format_number(9999.6, 6, finest=0), "10,000"),
        (format_count(50_000), "50,000"),
        (format_ns(22.41), "22.4 ns"),
        (format_ns(12_345.0), "12,300 ns"),
        (format_share(0.0123), "1.2 %"),
        (format_share(1.0), "100 %"),
        (format_seconds(0.00523), "5.23 ms"),
        (format_seconds(0.999), "999 ms"),
        (format_seconds(1.0), "1.00 s"),
        (format_seconds(47.2), "47.2 s"),
        (format_seconds(119.4), "119 s"),
        (format_seconds(119.6), "2 min 00 s"),
        (format_seconds(133.0), "2 min 13 s"),
        (format_seconds(3599.7), "1 h 00 min"),
        (format_seconds(3900.0), "1 h 05 min"),
        (format_rate(20_340_000.0), "20.3M/s"),
        (format_rate(999_700.0), "1.00M/s"),
        (format_rate(834_000.0), "834k/s"),
        (format_rate(1.2e9), "1.20G/s"),
        (format_rate(12.0), "12.0/s"),
        (format_exact_rate(100_000), "100k/s"),
        (format_exact_rate(2_500_000), "2.5M/s"),
        (format_exact_rate(1_000_000), "1M/s"),
        (format_exact_rate(123_456), "123,456/s"),
        (format_exact_rate(50), "50/s"),
    ],
)
def test_single_figures(text: str, shown: str) -> None:
    assert text == shown


def test_texts_that_begin_with_a_number_are_aligned_by_its_point() -> None:
    assert aligned(["1.23x", "+35.2 ns", "(120)", "\N{EN DASH}", "-0.5 ns"]) == [
        "   1.23x ",
        " +35.2 ns",
        "(120)    ",
        "   \N{EN DASH}     ",
        "  -0.5 ns",
    ]
    assert aligned([]) == []
