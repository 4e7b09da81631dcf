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


def demangled(names: Iterable[str], demangle: Demangle | None) -> dict[str, str]:
    """Return the C++ names among those of a symbol table as they are in the source.

    `name@VERSION` keeps its version. What only looks like a C++ name is left out.
    """
    found = {}
    for name in names if demangle is not None else ():
        symbol, at, version = name.partition("@")
        if symbol.startswith(MANGLED) and demangle is not None:
            source = demangle(symbol.encode())
            if source is not None:
                found[name] = source.decode("utf-8", "backslashreplace") + at + version
    return found


def any_mangled(names: Iterable[str]) -> bool:
    """Whether a name looks like one of C++."""
    return any(name.startswith(MANGLED) for name in names)


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
