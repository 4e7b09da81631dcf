"""Zig: the experiment's file is a whole program, compiled with the header's declarations."""

from __future__ import annotations

from collections.abc import Sequence

from ffibench.languages.base import Language
from ffibench.languages.programs import program_runtimes
from ffibench.model.runtime import Missing, Runtime

INSTALL = "pip install 'ffibench[zig]'"
WHEEL = ("ziglang", "ziglang/zig")
OLDEST, NEWEST = (0, 15), (0, 17)
"""The language and its library change with each of its versions: those that its kit was written for and tried with."""

KEYWORDS = frozenset(
    """
    addrspace align allowzero and anyframe anytype asm async await break callconv catch comptime const continue defer
    else enum errdefer error export extern fn for if inline linksection noalias noinline nosuspend opaque or orelse
    packed pub resume return struct suspend switch test threadlocal try union unreachable usingnamespace var volatile
    while
    anyerror anyopaque bool comptime_float comptime_int f128 f16 f32 f64 f80 false isize noreturn null true type
    undefined usize void c_char c_int c_long c_longdouble c_longlong c_short c_uint c_ulong c_ulonglong c_ushort
    """.split()
)
"""Its keywords, and the names that stand for its own types and values. A number behind `i` or `u` is a type too."""


class Zig(Language):
    """The Zig language."""

    name = "zig"
    title = "Zig"
    suffix = ".zig"
    keywords = KEYWORDS

    def runtimes(self, requested: Sequence[str], packages: Sequence[str]) -> Sequence[Runtime | Missing]:
        """Find the compiler."""
        return program_runtimes(
            self.name,
            ("zig",),
            requested,
            install=INSTALL,
            wheel=WHEEL,
            asked=("version",),
            oldest=OLDEST,
            newest=NEWEST,
        )


LANGUAGE = Zig()
