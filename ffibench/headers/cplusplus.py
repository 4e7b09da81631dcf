"""Words of C++ that C leaves free: a header may name a function's parameter or a field by one."""

from __future__ import annotations

import re

# Operators such as `xor` are not among them, since no macro can be named so.
CPP_WORDS = frozenset(
    """
    catch class concept consteval constexpr constinit const_cast decltype delete dynamic_cast explicit export friend
    mutable namespace new noexcept nullptr operator private protected public reinterpret_cast requires static_cast
    template this throw try typeid typename using virtual
    """.split()
)


def foreign_words(text: str) -> list[str]:
    """Return the words of C++ that a preprocessed C header uses as names of its own."""
    code = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
    return sorted(CPP_WORDS.intersection(re.findall(r"\b[a-z]\w+\b", code)))
