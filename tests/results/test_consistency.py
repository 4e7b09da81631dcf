"""The promise: rounds, records, slices or audits that a plan does not have are refused, with their place.

Each change keeps the types right, and would print figures that nobody measured.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.runs import run_of, watched, with_file

from ffibench.errors import FfibenchError
from ffibench.model import UsedFile
from ffibench.results.store import load

CASES = {"c": [20.0] * 6, "python/a": [50.0] * 6}
SHIM = UsedFile(path="/cache/work.py", sha256="1" * 64, after="1" * 64)
WATCHED = with_file(watched(run_of(CASES, cases={"receive": CASES})), "python/a", SHIM)
KEY = "python/a [CPython 3.11.7]"
Change = Callable[[Any], object]


@pytest.fixture
def told(tmp_path: Path) -> Callable[[Change], str]:
    """What is said of the watched run after a change of its document."""

    def load_it(change: Change) -> str:
        document = msgspec.json.decode(msgspec.json.encode(WATCHED))
        change(document)
        (tmp_path / "run.json").write_bytes(msgspec.json.encode(document))
        with pytest.raises(FfibenchError) as error:
            load(tmp_path / "run.json")
        return str(error.value).removeprefix(f"{tmp_path}/run.json is not a run file: ").partition("; ")[0]

    return load_it


def record(document: Any, number: int = 2) -> Any:  # noqa: ANN401
    """That of python/a."""
    return document["rounds"][number]["records"][1]


def drop(value: Any, *names: Any) -> None:  # noqa: ANN401
    for name in names:
        del value[name]


SLICE = "1 of send, timed"
CHANGES: dict[str, tuple[Change, str]] = {
    "every round twice": (
        lambda it: it.update(rounds=it["rounds"] * 2),
        "12 rounds in a plan of at most 6 - at `$.rounds`",
    ),
    "a round twice": (
        lambda it: it["rounds"].__setitem__(3, it["rounds"][2]),
        "Round 3 in place of round 4 - at `$.rounds[3].number`",
    ),
    "a round dropped": (lambda it: drop(it["rounds"], 1), "Round 3 in place of round 2 - at `$.rounds[1].number`"),
    "the last round dropped": (
        lambda it: drop(it["rounds"], -1),
        "5 rounds in a run that ended after the most of 6 - at `$.rounds`",
    ),
    "too few rounds for its end": (
        lambda it: it.update(rounds=it["rounds"][:2], ending="precision"),
        "2 rounds in a run that had to have 3 - at `$.rounds`",
    ),
    "a baseline that did not fail": (
        lambda it: it.update(ending="baseline failed"),
        "A baseline that failed and did not - at `$.ending`",
    ),
    "a record of another round": (
        lambda it: it["rounds"][3]["records"].__setitem__(1, record(it)),
        f"The record of {KEY} in round 3 again - at `$.rounds[3].records[1]`",
    ),
    "round 0": (lambda it: it["rounds"][0].update(number=0), "Expected `int` >= 1 - at `$.rounds[0].number`"),
    "two records of a worker": (
        lambda it: it["rounds"][2]["records"].append(record(it)),
        f"A second record of {KEY} - at `$.rounds[2].records[2]`",
    ),
    "a record of another worker": (
        lambda it: record(it).update(key="python/b [CPython 3.11.7]"),
        "A record of python/b [CPython 3.11.7], which is not in the plan - at `$.rounds[2].records[1].key`",
    ),
    "a record dropped": (
        lambda it: drop(it["rounds"][2]["records"], 1),
        f"There is no record of {KEY} - at `$.rounds[2].records`",
    ),
    "a slice dropped": (
        lambda it: drop(record(it)["slices"], 2),
        f"Slice 0 of send, empty, where the plan has {SLICE} - at `$.rounds[2].records[1].slices[2]`",
    ),
    "the last slice dropped": (
        lambda it: drop(record(it)["slices"], -1),
        "There is no slice 1 of receive, empty - at `$.rounds[2].records[1].slices`",
    ),
    "a slice twice": (
        lambda it: record(it)["slices"].insert(2, record(it)["slices"][1]),
        f"Slice 0 of send, timed, where the plan has {SLICE} - at `$.rounds[2].records[1].slices[2]`",
    ),
    "one slice more": (
        lambda it: record(it)["slices"].append(record(it)["slices"][-1]),
        "Slice 1 of receive, empty, where the plan has none - at `$.rounds[2].records[1].slices[10]`",
    ),
    "a slice of another case": (
        lambda it: record(it)["slices"][1].update(case="peek"),
        "Slice 0 of peek, timed, where the plan has 0 of send, timed - at `$.rounds[2].records[1].slices[1]`",
    ),
    "a slice of another kind": (
        lambda it: record(it)["slices"][1].update(kind="empty"),
        "Slice 0 of send, empty, where the plan has 0 of send, timed - at `$.rounds[2].records[1].slices[1]`",
    ),
    "a failed process with slices that it cannot have": (
        lambda it: record(it, 5).update(failure="hung", slices=record(it, 5)["slices"][1:3]),
        "Slice 0 of send, timed, where the plan has 0 of send, warmup - at `$.rounds[5].records[1].slices[0]`",
    ),
    "a negative processor time": (
        lambda it: record(it)["slices"][1].update(cpu_ns=-1),
        "A slice of -1 ns - at `$.rounds[2].records[1].slices[1].cpu_ns`",
    ),
    "a negative figure": (
        lambda it: record(it)["slices"][1].update(figures={"first": -1}),
        "A figure first of -1 ns - at `$.rounds[2].records[1].slices[1].figures`",
    ),
    "a process longer than its round": (
        lambda it: record(it)["usage"].update(real_s=3.0),
        "A process of 3 s in a round of 1 s - at `$.rounds[2].records[1].usage.real_s`",
    ),
    "a negative memory": (
        lambda it: record(it)["usage"].update(peak_rss_bytes=-1),
        "Expected `int` >= 0 - at `$.rounds[2].records[1].usage.peak_rss_bytes`",
    ),
    "a case that it does not run": (
        lambda it: record(it).update(unsupported={"peek": "no"}),
        f"A case peek that {KEY} does not run - at `$.rounds[2].records[1].unsupported`",
    ),
    "negative slices": (lambda it: it["plan"].update(slices=-3), "Expected `int` >= 1 - at `$.plan.slices`"),
    "more slices": (lambda it: it["plan"].update(slices=3), "An audit of 3000 operations, where the plan has 4000"),
    "negative warm-up": (lambda it: it["plan"].update(warmup=-1), "Expected `int` >= 0 - at `$.plan.warmup`"),
    "negative rounds": (lambda it: it["plan"].update(rounds_min=-7), "Expected `int` >= 1 - at `$.plan.rounds_min`"),
    "fewer rounds at most than at least": (
        lambda it: it["plan"].update(rounds_min=9),
        "At least 9 and at most 6 rounds - at `$.plan.rounds_min`",
    ),
    "a time limit that nobody lives to see": (
        lambda it: it["plan"].update(worker_seconds_max=1e11),
        "Expected `float` <= 10000000000.0 - at `$.plan.worker_seconds_max`",
    ),
    "two cases of one name": (
        lambda it: it["plan"]["cases"][1].update(name="send"),
        "There is the case send twice - at `$.plan.cases`",
    ),
    "a worker of a case that is not there": (
        lambda it: it["plan"]["workers"][1].update(cases=["send", "peek"]),
        "There is no case peek - at `$.plan.workers[1].cases`",
    ),
    "other iterations than its worker was told": (
        lambda it: it["plan"]["workers"][1].update(arguments={"cases": "send:500,receive:1000"}),
        "Other cases than the plan's, send:1000,receive:1000 - at `$.plan.workers[1].arguments.cases`",
    ),
    "negative calls": (
        lambda it: it["audits"][0]["functions"][0].update(calls=-3000),
        "Expected `int` >= 0 - at `$.audits[0].functions[0].calls`",
    ),
    "negative bytes": (
        lambda it: it["audits"][0]["functions"][0].update(bytes=-15),
        "Expected `int` >= 0 - at `$.audits[0].functions[0].bytes`",
    ),
    "other operations": (
        lambda it: it["audits"][0].update(operations=1_500),
        "An audit of 1500 operations, where the plan has 3000 - at `$.audits[0].operations`",
    ),
    "two audits of one worker": (
        lambda it: it["audits"].append(it["audits"][0]),
        "A second audit of c [gcc 12.2.0] in send - at `$.audits[4]`",
    ),
    "an audit of another case": (
        lambda it: it["audits"][0].update(case="peek"),
        "An audit of c [gcc 12.2.0] in peek, which is not in the plan - at `$.audits[0]`",
    ),
    "an audit dropped": (lambda it: drop(it["audits"], 1), f"There is no audit of {KEY} in send - at `$.audits`"),
    "an audit where none was asked for": (
        lambda it: it["plan"].update(audited=False),
        "An audit in a run without audits - at `$.audits[0]`",
    ),
    "a function twice": (
        lambda it: it["audits"][0]["functions"].append(it["audits"][0]["functions"][0]),
        "There is work_send twice - at `$.audits[0].functions`",
    ),
    "counts of what could not be counted": (
        lambda it: it["audits"][0].update(verdict="not auditable", reason="it is static"),
        "Counts where nothing could be counted - at `$.audits[0].functions`",
    ),
    "invalid for no reason": (
        lambda it: it["audits"][0].update(verdict="invalid"),
        "A verdict without a reason, invalid - at `$.audits[0].verdict`",
    ),
    "a file that nobody uses": (
        lambda it: it["files"][0].update(path="/cache/other.py"),
        "A file /cache/other.py, which no worker uses - at `$.files[0]`",
    ),
    "a file twice": (
        lambda it: it["files"].append(it["files"][0]),
        "A second look at /cache/work.py - at `$.files[1]`",
    ),
    "a peer that was to receive less": (
        lambda it: it["audits"][1].update(delivered={"messages": 1}, expected={"messages": 1}),
        "A peer that is to receive something else than that of another audit - at `$.audits[1].expected`",
    ),
}


@pytest.mark.parametrize(("change", "words"), CHANGES.values(), ids=CHANGES)
def test_what_no_run_can_be_is_refused_with_its_place(
    change: Change, words: str, told: Callable[[Change], str]
) -> None:
    assert told(change).startswith(words)


def test_a_name_in_it_breaks_no_line_and_floods_no_screen(told: Callable[[Change], str]) -> None:
    said = told(lambda it: record(it).update(key="a\n\x1b[2J" * 1000))
    assert said.startswith("A record of 'a\\n\\x1b[2J")
    assert said.endswith("which is not in the plan - at `$.rounds[2].records[1].key`")
    assert said.isprintable()
    assert len(said) < 400
