"""The selftest's tables: what was expected beside what was found, and why a line is not as known."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from ffibench.report.terminal.aa import aa_report
from ffibench.report.terminal.selftest import selftest_report
from ffibench.selftest.aa import COPIES, SLOWER, Repeat
from ffibench.selftest.answers import Answers, Examined
from ffibench.selftest.summing import summary
from ffibench.selftest.verdict import BUSY, FEW, Agreement, Check

Render = Callable[..., str]
Golden = Callable[[str, str], None]


def check(what: str, verdict: Agreement = "as known", reason: str = "") -> Check:
    return Check(what=what, expected="100 ns", found="100.03 ns (100.02 to 100.04)", verdict=verdict, reason=reason)


STEADY = Examined(
    title="steady spins",
    rounds=40,
    processes=240,
    seconds=8.1,
    disturbed=0.031,
    pressure=0.12,
    checks=(
        check("a spin of 100 ns, gross"),
        check("twice the baseline, ratio", "contradicted", "What was found excludes the known answer."),
        check("two rows 3 % apart", "inconclusive", BUSY),
        check("smallest difference seen", "inconclusive", BUSY),
    ),
)
COLD = Examined(
    title="warm-up not counted",
    rounds=40,
    processes=120,
    seconds=4.0,
    disturbed=0.0,
    pressure=None,
    checks=(check("a spin that warms up", "inconclusive", FEW),),
)
ANSWERS = Answers(
    seed=7, started="2025-11-20T08:13:00.250+00:00", tool="ffibench 0.1.0", interrupted=False, runs=(STEADY, COLD)
)
REPEAT = Repeat(
    seed=7,
    rounds=30,
    seconds=5.0,
    ending="precision",
    gross_ns={"c": 25.0},
    ratios=dict.fromkeys(("control", *COPIES, *SLOWER), (1.0, 0.99, 1.01)),
    control_apart=False,
    copies_apart=False,
    seen={name: share > 0.02 for name, share in SLOWER.items()},
    slow_down=dict(SLOWER),
    disturbed=3,
    pressure=0.05,
)


def aa_text(render: Render, repeats: list[Repeat], width: int = 100, *, interrupted: bool = False) -> str:
    found = summary(repeats, asked=40, seed=7, started="", tool="ffibench 0.1.0", interrupted=interrupted)
    return render(aa_report(found), width)


@pytest.mark.parametrize("width", [100, 80])
def test_the_tables_are_as_drawn(render: Render, golden: Golden, width: int) -> None:
    golden(f"selftest-{width}.txt", render(selftest_report(ANSWERS), width))
    golden(f"aa-{width}.txt", aa_text(render, [REPEAT] * 40, width))


@pytest.mark.parametrize("width", [40, 60, 80, 100, 250])
def test_no_line_is_wider_than_the_console_or_100_columns(render: Render, width: int) -> None:
    for text in (render(selftest_report(ANSWERS), width), aa_text(render, [REPEAT] * 2, width)):
        assert all(len(line) <= min(width, 100) for line in text.splitlines())
        assert all(line == line.rstrip() for line in text.splitlines())


def test_every_line_that_is_not_as_known_has_its_reason(render: Render) -> None:
    text = " ".join(render(selftest_report(ANSWERS)).split())
    assert f"[1] {STEADY.checks[1].reason}" in text
    assert f"[2] {BUSY}" in text
    assert f"[3] {FEW}" in text
    assert text.count("inconclusive [2]") == 2
    assert "1 as known, 3 inconclusive, 1 contradicted" in text


def test_what_was_finished_before_an_interrupt_is_shown(render: Render) -> None:
    some = replace(ANSWERS, interrupted=True, runs=(STEADY,))
    assert "interrupted; in the runs that were finished 1 as known" in render(selftest_report(some))
    assert "interrupted in the first run" in render(selftest_report(replace(some, runs=())))
    told = " ".join(aa_text(render, [REPEAT] * 2, interrupted=True).split())
    assert "2 of 40 in 10.0 s" in told
    assert "interrupted, every finished run counts" in told
    assert "none of 40; interrupted" in aa_text(render, [], interrupted=True)


def test_a_promise_that_is_not_kept_is_said(render: Render) -> None:
    bad = replace(REPEAT, control_apart=True)
    lines = aa_text(render, [bad] * 40).splitlines()
    assert any("c and control differ significantly" in line and line.endswith("contradicted") for line in lines)
    assert any("any of three copies" in line and line.endswith("as known") for line in lines)
