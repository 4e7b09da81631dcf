"""A schema as columns: each leaf of the tree is one typed array, whatever lies around it.

What stands once in a message is a plain value. What stands in rows, that is below something repeated, is an array with
an entry for each time that it is there: an absent field has none. So there is one way to say a message in columns, as
there is one in bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from ffibench.errors import FfibenchError
from ffibench.schema.model import Field, Message, Schema
from ffibench.schema.names import Names
from ffibench.schema.numbers import NUMBERS, U8, U32, Number

Role = Literal["value", "text", "lengths", "count", "counts", "present", "case"]
Form = Literal["number", "text", "message", "oneof"]
PARAMETERS_MAX = 127
"""Of a function, as C11 5.2.4.1 promises."""
BESIDE = 4
"""Parameters of a function that are no columns, at most."""


class Column(Struct, frozen=True):
    """One typed array, or one plain value.

    Attributes:
        name: of its parameter in C.
        path: the field that it is of, `rows.cells.length`.
        role: `value`; `text`, the bytes of all texts in a row; `lengths` of texts in bytes; `count` of a repeated
            message that stands once, `counts` of what is repeated in rows; `present`, 0 or 1; `case`, the number of the
            member of a oneof that is set, 0 for none.
        number: what it is made of.
        plain: whether it is one value.
        place: of an array, its place among those that `NAME_counts` fills.

    """

    name: str
    path: str
    role: Role
    number: Number
    plain: bool
    place: int = -1


class Step(Struct, frozen=True):
    """A field, or a oneof, with its columns; a codec does one after the other.

    Attributes:
        name: of the field.
        path: to it from the root, `rows.cells`.
        form: what it holds; `text` stands for bytes too.
        kind: protobuf's word for it: `sint32`, `string`, `message`, `map`.
        tag: its number in protobuf.
        rows: whether it lies below something repeated.
        repeated: whether there is a list of it.
        label: how a static function in C is named after it, of a message.
        present: of an optional one.
        counts: how many are in each list; None where an array's own length tells it.
        lengths: of texts; None of one that stands once, whose length is that of its bytes.
        values: of numbers, texts and oneofs, which member is set.
        steps: of a message, or of a oneof's members.

    """

    name: str
    path: str
    form: Form
    kind: str
    tag: int
    rows: bool
    repeated: bool = False
    label: str = ""
    present: Column | None = None
    counts: Column | None = None
    lengths: Column | None = None
    values: Column | None = None
    steps: tuple[Step, ...] = ()

    @property
    def least(self) -> int:
        """How many bytes one of it takes at least; of a list, one element."""
        if self.form == "number" and self.values is not None:
            return self.values.number.size
        return sum(each.whole for each in self.steps) if self.form == "message" else U32.size

    @property
    def whole(self) -> int:
        """How many bytes it takes at least, with what says how often it is there."""
        if self.present is not None:
            return U8.size
        return U32.size if self.repeated else self.least


class Layout(Struct, frozen=True):
    """The columns of a schema in the order of its fields, and the steps to them."""

    name: str
    columns: tuple[Column, ...]
    steps: tuple[Step, ...]

    @property
    def plains(self) -> tuple[Column, ...]:
        """The plain values."""
        return tuple(each for each in self.columns if each.plain)

    @property
    def arrays(self) -> tuple[Column, ...]:
        """The arrays, each at its `place`."""
        return tuple(each for each in self.columns if not each.plain)

    @property
    def views(self) -> tuple[Step, ...]:
        """The fields of the root that lie in one piece: repeated numbers, and texts and bytes that are always there."""
        numbers = (each for each in self.steps if each.form == "number" and each.repeated)
        texts = (each for each in self.steps if each.form == "text" and not each.repeated and each.present is None)
        return tuple(sorted((*numbers, *texts), key=self.steps.index))

    def messages(self) -> Iterator[Step]:
        """Yield the messages that have fields, those inside others before them."""
        yield from _messages(self.steps)


def layout(schema: Schema) -> Layout:
    """Return the columns of a schema. Raises FfibenchError where they are more than parameters of a C function."""
    laying = _Laying(schema.name)
    steps = laying.message(schema.root, (), rows=False)
    return Layout(schema.name, tuple(laying.columns), steps)


class _Laying:
    """The columns that were laid so far, and the names that they took."""

    def __init__(self, suite: str) -> None:
        self.suite = suite
        self.columns: list[Column] = []
        self.names = Names()
        self.arrays = 0

    def message(self, message: Message, path: tuple[str, ...], *, rows: bool) -> tuple[Step, ...]:
        """Lay the fields of a message; a oneof stands where its first member does."""
        steps: dict[str, Step] = {}
        for field in message.fields:
            if not field.oneof:
                steps[f".{field.name}"] = self._field(field, path, rows=rows)
            elif field.oneof not in steps:
                members = [each for each in message.fields if each.oneof == field.oneof]
                steps[field.oneof] = self._oneof(field.oneof, members, path, rows=rows)
        return tuple(steps.values())

    def _oneof(self, name: str, members: list[Field], path: tuple[str, ...], *, rows: bool) -> Step:
        case = self._column("case", (*path, name), U32, plain=not rows)
        steps = tuple(self._field(each, path, rows=rows) for each in members)
        return Step(name, ".".join((*path, name)), "oneof", "oneof", 0, rows, values=case, steps=steps)

    def _field(self, field: Field, path: tuple[str, ...], *, rows: bool) -> Step:
        path = (*path, field.name)
        repeated = field.label in {"repeated", "map"}
        present = counts = lengths = values = None
        steps: tuple[Step, ...] = ()
        label = ""
        if field.label == "optional":
            present = self._column("present", path, U8, plain=not rows)
        if repeated and rows:
            counts = self._column("counts", path, U32, plain=False)
        elif repeated and field.kind == "message":
            counts = self._column("count", path, U32, plain=True)
        form: Form = "number"
        if field.message is not None:
            form = "message"
            label = self.names.label(path)
            steps = self.message(field.message, path, rows=rows or repeated)
        elif field.kind in NUMBERS:
            values = self._column("value", path, NUMBERS[field.kind], plain=not (rows or repeated))
        else:
            form = "text"
            if rows or repeated:
                lengths = self._column("lengths", path, U32, plain=False)
            values = self._column("text", path, U8, plain=False)
        return Step(
            name=field.name,
            path=".".join(path),
            form=form,
            kind="map" if field.label == "map" else field.kind,
            tag=field.number,
            rows=rows,
            repeated=repeated,
            label=label,
            present=present,
            counts=counts,
            lengths=lengths,
            values=values,
            steps=steps,
        )

    def _column(self, role: Role, path: tuple[str, ...], number: Number, *, plain: bool) -> Column:
        name = self.names.column(path, role, plain=plain)
        column = Column(name, ".".join(path), role, number, plain, -1 if plain else self.arrays)
        self.arrays += not plain
        self.columns.append(column)
        if len(self.columns) + self.arrays + BESIDE > PARAMETERS_MAX:
            raise FfibenchError(
                f"{self.suite}.proto: `{column.path}` is one leaf too many: every array takes two parameters, and a "
                f"function of C has at most {PARAMETERS_MAX}",
                fix="take fields away, or give a part of the message as bytes",
            )
        return column


def _messages(steps: tuple[Step, ...]) -> Iterator[Step]:
    for each in steps:
        yield from _messages(each.steps)
        if each.form == "message" and each.steps:
            yield each
