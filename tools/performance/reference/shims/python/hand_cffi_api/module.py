"""Two functions through cffi's API mode; what is compiled lies in the folder `build` beside this file."""

import sys

sys.path.insert(0, f"{__file__.rpartition('/')[0]}/build")

from _hand_cffi_api import lib  # type: ignore[import-not-found]

calls_int = lib.calls_int
calls_counted = lib.calls_counted
