"""The promise: what a binding costs is the median over the rounds with its exact interval, of sound processes alone."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from support.costs import COMPILED, reported, with_costs
from support.run_files import save_compared
from support.runs import changed, run_of

from ffibench.errors import FfibenchError
from ffibench.model import BindingParts, Run, Spread, WorkerCosts
from ffibench.results.costs import binding_costs
from ffibench.results.store import load

RUN = run_of({"c": [20.0] * 6, "control": [20.0] * 6, "python/a": [50.0] * 6, "python/b": [60.0] * 6}, audited=False)
TIMES = (5.0, 1.0, 4.0, 2.0, 6.0, 3.0)
COSTS = with_costs(RUN, {"python/a": reported(*TIMES, first_call_ms=1.0)}, COMPILED)


def test_a_row_a_contestant_without_the_control() -> None:
    assert [row.contestant for row in binding_costs(COSTS)] == ["c", "python/a", "python/b"]


def test_figures_are_medians_with_exact_intervals() -> None:
    _, a, _ = binding_costs(COSTS)
    assert a.import_ns == Spread(median=3.5e6, low=1e6, high=6e6)
    assert a.first_call_ns == Spread(median=4.5e6, low=2e6, high=7e6)
    assert a.rss_bytes == Spread(median=512 * 1024, low=512 * 1024, high=512 * 1024)
    assert (a.rounds, a.parts) == (6, COMPILED)


def test_a_contestant_that_reports_nothing_has_nothing() -> None:
    c, _, b = binding_costs(COSTS)
    for row in (c, b):
        assert (row.rounds, row.parts, row.import_ns, row.first_call_ns, row.pss_bytes) == (0, None, None, None, None)


def test_few_rounds_give_no_interval() -> None:
    few = replace(COSTS, rounds=COSTS.rounds[:5])
    assert binding_costs(few)[1].import_ns == Spread(median=4e6)


def test_a_figure_that_some_processes_lack_is_none() -> None:
    first, *others = reported(*TIMES, first_call_ms=1.0)
    run = with_costs(RUN, {"python/a": [replace(first, first_call_ns=0, pss_bytes=None), *others]})
    row = binding_costs(run)[1]
    assert (row.first_call_ns, row.pss_bytes) == (None, None)
    assert row.rss_bytes is not None


def test_a_process_that_failed_does_not_count() -> None:
    run = changed(COSTS, "python/a", lambda record: replace(record, failure="hung"), [1])
    row = binding_costs(run)[1]
    assert row.rounds == 5
    assert row.import_ns == Spread(median=3e6)


def test_a_run_without_costs_has_no_rows() -> None:
    assert binding_costs(RUN) == ()


def test_they_are_in_the_file_and_are_made_anew_when_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    save_compared(COSTS, file)
    document = msgspec.json.decode(file.read_bytes())
    assert document["costs"][1]["import_ns"] == {"median": 3.5e6, "low": 1e6, "high": 6e6}
    document["costs"] = []
    file.write_bytes(msgspec.json.encode(document))
    assert load(file) == COSTS
    assert binding_costs(load(file)) == binding_costs(COSTS)


def test_a_file_of_a_version_without_costs_is_read(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    save_compared(RUN, file)
    document = msgspec.json.decode(file.read_bytes())
    del document["costs"], document["bindings"]
    file.write_bytes(msgspec.json.encode(document))
    assert load(file) == RUN


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ((COMPILED, COMPILED), "A second binding of python/a [CPython 3.11.7] - at `$.bindings[1]`"),
        (
            (replace(COMPILED, contestant="python/x"),),
            "A binding of python/x [CPython 3.11.7], which is not in the plan - at `$.bindings[0]`",
        ),
        (
            (replace(COMPILED, interpreter="CPython 2.7"),),
            "A binding of python/a [CPython 2.7], which is not in the plan - at `$.bindings[0]`",
        ),
        (
            (replace(COMPILED, compile_seconds=-1.0),),
            "Expected `float` >= 0.0 - at `$.bindings[0].compile_seconds`",
        ),
        ((replace(COMPILED, modules={"a.so": -1}),), "Expected `int` >= 0 - at `$.bindings[0].modules[...]`"),
    ],
)
def test_bindings_that_no_run_has_are_refused(parts: tuple[BindingParts, ...], sentence: str, tmp_path: Path) -> None:
    assert sentence in refused(replace(COSTS, bindings=parts), tmp_path)


def test_a_time_that_no_process_takes_is_refused(tmp_path: Path) -> None:
    run = with_costs(RUN, {"python/a": [WorkerCosts(import_ns=0)] * 6})
    assert "Expected `int` >= 1 - at `$.rounds[0].records[2].costs.import_ns`" in refused(run, tmp_path)


def refused(run: Run, tmp_path: Path) -> str:
    file = tmp_path / "run.json"
    file.write_bytes(msgspec.json.encode(run))
    with pytest.raises(FfibenchError) as error:
        load(file)
    return str(error.value)
