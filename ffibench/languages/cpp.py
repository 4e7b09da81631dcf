"""C++: the experiment's file is a whole program, compiled and linked by the system's compiler of C++."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ffibench.languages.base import Language
from ffibench.languages.c import compiler_runtime
from ffibench.model.runtime import Missing, Runtime

# Words that a header of C uses as names are given others where it is read: native/shims/cpp/extern/native.hpp.j2.
KEYWORDS = frozenset(
    """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class compl
    concept const const_cast consteval constexpr constinit continue decltype default delete do double dynamic_cast else
    enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq
    nullptr operator or or_eq private protected public register reinterpret_cast requires return short signed sizeof
    static static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename
    union unsigned using virtual void volatile wchar_t while xor xor_eq
    """.split()
)


class Cpp(Language):
    """The C++ language, through the system's compiler."""

    name = "cpp"
    title = "C++"
    suffix = ".cpp"
    keywords = KEYWORDS

    def runtimes(self, requested: Sequence[str], packages: Sequence[str]) -> Sequence[Runtime | Missing]:
        """Find the compiler."""
        found = compiler_runtime(self.name, requested)
        if isinstance(found, Missing):
            return [found]
        kind, _, version = found.label.partition(" ")
        return [replace(found, label=f"{ {'gcc': 'g++', 'clang': 'clang++'}.get(kind, 'c++') } {version}".rstrip())]


LANGUAGE = Cpp()
