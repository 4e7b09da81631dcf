"""Two functions through cffi's ABI mode, in line."""

from cffi import FFI

ffi = FFI()
ffi.cdef("int calls_int(int value); uint64_t calls_counted(void);")
library = ffi.dlopen("@LIBRARY@")
calls_int = library.calls_int
calls_counted = library.calls_counted
