"""C++ names as in the source: `std::ostream::flush()` for `_ZNSo5flushEv`, as c++filt(1) has them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from contextlib import suppress

MANGLED = "_Z"
"""How a C++ name begins: "External names", Itanium C++ ABI. Without it `f` would be read as the type `float`."""

RUNTIMES = ("libstdc++.so.6", "libc++abi.so.1")
"""What has `__cxa_demangle`: the run-time libraries of GCC and LLVM."""
INSTALL = "apt-get install libstdc++6"

Demangle = Callable[[bytes], bytes | None]


class SourceNames:
    """The names of C++ functions in their source, by those of the symbol table; each is read once."""

    def __init__(self, demangle: Demangle | None) -> None:
        """Read them by `demangle`; None reads no name."""
        self._demangle = demangle
        self._read: dict[str, str | None] = {}

    def of(self, names: Iterable[str]) -> dict[str, str]:
        """Return those of C++ among the names. `name@VERSION` keeps its version."""
        kept = list(names)
        for name in kept:
            if name not in self._read:
                self._read[name] = self._source(name)
        return {name: source for name in kept if (source := self._read[name]) is not None}

    def troubles(self, names: Iterable[str]) -> list[str]:
        """Say what would read the names, where nothing does and one of them looks like C++."""
        if self._demangle is not None or not any(name.startswith(MANGLED) for name in names):
            return []
        missing = f"{RUNTIMES[0]}, which reads them, is missing: {INSTALL}"
        return [f"C++ names are as in the symbol table, since {missing}"]

    def _source(self, name: str) -> str | None:
        symbol, at, version = name.partition("@")
        if self._demangle is None or not symbol.startswith(MANGLED):
            return None
        source = self._demangle(symbol.encode())
        return None if source is None else source.decode("utf-8", "backslashreplace") + at + version


def demangler() -> Demangle | None:
    """Return `__cxa_demangle` of a C++ run-time library; None where there is none."""
    for runtime in RUNTIMES:
        with suppress(OSError):
            return _demangler_of(ctypes.CDLL(runtime))
    return None


def _demangler_of(runtime: ctypes.CDLL) -> Demangle:
    function = runtime.__cxa_demangle  # char *(const char *name, char *buffer, size_t *length, int *status)
    function.restype = ctypes.c_void_p
    function.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    free = ctypes.CDLL(None).free
    free.restype = None
    free.argtypes = [ctypes.c_void_p]

    def demangle(name: bytes) -> bytes | None:
        text = function(name, None, None, None)
        if text is None:
            return None
        try:
            return ctypes.string_at(text)
        finally:
            free(text)

    return demangle
