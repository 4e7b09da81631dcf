"""D: gdc, GCC's compiler. The experiment's file is compiled with the rendered declarations and linked as C is."""

from __future__ import annotations

from collections.abc import Sequence

from ffibench.languages.base import Language
from ffibench.languages.programs import program_runtimes
from ffibench.model.runtime import Missing, Runtime

INSTALL = "apt-get install gdc"
OLDEST = (12,)
"""The GCC of Debian 12: older ones have another standard library."""

KEYWORDS = frozenset(
    """
    abstract alias align asm assert auto body bool break byte case cast catch cdouble cent cfloat char class const
    continue creal dchar debug default delegate delete deprecated do double else enum export extern false final finally
    float for foreach foreach_reverse function goto idouble if ifloat immutable import in inout int interface invariant
    ireal is lazy long macro mixin module new nothrow null out override package pragma private protected public pure
    real ref return scope shared short static struct super switch synchronized template this throw true try typeid
    typeof ubyte ucent uint ulong union unittest ushort version void wchar while with
    __DATE__ __EOF__ __FILE__ __FILE_FULL_PATH__ __FUNCTION__ __LINE__ __MODULE__ __PRETTY_FUNCTION__ __TIME__
    __TIMESTAMP__ __VENDOR__ __VERSION__ __gshared __parameters __traits __vector
    main object string size_t ptrdiff_t c_long c_ulong native ffibench ffibench_calls
    """.split()
)
"""Those of the language, and names that generated code relies on."""


class D(Language):
    """The D language."""

    name = "d"
    title = "D"
    suffix = ".d"
    keywords = KEYWORDS

    def runtimes(self, requested: Sequence[str], packages: Sequence[str]) -> Sequence[Runtime | Missing]:
        """Find gdc."""
        return program_runtimes(
            self.name, ["gdc"], requested, install=INSTALL, asked=("-dumpfullversion",), oldest=OLDEST
        )


LANGUAGE = D()
