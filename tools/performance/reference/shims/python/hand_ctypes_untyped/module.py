"""Two functions through ctypes, as it guesses."""

import ctypes

library = ctypes.CDLL("@LIBRARY@")
calls_int = library.calls_int
calls_counted = library.calls_counted
calls_counted.restype = ctypes.c_uint64
