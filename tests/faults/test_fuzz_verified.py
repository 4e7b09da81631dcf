"""What a run file says of itself is never printed as verified: by changes that keep every type.

A changed file is refused in a sentence with the place, or it is shown. A row that is then shown as verified has exactly
the figures of its slices, and did in each round what the plan asks for, by a reading that is not the tool's own
(`tests/support/truth.py`). Where the change is to what proves the work, the row is as it was, or it is not verified.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.runs import run_of, watched, with_file
from support.truth import truth

from ffibench.errors import FfibenchError
from ffibench.model import CalledFunction, CountedSlice, Plan, Row, Run, UsedFile
from ffibench.proof.slices import expected
from ffibench.report.report import make_report
from ffibench.results.compare import compare
from ffibench.workflow import Result, load

TIMES = {
    "c": [20.0, 21.0, 20.0, 20.5, 20.0, 20.1],
    "control": [20.2] * 6,
    "python/a": [50.0] * 6,
    "python/b": [60.0] * 6,
}
Place = tuple[str | int, ...]
Change = tuple[Place, str, Any]


def told() -> Run:
    """A run with two cases, whose workers know by their arguments what to do."""
    run = watched(run_of(TIMES, cases={"receive": TIMES}))
    arguments = {"cases": "send:1000,receive:1000"}
    workers = tuple(replace(worker, arguments=arguments) for worker in run.plan.workers)
    shim = UsedFile(path="/cache/work.py", sha256="1" * 64, after="1" * 64)
    audits = [replace(audit, slices=loops(run.plan)) if audit.functions else audit for audit in run.audits]
    again = tuple(replace(audit, cpu_ns=60_000) for audit in audits if audit.key.startswith("python/a "))
    rounds = [replace(each, audits=again) if each.number == 3 else each for each in run.rounds]
    run = replace(run, plan=replace(run.plan, workers=workers), audits=tuple(audits), rounds=tuple(rounds))
    return with_file(run, "python/a", shim)


def loops(plan: Plan) -> tuple[CountedSlice, ...]:
    """The counts of each loop of a case: a call an iteration, and none in the empty ones."""
    called = CalledFunction(name="work_send", calls=1_000, bytes=5_000)
    return tuple(
        CountedSlice(kind=kind, slice=number, functions=() if kind == "empty" else (called,))
        for kind, number in expected(plan, plan.workers[0])
    )


DOCUMENT: Any = msgspec.json.decode(msgspec.json.encode(told()))


def places_of(value: Any, place: Place = ()) -> Iterator[Place]:  # noqa: ANN401
    """Every place in a document."""
    if place:
        yield place
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from places_of(value[key], (*place, key))


def at(document: Any, place: Place) -> Any:  # noqa: ANN401
    for step in place:
        document = document[step]
    return document


def kind_of(value: Any) -> str:  # noqa: ANN401
    return type(value).__name__


PLACES = [place for place in places_of(DOCUMENT) if place != ("schema",)]
LISTS = [place for place in PLACES if isinstance(at(DOCUMENT, place), list) and at(DOCUMENT, place)]
LEAVES = [place for place in PLACES if kind_of(at(DOCUMENT, place)) in {"int", "str", "float", "bool"}]
VALUES = {
    kind: sorted({at(DOCUMENT, p) for p in LEAVES if kind_of(at(DOCUMENT, p)) == kind}) for kind in ("int", "str")
}
WORDS = ["accepted", "not judged", "not auditable", "invalid", "timed", "empty", "warmup", "cpu", "time"]
NEW: dict[str, st.SearchStrategy[Any]] = {
    "int": st.one_of(st.sampled_from(VALUES["int"]), st.integers(-3, 70_000)),
    "str": st.sampled_from([*VALUES["str"], *WORDS]),
    "float": st.floats(0, 2),
    "bool": st.booleans(),
}

PROOF = {
    *("key", "case", "slice", "kind", "receipt", "sha256", "number"),
    *("calls", "operations", "name", "bytes", "verdict", "delivered", "expected"),
}
"""The fields of records and audits that prove the work; all others are times, or tell of the host."""


def proves(place: Place) -> bool:
    return place[0] in {"rounds", "audits"} and "versions" not in place and bool(PROOF.intersection(place[2:]))


PROOFS = [place for place in LEAVES if proves(place)]


@st.composite
def changes(draw: st.DrawFn) -> Change:
    """One change that keeps the types: a value for another of its type, an item of a list dropped, doubled, moved."""
    how = draw(st.sampled_from(["replace", "replace", "replace", "drop", "double", "swap", "exchange"]))
    if how in {"replace", "exchange"}:
        place = draw(st.sampled_from(LEAVES if draw(st.booleans()) else PROOFS))
        kind = kind_of(at(DOCUMENT, place))
        same = [each for each in LEAVES if each[0] == place[0] and kind_of(at(DOCUMENT, each)) == kind]
        return place, how, draw(NEW[kind] if how == "replace" else st.sampled_from(same))
    place = draw(st.sampled_from(LISTS))
    return place, how, draw(st.integers(0, len(at(DOCUMENT, place)) - 1))


def changed(what: Sequence[Change]) -> Any:  # noqa: ANN401
    document = copy.deepcopy(DOCUMENT)
    for place, how, value in what:
        try:
            inner, last = at(document, place[:-1]), place[-1]
            match how:
                case "replace":
                    inner[last] = value
                case "exchange":
                    other = at(document, value[:-1])
                    inner[last], other[value[-1]] = other[value[-1]], inner[last]
                case "drop":
                    del inner[last][value]
                case "double":
                    inner[last].insert(value, inner[last][value])
                case "swap":
                    inner[last][0], inner[last][value] = inner[last][value], inner[last][0]
        except (KeyError, IndexError, TypeError):
            continue  # another change has taken the place away
    return document


def read(document: Any, path: Path) -> Result | None:  # noqa: ANN401
    """What is made of a file; None where it is refused, with the place."""
    path.write_bytes(msgspec.json.encode(document))
    try:
        return load(path)
    except FfibenchError as error:
        said = str(error)
    assert said.startswith(f"{path} is not a run file: ")
    assert "at `$" in said
    return None


def key_of(row: Row) -> tuple[str, str]:
    name = f"{row.contestant} [{row.interpreter}]"
    return (f"{name} {row.process}" if row.process else name), row.case


def assert_true(result: Result, document: Any) -> None:  # noqa: ANN401
    """Every row is verified where a second reading of the file says so, with the figures that it finds."""
    found = truth(document)
    if not document["rounds"]:
        assert result.comparison.rows == ()
        return
    assert {key_of(row) for row in result.comparison.rows} == found.keys()
    for row in result.comparison.rows:
        figures = found[key_of(row)]
        assert row.valid == (figures is not None), (row, figures)
        if figures is not None and row.gross_ns is not None and row.ratio is not None:
            assert row.gross_ns == figures[0]
            assert math.isclose(row.ratio, figures[1], rel_tol=1e-12)
            assert row.rounds == len(document["rounds"])
    invalid = not all(row.valid for row in result.comparison.rows)
    said = [fact.label for fact in make_report(result.run, result.comparison).summary]
    assert ("not verified" in said) == invalid
    assert ("verified" in said) != invalid
    assert not (result.valid and invalid)


def test_the_run_as_it_was_is_verified(tmp_path: Path) -> None:
    result = read(DOCUMENT, tmp_path / "run.json")
    assert result is not None
    assert result.valid
    assert all(figures is not None for figures in truth(DOCUMENT).values())
    assert_true(result, DOCUMENT)


fuzzed = settings(deadline=None, max_examples=250, suppress_health_check=[HealthCheck.function_scoped_fixture])


@fuzzed
@given(what=st.lists(changes(), min_size=1, max_size=3))
def test_a_row_is_verified_only_with_the_figures_that_were_measured(what: list[Change], tmp_path: Path) -> None:
    document = changed(what)
    result = read(document, tmp_path / "run.json")
    if result is not None:
        assert_true(result, document)


ROWS = compare(told()).rows


def assert_caught(document: Any, path: Path) -> None:  # noqa: ANN401
    """It is refused, or a row is not verified, or all that is printed of each row is what was printed before."""
    result = read(document, path)
    if result is not None:
        assert_true(result, document)
        assert not result.valid or result.comparison.rows == ROWS


@pytest.mark.parametrize("part", ["audits", *range(len(TIMES))])
def test_no_proof_can_be_another(part: str | int, tmp_path: Path) -> None:
    """One after the other, in the audits and in the records of one round, so that no place depends on luck."""
    of_part = {(part,), ("rounds", 2, part), ("rounds", 3, "records", part)}
    mine = [place for place in PROOFS if any(place[: len(each)] == each for each in of_part)]
    assert len(mine) > 20
    for place in mine:
        value = at(DOCUMENT, place)
        for new in [value + 1, 0, -value] if isinstance(value, int) else [f"{value}x", "", "invalid"]:
            if new != value:
                assert_caught(changed([(place, "replace", new)]), tmp_path / "run.json")


@fuzzed
@given(place=st.sampled_from(PROOFS), data=st.data())
def test_no_proof_can_be_any_other(place: Place, data: st.DataObject, tmp_path: Path) -> None:
    new = data.draw(NEW[kind_of(at(DOCUMENT, place))])
    assert_caught(changed([(place, "replace", new)]), tmp_path / "run.json")


LISTED = [place for place in LISTS if place[0] in {"rounds", "audits"} and "instruments" not in place]


@pytest.mark.parametrize("how", ["drop", "double", "swap"])
def test_no_round_record_slice_or_audit_can_be_left_out_doubled_or_moved(how: str, tmp_path: Path) -> None:
    """Rounds told twice made an interval narrower. Of a list the first, the second and the last are tried."""
    tried = [place for place in LISTED if place[:2] in {("rounds",), ("rounds", 2), ("audits",), ("audits", 1)}]
    assert len(tried) > 10
    for place in tried:
        for index in {0, 1, len(at(DOCUMENT, place)) - 1}:
            if index < len(at(DOCUMENT, place)):
                assert_caught(changed([(place, how, index)]), tmp_path / "run.json")


def test_every_round_twice_and_numbered_anew(tmp_path: Path) -> None:
    document = copy.deepcopy(DOCUMENT)
    document["rounds"] = [{**each, "number": number + 1} for number, each in enumerate(document["rounds"] * 2)]
    document["ending"] = "precision"
    document["plan"]["rounds_max"] = 60
    assert read(document, tmp_path / "run.json") is None
