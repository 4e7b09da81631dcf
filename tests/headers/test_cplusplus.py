"""Words of C++ in a header that is plain C."""

from __future__ import annotations

from ffibench.headers.cplusplus import foreign_words


def test_words_of_cpp_are_those_that_the_c_code_itself_uses() -> None:
    text = '# 1 "new.h"\n#define delete 1\nint f(int class, int __new, int newest);\nstruct s { int template; };\n'
    assert foreign_words(text) == ["class", "template"]
