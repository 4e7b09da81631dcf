"""Run files come from other people: whatever is in one, it is shown or refused in a sentence that names the place.

Nothing in it is executed, becomes a path, or reaches the terminal as anything but characters to read.
"""

from __future__ import annotations

import io
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.costs import COMPILED, reported, with_costs
from support.runs import run_of, swept_run, watched

from ffibench.errors import FfibenchError
from ffibench.model import PlannedWorker, Run, WorkerCosts
from ffibench.report.exports import exports
from ffibench.report.options import ReportOptions
from ffibench.report.report import make_report
from ffibench.report.terminal.console import console
from ffibench.report.terminal.report import print_report
from ffibench.results.compare import compare
from ffibench.results.store import kept_path, load

TIMES = {
    "c": [20.0, 21.0, 20.0, 20.5, 20.0, 20.1],
    "control": [20.0] * 6,
    "python/a": [50.0] * 6,
    "python/a [CPython 3.14.0]": [40.0] * 6,
}
RUN = watched(run_of(TIMES, cases={"receive": TIMES}))
DOCUMENT = msgspec.json.encode(RUN)
Place = tuple[str | int, ...]

PLACED = re.compile(
    r"at `\$|byte|has schema|truncated|JSON|utf-8|ecursion|Expected `object`|missing required|out of range"
)
"""What is no JSON is told by its byte, what is of another type or cannot be by its place; the whole has none."""

fuzzed = settings(deadline=None, max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])


def places_of(value: Any, place: Place = ()) -> list[Place]:  # noqa: ANN401
    """Every place in a document, of lists only that of the last item."""
    below: list[Place] = []
    if isinstance(value, dict):
        below = [each for key, item in value.items() for each in places_of(item, (*place, key))]
    elif isinstance(value, list):
        below = places_of(value[-1], (*place, len(value) - 1)) if value else []
    return [place, *below] if place else below


PLACES = places_of(msgspec.json.decode(DOCUMENT))
SWEPT = msgspec.json.encode(
    swept_run(
        {name: {"c": {1: [9.0] * 6, 2: [5.0] * 6}, "python/a": {1: [9.0] * 6, 2: None}} for name in ("a", "b")},
        audited=False,
    )
)
OF_A_CASE = {"alias", "clock", "figures", "series", "point", "decides"}
OF_A_SWEEP = OF_A_CASE | {"label", "team", "cases", "supporting", "cannot"}
PLACES_OF_A_SWEEP = [place for place in places_of(msgspec.json.decode(SWEPT)) if OF_A_SWEEP.intersection(place[2:])]
COSTED = msgspec.json.encode(with_costs(RUN, {"python/a": reported(*[1.0] * 6, first_call_ms=1.0)}, COMPILED))
PLACES_OF_COSTS = [
    *(("bindings", 0, name) for name in COMPILED.__struct_fields__),
    *(("bindings", 0, *place) for place in (("sources", "work_a.c"), ("modules", "work_a.so"))),
    *(("rounds", 5, "records", 2, "costs", name) for name in WorkerCosts.__struct_fields__),
]
HOSTILE = [
    "../../x",
    "/etc/passwd",
    "$(touch x); `touch x`",
    "\x1b[2J\x1b]0;title\x07",
    "\x1b]8;;http://example.org\x1b\\link\x1b]8;;\x1b\\",
    "\x9b2J\x90q\x9c",
    "\N{RIGHT-TO-LEFT OVERRIDE}c\N{LEFT-TO-RIGHT ISOLATE}",
    "a\r\nb\n# c\x00\x7f\u2028",
    "[red]r[/red][link=http://example.org]l[/link]",
    "<img src=x onerror=alert(1)>|`a``b```|[l](javascript:x)\\",
]
values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([0, -1, 1, 2**63 - 1, 2**63, 2**64, -(2**63), 10**400]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([5e-324, 1.7e308, -1.7e308, -0.0, 1e-300]),
    st.text(max_size=5),
    st.sampled_from(HOSTILE),
    st.sampled_from(["c", "control", "send", "timed", "empty", "held", "", "c [gcc 12.2.0]"]),
    st.just([]),
    st.just({}),
    st.just({"a": [{}]}),
)


changes = st.lists(
    st.tuples(
        st.sampled_from(PLACES), st.sampled_from(["replace", "replace", "drop", "double", "nest", "bury"]), values
    ),
    min_size=1,
    max_size=3,
)


def changed(what: Sequence[tuple[Place, str, object]], data: bytes = DOCUMENT) -> bytes:
    """The document with some of its values replaced, dropped, doubled or nested deep."""
    document: Any = msgspec.json.decode(data)
    for place, how, value in what:
        inner: Any = document
        last: Any = place[-1]
        try:
            for step in place[:-1]:
                inner = inner[step]
            match how:
                case "replace":
                    inner[last] = value
                case "drop":
                    del inner[last]
                case "double" if isinstance(inner, list):
                    inner.insert(0, inner[last])
                case "double":
                    inner[last] = [inner[last]] * 2
                case _:
                    for _ in range(50 if how == "bury" else 1):
                        inner[last] = {"more": inner[last]}
        except (KeyError, IndexError, TypeError):
            continue  # another change has taken the place away
    return msgspec.json.encode(document)


@st.composite
def damages(draw: st.DrawFn) -> tuple[int, int, bytes]:
    """A stretch of the document, and what is put in its place: nothing, the same twice, other bytes."""
    start = draw(st.integers(0, len(DOCUMENT)))
    end = min(start + draw(st.one_of(st.integers(0, 40), st.just(len(DOCUMENT)))), len(DOCUMENT))
    new = draw(
        st.one_of(
            st.just(b""),
            st.just(DOCUMENT[start : min(end, start + 40)] * 2),
            st.binary(max_size=8),
            st.sampled_from(
                [b"0", b"-", b"1e9", b"1e400", b"null", b"[" * 5000, b"}", b"\xff\xfe", b"\\ud800", b"9" * 5000]
            ),
        )
    )
    return start, end, new


def shown(data: bytes, path: Path) -> str:
    """All that is printed and exported of a file; what is said of it where it is refused."""
    path.write_bytes(data)
    try:
        run = load(path)
    except FfibenchError as error:
        told = str(error)
    else:
        return texts_of(run)
    assert told.startswith(f"{path} ")
    assert PLACED.search(told), told
    return told


def texts_of(run: Run) -> str:
    comparison = compare(run)
    out = io.StringIO()
    options = ReportOptions(rate=100_000, matrix=True, shell=True, verbose=True)
    report = make_report(run, comparison, options)
    print_report(console(file=out), report)
    return out.getvalue() + "".join(export.text(report) for export in exports().values() if not export.aliases)


def assert_harmless(text: str) -> None:
    """There is nothing in it that a terminal would act on."""
    assert all(char.isprintable() or char == "\n" for char in text), ascii(text)


@fuzzed
@given(damage=damages())
def test_no_damage_is_a_traceback(damage: tuple[int, int, bytes], tmp_path: Path) -> None:
    start, end, new = damage
    assert_harmless(shown(DOCUMENT[:start] + new + DOCUMENT[end:], tmp_path / "damaged.json"))


@fuzzed
@given(what=changes)
def test_no_value_is_a_traceback(what: list[tuple[Place, str, object]], tmp_path: Path) -> None:
    assert_harmless(shown(changed(what), tmp_path / "changed.json"))


@pytest.mark.parametrize("place", [each for each in PLACES if each], ids=lambda place: ".".join(map(str, place)))
def test_every_place_takes_every_odd_value(place: Place, tmp_path: Path) -> None:
    """One after the other, so that no place depends on luck."""
    odd: list[object] = [None, [], {}, 0, -1, 2**63, 10**400, 1.7e308, -1.7e308, 5e-324, "", "c", *HOSTILE[2:4]]
    for value in odd:
        assert_harmless(shown(changed([(place, "replace", value)]), tmp_path / "odd.json"))


@pytest.mark.parametrize("place", PLACES_OF_A_SWEEP, ids=lambda place: ".".join(map(str, place)))
def test_every_place_of_a_sweep_takes_every_odd_value(place: Place, tmp_path: Path) -> None:
    """Those that only a run has whose workers do not all do the same."""
    odd: list[object] = [None, [], {}, 0, -1, 10**400, 1.7e308, "", "c", HOSTILE[3], ["no such case"], {"threads": []}]
    for value in odd:
        data = changed([(place, "replace", value)], SWEPT)
        assert_harmless(shown(data, tmp_path / "odd.json"))


@pytest.mark.parametrize("place", PLACES_OF_COSTS, ids=lambda place: ".".join(map(str, place)))
def test_costs_take_every_odd_value(place: Place, tmp_path: Path) -> None:
    """Those that only a run has that was asked for the costs of bindings."""
    odd: list[object] = [None, [], {}, 0, -1, 10**400, 1.7e308, "", "c", HOSTILE[3], ["no such case"], {"threads": []}]
    for value in odd:
        data = changed([(place, "replace", value)], COSTED)
        assert_harmless(shown(data, tmp_path / "odd.json"))


@pytest.fixture
def hostile() -> Callable[[str], Run]:
    """The run with a text in place of every text that is nowhere looked up."""
    keep = {"c", "control", "send", "receive", "timed", "empty", "warmup", "held", "released", "default", "rounds"} | {
        *("accepted", "not auditable", "load", "pressure", "wall", "cpu", "waits", "continues", "none", "cold"),
    }

    def every(value: Any, text: str) -> Any:  # noqa: ANN401
        if isinstance(value, dict):
            return {key: every(item, text) for key, item in value.items()}
        if isinstance(value, list):
            return [every(item, text) for item in value]
        return f"{value}{text}" if isinstance(value, str) and value not in keep else value

    def named(text: str) -> Run:
        """A record is known by what its worker is called."""
        document = every(msgspec.json.decode(DOCUMENT), text)
        keys = {f"{old.key}{text}": new.key for old, new in zip(RUN.plan.workers, _workers(document), strict=True)}
        for each in [*document["audits"], *(record for one in document["rounds"] for record in one["records"])]:
            each["key"] = keys[each["key"]]
        return msgspec.convert(document, Run)

    return named


def _workers(document: Any) -> list[PlannedWorker]:  # noqa: ANN401
    return msgspec.convert(document["plan"]["workers"], list[PlannedWorker])


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_hostile_names_are_only_characters(
    text: str, hostile: Callable[[str], Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = hostile(text)
    told = texts_of(run)
    assert_harmless(told)
    assert "python/a" in told
    path = kept_path(run)
    assert path.parent == kept_path(RUN).parent
    assert re.fullmatch(r"[0-9]*-[A-Za-z0-9_-]*\.json", path.name)
    assert list(tmp_path.iterdir()) == []


def test_rich_markup_is_shown_as_it_is(hostile: Callable[[str], Run]) -> None:
    assert "[red]r[/red]" in texts_of(hostile("[red]r[/red]"))


def test_markdown_is_shown_as_it_is(hostile: Callable[[str], Run]) -> None:
    """No tag, no link, no cell and no code that a text brings of its own."""
    run = hostile("<b>`x``y|z[l](u)")
    (export,) = (each for each in exports().values() if each.name == "markdown")
    text = export.text(make_report(run, compare(run)))
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text)  # what GitHub shows as code stays code
    assert not re.search(r"(?<!\\)<b>", outside)
    assert not re.search(r"(?<!\\)\[l", outside)
    tables = re.findall(r"^(?:\|.*\n)+", text, re.MULTILINE)
    assert len(tables) > 2
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1


def test_nothing_of_it_is_executed(
    hostile: Callable[[str], Run], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its commands are those of somebody else's machine."""

    def never(*_: object, **__: object) -> None:
        pytest.fail("a run file starts nothing")

    for name in ("Popen", "run"):
        monkeypatch.setattr(subprocess, name, never)
    (tmp_path / "run.json").write_bytes(msgspec.json.encode(hostile("; touch x")))
    texts_of(load(tmp_path / "run.json"))
