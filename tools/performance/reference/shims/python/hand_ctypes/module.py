"""Two functions through ctypes, with argtypes."""

import ctypes

library = ctypes.CDLL("@LIBRARY@")
calls_int = library.calls_int
calls_int.argtypes = [ctypes.c_int]
calls_int.restype = ctypes.c_int
calls_counted = library.calls_counted
calls_counted.restype = ctypes.c_uint64
