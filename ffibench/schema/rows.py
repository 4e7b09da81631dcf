"""Between a message as a tree of plain values and as columns."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any

from ffibench.schema.columns import Column, Layout, Step
from ffibench.schema.numbers import U8
from ffibench.schema.wire import Tree

# By name: a number for a plain value, bytes for texts and flags, `array.array` for other numbers.
Columns = dict[str, Any]


def to_columns(layout: Layout, tree: Tree) -> Columns:
    """Return a message as the codec takes it."""
    entries: dict[str, list[Any]] = {each.name: [] for each in layout.columns}
    _add(layout.steps, tree, entries)
    return {each.name: _packed(each, entries[each.name]) for each in layout.columns}


def to_tree(layout: Layout, columns: Columns) -> Tree:
    """Return the message of columns that fit each other."""
    return _taken(layout.steps, _Source(columns))


def _packed(column: Column, entries: list[Any]) -> Any:  # noqa: ANN401
    if column.plain:
        return entries[0] if entries else 0
    if column.role == "text":
        return b"".join(entries)
    return bytes(entries) if column.number is U8 else array(column.number.code, entries)


def _add(steps: tuple[Step, ...], tree: Tree, entries: dict[str, list[Any]]) -> None:
    for step in steps:
        if step.form == "oneof" and step.values is not None:
            member = next((each for each in step.steps if each.name in tree), None)
            entries[step.values.name].append(0 if member is None else member.tag)
            if member is not None:
                _add_one(member, tree[member.name], entries)
            continue
        if step.present is not None:
            entries[step.present.name].append(int(step.name in tree))
            if step.name not in tree:
                continue
        value = tree[step.name]
        if isinstance(value, dict) and step.repeated:
            value = [{"key": key, "value": each} for key, each in value.items()]
        if step.counts is not None:
            entries[step.counts.name].append(len(value))
        for each in value if step.repeated else [value]:
            _add_one(step, each, entries)


def _add_one(step: Step, value: Any, entries: dict[str, list[Any]]) -> None:  # noqa: ANN401
    if step.form == "message":
        _add(step.steps, value, entries)
        return
    assert step.values is not None
    if step.kind == "bool":
        value = int(value)
    elif step.form == "text":
        value = value.encode() if step.kind == "string" else value
        if step.lengths is not None:
            entries[step.lengths.name].append(len(value))
    entries[step.values.name].append(value)


class _Source:
    """Columns, and how much of each was taken."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.at: dict[str, int] = dict.fromkeys(columns, 0)

    def next(self, column: Column) -> Any:  # noqa: ANN401
        if column.plain:
            return self.columns[column.name]
        self.at[column.name] += 1
        return self.columns[column.name][self.at[column.name] - 1]

    def bytes(self, column: Column, length: int) -> bytes:
        start = self.at[column.name]
        self.at[column.name] += length
        return bytes(self.columns[column.name][start : start + length])

    def whole(self, column: Column) -> int:
        return len(self.columns[column.name])


def _taken(steps: tuple[Step, ...], source: _Source) -> Tree:
    tree: Tree = {}
    for step in steps:
        if step.form == "oneof" and step.values is not None:
            number = source.next(step.values)
            member = next((each for each in step.steps if each.tag == number), None)
            if member is not None:
                tree[member.name] = _taken_one(member, source)
        elif step.present is not None and not source.next(step.present):
            continue
        elif step.repeated:
            values = list(_taken_list(step, source))
            is_map = step.kind == "map"
            tree[step.name] = {each["key"]: each["value"] for each in values} if is_map else values
        else:
            tree[step.name] = _taken_one(step, source)
    return tree


def _taken_list(step: Step, source: _Source) -> Iterator[Any]:
    told = step.counts or step.lengths or step.values
    assert told is not None
    count = source.next(told) if step.counts is not None else source.whole(told)
    for _ in range(count):
        yield _taken_one(step, source)


def _taken_one(step: Step, source: _Source) -> Any:  # noqa: ANN401
    if step.form == "message":
        return _taken(step.steps, source)
    assert step.values is not None
    if step.form == "text":
        length = source.whole(step.values) if step.lengths is None else source.next(step.lengths)
        data = source.bytes(step.values, length)
        return data.decode() if step.kind == "string" else data
    value = source.next(step.values)
    return bool(value) if step.kind == "bool" else value
