"""Runs a Lua file in the LuaJIT of the wheel lupa, as `luajit [-joff] FILE [ARGUMENTS]` does; or a text, by `-e TEXT`.

The Lua code is alone in this process: Python only starts it. What it is given and what it says are bytes.
"""

from __future__ import annotations

import os
import sys

from lupa.luajit21 import LuaError, LuaRuntime

START = b"""
local off, text, file, arguments = ...
if off then jit.off() end
arg = { [0] = file, unpack(arguments) }
local chunk = assert(text and loadstring(text) or loadfile(file))
-- As luajit itself does it: the error with where it came from.
local well, told = xpcall(chunk, function(what) return debug.traceback(tostring(what), 2) end)
return not well and told or nil
"""


def main(arguments: list[str]) -> int:
    """Run what the arguments say; return the exit status."""
    off = arguments[:1] == ["-joff"]
    rest = arguments[off:]
    text = os.fsencode(rest[1]) if rest[0] == "-e" else None
    lua = LuaRuntime(encoding=None, register_eval=False, register_builtins=False)
    given = [os.fsencode(each) for each in rest[1:]]
    table = lua.table_from(given)
    try:
        told = lua.execute(START, off, text, os.fsencode(rest[0]), table)
    except LuaError as error:  # the file cannot be read, or is no Lua
        told = str(error).encode()
    if told is not None:
        print(f"luajit: {told.decode(errors='replace')}", file=sys.stderr)
        return 1
    return 0


sys.exit(main(sys.argv[1:]))
