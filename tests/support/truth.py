"""What a run file says, read a second time: which rows are verified and what their figures are, straight from its JSON.

Written apart from the tool and without it, from the definitions in docs/method.md, so that both would have to be wrong.
"""

from __future__ import annotations

import math
from statistics import median
from typing import Any

Document = Any
Figures = tuple[float, float]
"""Nanoseconds an operation, and the ratio to the baseline."""


def truth(document: Document) -> dict[tuple[str, str], Figures | None]:
    """By the key of a worker and the name of a case: the row's figures; None where it is not verified."""
    found: dict[tuple[str, str], Figures | None] = {}
    plan = document["plan"]
    for case in plan["cases"]:
        workers = [each for each in plan["workers"] if _runs(each, case) and not each.get("supporting")]
        times = {key_of(each): _times(document, each, case) for each in workers}
        (baseline,) = (key_of(each) for each in workers if each["contestant"]["name"] == "c")
        for key, own in times.items():
            reference = times[baseline]
            found[key, case["name"]] = None
            if own is not None and reference is not None:
                ratio = math.exp(median(math.log(x / c) for x, c in zip(own, reference, strict=True)))
                found[key, case["name"]] = (median(own), ratio)
    return found


def key_of(worker: Document) -> str:
    name = f"{worker['contestant']['name']} [{worker['contestant']['interpreter']}]"
    return f"{name} {worker['label']}" if worker.get("label") else name


def _runs(worker: Document, case: Document) -> bool:
    return worker.get("cases") is None or case["name"] in worker["cases"]


def _times(document: Document, worker: Document, case: Document) -> list[float] | None:
    """Nanoseconds an operation in each round, where the worker did in all of them what the plan asks for."""
    if case["name"] in worker.get("cannot", {}) or not _is_accepted(document, worker, case):
        return None
    if any(_is_other(each) and _owner(each) in " ".join(worker["command"]) for each in document.get("files", ())):
        return None
    return (
        [_time(document["plan"], worker, case, each) for each in document["rounds"]]
        if all(_did(document["plan"], worker, case, each) for each in document["rounds"])
        else None
    )


def _is_other(file: Document) -> bool:
    return file.get("after") is not None and file["after"] != file["sha256"]


def _owner(file: Document) -> str:
    return str(file.get("named") or file["path"])


def _record(worker: Document, each: Document) -> Document:
    (record,) = (record for record in each["records"] if record["key"] == key_of(worker))
    return record


def _did(plan: Document, worker: Document, case: Document, each: Document) -> bool:
    record = _record(worker, each)
    libraries = record.get("libraries")
    right = plan["library"]["sha256"]
    if record.get("failure") is not None or case["name"] in record.get("unsupported", {}):
        return False
    if libraries is not None and (not libraries or any(one["sha256"] != right for one in libraries)):
        return False
    oracle = {one["name"]: one["receipt"] for one in plan["cases"]}
    return all(one.get("receipt", {}) == oracle[one["case"]] for one in record["slices"] if one["kind"] != "empty")


def _time(plan: Document, worker: Document, case: Document, each: Document) -> float:
    clock = "cpu_ns" if case["clock"] == "cpu" else "wall_ns"
    own = [one for one in _record(worker, each)["slices"] if one["case"] == case["name"] and one["kind"] == "timed"]
    assert [one["slice"] for one in own] == list(range(plan["slices"]))
    return float(median(one[clock] for one in own) / case["iterations"])


def _is_accepted(document: Document, worker: Document, case: Document) -> bool:
    """Whether its audit is, and one more from among the rounds; a run without audits has none to fail."""
    row = (key_of(worker), case["name"])
    audits = [one for one in document["audits"] if (one["key"], one["case"]) == row]
    assert len(audits) == document["plan"]["audited"]
    again = [one for each in document["rounds"] for one in each.get("audits", ()) if (one["key"], one["case"]) == row]
    assert len(again) <= len(audits)
    return all(_is_right(audit, case) for audit in audits + again)


def _is_right(audit: Document, case: Document) -> bool:
    if audit["verdict"] == "not auditable":
        return True  # it is shown, with its reason

    def matches(way: Document) -> bool:
        iterations = {"warmup": case["iterations"], "timed": case["iterations"], "empty": 0}
        loops = [(one, iterations[one["kind"]]) for one in audit.get("slices", ())]
        return all(_matches(way, counted, operations) for counted, operations in [(audit, audit["operations"]), *loops])

    expected, delivered = audit.get("expected") or {}, audit.get("delivered") or {}
    right = not case["accepts"] or any(map(matches, case["accepts"]))
    return audit["verdict"] != "invalid" and right and all(delivered.get(name) == expected[name] for name in expected)


def _matches(way: Document, counted: Document, operations: int) -> bool:
    """Whether the functions of an audit or of one of its slices are what so many operations take."""
    found = {one["name"]: one for one in counted.get("functions", ())}
    if any(found.get(one["function"], {}).get("wrong") for one in way.get("returns", ())):
        return False
    calls = {name: found.get(name, {}).get("calls", 0) for name in way["calls"]}
    passed = found.get(way["length"][0], {}).get("bytes") or 0
    return passed == way["size"] * operations and calls == {name: n * operations for name, n in way["calls"].items()}
