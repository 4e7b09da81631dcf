"""The counting library: where it works, and its build."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

from ffibench.builds.project import Project, build
from ffibench.builds.toolchain import compiler, flags
from ffibench.errors import FfibenchError
from ffibench.paths import asset

MACHINES = ("x86_64", "aarch64")
GLIBC_OLDEST = (2, 31)
"""The oldest glibc that was tested, with 2.36 and 2.41; every count was exact.

Below 2.35, under any audit library, the loader itself makes calls through a PLT slower, keeps some memory of each
object that is closed, and crashes in dlmopen.
"""


def counting_library() -> Path:
    """Return the counting library, built once for this machine and compiler.

    Raises FfibenchError where it cannot work here, BuildError where it does not compile.
    """
    libc, _ = platform.libc_ver()
    if sys.platform != "linux" or libc != "glibc" or platform.machine() not in MACHINES:
        raise FfibenchError(
            "counting calls needs Linux with glibc on x86-64 or arm64, and this is "
            f"{platform.system()} on {platform.machine()}",
            fix="use such a machine, or a container of Debian",
        )
    sources = asset("native/audit")
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(sources.iterdir()) if path.is_file()}
    return build(
        Project(
            name="counting",
            inputs=(*texts, *texts.values(), compiler("c").version, repr(flags()), platform.machine()),
            artifact="libcount.so",
            compiled=True,
            render=lambda: texts,
        )
    )
