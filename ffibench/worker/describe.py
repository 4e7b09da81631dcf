"""Describes an interpreter in one JSON line; run by file path, by that interpreter."""

from __future__ import annotations

import json
import os
import platform
import sys
import sysconfig
from pathlib import Path


def describe() -> dict[str, str]:
    """Return what a build for this interpreter depends on, and what distinguishes two builds of the interpreter."""
    variable = sysconfig.get_config_var
    return {
        "implementation": platform.python_implementation(),
        "version": platform.python_version(),
        "executable": sys.executable,
        "real": os.path.realpath(sys.executable),
        "base": sys.base_prefix,
        "build": " ".join(platform.python_build()),
        "include": sysconfig.get_path("include"),
        "suffix": str(variable("EXT_SUFFIX")),
        "debug": "yes" if variable("Py_DEBUG") else "",
        "free_threaded": "yes" if variable("Py_GIL_DISABLED") else "",
        "pgo": optimised("--enable-optimizations", "-fprofile-use"),
        "lto": optimised("--with-lto", "-flto"),
        "purelib": sysconfig.get_path("purelib"),
    }


def optimised(option: str, flag: str) -> str:
    """Return `yes` or `no`: whether this interpreter was configured with `option` or compiled with `flag`.

    Empty where that is unknown. The interpreter keeps its configuration, but an option that is missing there may
    still have been used: distributions, which install below /usr, have build steps of their own. Debian keeps the
    configuration of a shared library that its interpreter, built separately and with a profile, does not use.
    """
    names = ("CONFIG_ARGS", "PY_CORE_CFLAGS", "PY_CORE_LDFLAGS", "PY_LDFLAGS_NODIST")
    words = " ".join(str(sysconfig.get_config_var(name) or "") for name in names).replace("'", " ").split()
    if any(word.partition("=")[0] in {option, flag} and not word.endswith("=no") for word in words):
        return "yes"
    shared = bool(sysconfig.get_config_var("Py_ENABLE_SHARED"))
    return "no" if words and sys.base_prefix != "/usr" and lies_in_a_library() == shared else ""


def lies_in_a_library() -> bool | None:
    """Return whether this interpreter is in a shared library; None where no memory map can be read."""
    try:
        return "/libpython" in Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None


if __name__ == "__main__":
    print(json.dumps(describe()))
