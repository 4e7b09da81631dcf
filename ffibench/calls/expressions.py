"""Reads a call expression, `h = f(bytes(16), 16); g(h)`: Python's grammar, of which nothing is evaluated."""

from __future__ import annotations

import ast
import re
from array import array
from collections.abc import Callable, Iterable, Mapping
from operator import add, lshift, mul, sub
from typing import NoReturn

from ffibench.calls.values import (
    Argument,
    Array,
    Buffer,
    Bytes,
    Callback,
    Comparison,
    Field,
    Fields,
    InOut,
    Name,
    Null,
    Number,
    Out,
    Step,
    Test,
    Text,
)
from ffibench.errors import FfibenchError

SIZE_MAX = 1 << 30
"""Bytes of one argument."""
NUMBERS_MAX = 1_000
"""In a list that is written out."""
NUMBER_MAX = 1 << 64
"""Of integers, those on the way to one included, as in `2**64 - 1`."""
POWER_MAX = 128
ARITHMETIC: Mapping[type, Callable[[int, int], int]] = {
    ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Pow: pow, ast.LShift: lshift,
}  # fmt: skip

PLACE = re.compile(r"\{([A-Za-z_]\w*)\}")
COMPARISONS: Mapping[type, Comparison] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip

FORM = (
    'arguments are numbers, "text", b"bytes", bytes(N), buffer(N), array("d", N), out(NAME), '
    'inout("int", N), callback(), NULL, names and structs such as Point(x=1, y=2)'
)


def places(expression: str) -> list[str]:
    """Return the names of the parameters that an expression has places for, `{size}`, each once."""
    return list(dict.fromkeys(PLACE.findall(expression)))


def filled(expression: str, values: Mapping[str, object]) -> str:
    """Return an expression with the values of parameters in their places; a name that is no parameter stays."""
    return PLACE.sub(lambda match: str(values.get(match[1], match[0])), expression)


def read_calls(expression: str, option: str = "--call") -> tuple[Step, ...]:
    """Return the calls of an operation. Raises FfibenchError for what is not a sequence of calls."""
    return _Reader(expression, option, tests=False).steps()


def read_setup(expression: str, option: str = "--setup") -> tuple[Step, ...]:
    """Return the calls of a set-up, each of which may be tested: `f(1, out(x)) == 0`. Raises FfibenchError."""
    return _Reader(expression, option, tests=True).steps()


def names_bound(steps: Iterable[Step]) -> list[str]:
    """Return the names that steps bind: of results, and of what calls give through pointers."""
    found: list[str] = []
    for step in steps:
        found += [each.name for each in step.arguments if isinstance(each, Out | InOut) and each.name]
        found += [step.name] if step.name else []
    return found


class _Reader:
    """Reads one expression; every refusal names it, and the piece of it that is wrong."""

    def __init__(self, expression: str, option: str, *, tests: bool) -> None:
        self.expression = expression
        self.option = option
        self.tests = tests

    def steps(self) -> tuple[Step, ...]:
        try:
            tree = ast.parse(self.expression, mode="exec")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            said = error.msg if isinstance(error, SyntaxError) else str(error)
            raise FfibenchError(
                f"{self.option} '{self.expression}' cannot be read: {said}", fix="write it as in 'foo_add(1, 2)'"
            ) from None
        if not tree.body:
            raise FfibenchError(f"{self.option} '{self.expression}' calls nothing", fix="write a call, 'foo_add(1, 2)'")
        try:
            return tuple(self._step(node) for node in tree.body)
        except RecursionError:
            raise FfibenchError(
                f"{self.option} '{self.expression}' nests too deeply", fix="write fewer brackets and signs"
            ) from None

    def _step(self, node: ast.stmt) -> Step:
        name, test = "", None
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            name, value = node.targets[0].id, node.value
        elif isinstance(node, ast.Expr):
            value = node.value
        else:
            self._refuse(node, "is no call", "write calls alone, separated by `;`, as in 'h = f(); g(h)'")
        if isinstance(value, ast.Compare) and len(value.ops) == 1 and not name:
            if not self.tests:
                self._refuse(value, "is a test", "leave it out: what a call answers is compared with C's own answer")
            comparison = COMPARISONS.get(type(value.ops[0]))
            right = self._argument(value.comparators[0])
            if comparison is None or not isinstance(right, Number | Null | Name):
                self._refuse(value, "is no comparison with a number", "write it as in 'f(x) == 0' or 'f(x) != NULL'")
            test, value = Test(comparison, right), value.left
        if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
            self._refuse(value, "is no call of a function", "write the function's name and its arguments, 'f(1, 2)'")
        if value.keywords:
            self._refuse(value, "has arguments with names", "functions of C take them by their position")
        return Step(value.func.id, tuple(self._argument(each) for each in value.args), name, test)

    def _argument(self, node: ast.expr) -> Argument:
        found: Argument | None = None
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found = self._text(node, node.value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, bytes):
            found = Bytes(node.value, len(node.value))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            found = self._repeated(node)
        elif isinstance(node, ast.Name):
            found = Null() if node.id == "NULL" else Name(node.id)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found = self._made(node, node.func.id)
        else:
            number = self._number(node)
            found = None if number is None else Number(number)
        if found is None:
            self._refuse(node, "is no argument", FORM)
        return found

    def _text(self, node: ast.expr, text: str) -> Text:
        if "\0" in text:
            self._refuse(node, "has a NUL byte inside, where a string of C ends", 'write b"..." for bytes')
        try:
            return Text(text.encode())
        except UnicodeEncodeError:
            self._refuse(node, "is no text of UTF-8", 'write b"..." for bytes')

    def _repeated(self, node: ast.BinOp) -> Bytes | Text | None:
        of, times = self._argument(node.left), self._number(node.right)
        if not isinstance(of, Bytes | Text) or not isinstance(times, int) or times < 0:
            return None
        data = of.data
        self._require_size(node, max(len(data), 1) * times)
        return Text(data * times) if isinstance(of, Text) else Bytes(data, len(data) * times)

    def _made(self, node: ast.Call, made: str) -> Argument:
        """Return what `bytes(16)`, `out(x)` or `Point(x=1)` stands for."""
        given = node.args
        if made in {"bytes", "buffer"}:
            size = self._count(node, given)
            return Bytes(bytes(range(256)), size) if made == "bytes" else Buffer(size)
        if made == "array":
            return self._array(node, given)
        if made == "out":
            if len(given) != 1 or not isinstance(given[0], ast.Name) or node.keywords:
                self._refuse(node, "does not say what the value is called", "write out(NAME)")
            return Out(given[0].id)
        if made == "inout":
            return self._inout(node, given)
        if made == "callback":
            answer = self._number(given[0]) if len(given) == 1 else 0
            if len(given) > 1 or node.keywords or not isinstance(answer, int):
                self._refuse(node, "is no callback", "write callback(), or callback(N) for one that answers N")
            return Callback(answer)
        return self._fields(node, made)

    def _array(self, node: ast.Call, given: list[ast.expr]) -> Array:
        code = given[0].value if len(given) == 2 and isinstance(given[0], ast.Constant) else None
        if not isinstance(code, str) or code not in set("bBhHiIlLqQfd") or node.keywords:
            fix = 'write array("d", 100) or array("i", [3, 1, 2]); the letters are those of Python\'s module array'
            self._refuse(node, "is no array of numbers", fix)
        if isinstance(given[1], ast.List):
            numbers = tuple(self._plain(each) for each in given[1].elts)
            if not 0 < len(numbers) <= NUMBERS_MAX:
                self._refuse(node, f"has {len(numbers)} numbers", f"write 1 to {NUMBERS_MAX}, or array(CODE, N)")
            try:
                array(code, numbers)
            except (OverflowError, TypeError) as error:
                self._refuse(node, f"is no array of numbers: {error}", "correct them, or the letter of their type")
            return Array(code, numbers)
        size = self._count(node, given[1:])
        self._require_size(node, size * array(code).itemsize)
        if code not in "fd" and size > 1 << (8 * array(code).itemsize - code.islower()):
            self._refuse(node, "counts beyond its type", "take a wider type, or fewer items")
        return Array(code, (), size)

    def _inout(self, node: ast.Call, given: list[ast.expr]) -> InOut:
        words = [each.value for each in given[:1] if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        name = given[2].id if len(given) == 3 and isinstance(given[2], ast.Name) else ""
        if not words or len(given) not in {2, 3} or (len(given) == 3 and not name) or node.keywords:
            self._refuse(node, "does not say the type and the value", 'write inout("unsigned long", 10)')
        return InOut(words[0], self._plain(given[1]), name)

    def _fields(self, node: ast.Call, struct: str) -> Fields:
        named = tuple((each.arg, self._field(each.value)) for each in node.keywords if each.arg is not None)
        if len(named) != len(node.keywords):
            self._refuse(node, "has `**`", "write the fields, as in Point(x=1, y=2)")
        return Fields(struct, tuple(self._field(each) for each in node.args), named)

    def _field(self, node: ast.expr) -> Field:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._fields(node, node.func.id)
        if isinstance(node, ast.List | ast.Tuple):
            return tuple(Number(self._plain(each)) for each in node.elts)
        return Number(self._plain(node))

    def _count(self, node: ast.expr, given: list[ast.expr]) -> int:
        size = self._number(given[0]) if len(given) == 1 else None
        if not isinstance(size, int) or isinstance(size, bool) or size < 0:
            self._refuse(node, "does not say how much", "write a whole number, as in bytes(1024)")
        self._require_size(node, size)
        return size

    def _require_size(self, node: ast.expr, size: int) -> None:
        if size > SIZE_MAX:
            self._refuse(node, f"has {size:,} bytes", f"{SIZE_MAX:,} are the most")

    def _plain(self, node: ast.expr) -> int | float:
        number = self._number(node)
        if number is None:
            self._refuse(node, "is no number", "write a number, such as 3 or -0.5")
        return number

    def _number(self, node: ast.expr) -> int | float | None:
        """Return a number as it is written, with its sign, or a sum, product or power of such; else None."""
        found: int | float | None = None
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            found = node.value
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            value = self._number(node.operand)
            found = None if value is None else -value if isinstance(node.op, ast.USub) else +value
        elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
            left, right = self._number(node.left), self._number(node.right)
            if isinstance(left, int) and isinstance(right, int):
                shifts = isinstance(node.op, ast.Pow | ast.LShift)
                found = ARITHMETIC[type(node.op)](left, right) if not shifts or 0 <= right <= POWER_MAX else None
        if isinstance(found, int) and abs(found) > NUMBER_MAX:
            self._refuse(node, "is a number that no type of C holds", "write one from -2**63 to 2**64 - 1")
        return found

    def _refuse(self, node: ast.AST, what: str, fix: str) -> NoReturn:
        piece = ast.get_source_segment(self.expression, node) or self.expression
        inside = f"`{piece}` in " if piece != self.expression else ""
        where = f"{inside}{self.option} '{self.expression}'"
        raise FfibenchError(f"{where} {what}", fix=fix)
