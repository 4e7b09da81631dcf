"""Writes the C of the module, to the path given."""

import sys

from cffi import FFI

ffi = FFI()
ffi.cdef("int calls_int(int value); uint64_t calls_counted(void);")
ffi.set_source("_hand_cffi_api", '#include "calls.h"')
ffi.emit_c_code(sys.argv[1])
