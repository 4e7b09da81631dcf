"""Run files of earlier versions: from each schema to the next, in place, as plain JSON values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any


def _from_1(document: dict[str, Any]) -> None:
    """Rename fields: `gil` is a language's lock, a worker's `mark` its label, its `beside` `supporting`.

    Rows and warnings follow from the rounds and are made anew.
    """
    document.pop("summary", None)
    document.pop("warnings", None)
    plan = document.get("plan")
    if not isinstance(plan, dict):
        return
    _rename(plan, "absent", "unavailable")
    for worker in _objects(plan, "workers"):
        _rename(worker, "mark", "label")
        _rename(worker, "beside", "supporting")
    for case in _objects(plan, "cases"):
        _rename(case, "told", "alias")
    for name in ("workers", "unavailable"):
        for each in _objects(plan, name):
            if isinstance(contestant := each.get("contestant"), dict):
                _rename(contestant, "gil", "lock")


def _objects(document: Mapping[str, Any], name: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of a list; what is none is told when the types are checked."""
    listed = document.get(name)
    yield from (each for each in (listed if isinstance(listed, list) else ()) if isinstance(each, dict))


def _rename(document: dict[str, Any], before: str, after: str) -> None:
    if before in document:
        document[after] = document.pop(before)


UPGRADES: Mapping[int, Callable[[dict[str, Any]], None]] = {1: _from_1}
"""Schema to what makes the next one of it."""
