"""Why the native calls of a program cannot be counted on this machine, checked before it is started.

The counting library is loaded by glibc's loader, where `LD_AUDIT` names it. What prevents this: no such
loader, another kind of machine code, or a program whose rights differ from its user's, for which the loader
ignores `LD_AUDIT` (ld.so(8), "Secure-execution mode").
"""

from __future__ import annotations

import os
import platform
import re
import stat
import sys
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.segments import InterpSegment
from msgspec import Struct

from ffibench.audit.library import GLIBC_OLDEST, MACHINES
from ffibench.errors import FfibenchError
from ffibench.host.procfs import fields

LOADER_NAME = "ld-linux"

GLIBC_RELEASE = re.compile(rb"GLIBC .* release version (\d+)\.(\d+)")
"""The version text of the loader of glibc 2.33 and later, for `ld.so --version`."""

GLIBC_SYMBOLS = b"GLIBC_PRIVATE"
"""The version of the symbols that only glibc's own parts may use; every loader of glibc defines it."""


def unsupported(program: Path) -> FfibenchError | None:
    """Return why the calls of an ELF file cannot be counted here; None where they can."""
    return _of_system() or _of_file(program) or _of_rights(program)


def linked_statically(program: Path) -> bool:
    """Whether an ELF file has no loader that could count its calls; False for a file that is not readable as ELF."""
    try:
        return _image(program).loader is None and not program.name.startswith(LOADER_NAME)
    except (ELFError, OSError, UnicodeDecodeError):
        return False


def _of_system() -> FfibenchError | None:
    if sys.platform != "linux":
        return FfibenchError(
            f"native calls are counted by the loader of Linux, and this is {sys.platform}", fix="run it on Linux"
        )
    machine = platform.machine()
    if machine not in MACHINES:
        known = " and ".join(MACHINES)
        return FfibenchError(
            f"the library that counts native calls is written for {known}, and this machine is {machine}",
            fix="use a machine of these, or `ffibench run --no-audit`",
        )
    if not Path("/proc/self/maps").exists():
        return FfibenchError(
            "the library that counts native calls reads /proc/self/maps, and there is none",
            fix="mount -t proc proc /proc",
        )
    return None


def _of_file(program: Path) -> FfibenchError | None:
    try:
        found = _image(program)
    except (ELFError, OSError, UnicodeDecodeError) as error:
        return FfibenchError(
            f"{program} cannot be read as an ELF file, so that its loader is not known: {error}",
            fix="name a program or a script with #!",
        )
    ours = _image(Path(sys.executable))
    if found.bits != ours.bits:
        return FfibenchError(
            f"{program} is a {found.bits}-bit program, and only {ours.bits}-bit ones can be counted",
            fix="use such a build",
        )
    if found.machine != ours.machine:
        return FfibenchError(
            f"{program} is for another machine, {found.machine}, and this is {ours.machine}",
            fix="use a build for this one",
        )
    if linked_statically(program):
        return FfibenchError(
            f"{program} is linked statically, so that no loader could count its calls", fix="link it dynamically"
        )
    return _of_loader(program, found.loader or program)  # or a loader that is given a program to start


class _Image(Struct, frozen=True, kw_only=True):
    """What an ELF file needs of the machine and of the system."""

    bits: int
    machine: str
    loader: Path | None
    """PT_INTERP; None for a program that is linked statically."""


def _image(program: Path) -> _Image:
    """Read an ELF file. Raises ELFError, OSError, and UnicodeDecodeError for an invalid name of the loader."""
    with program.open("rb") as file:
        elf = ELFFile(file)
        named = next(elf.iter_segments("PT_INTERP"), None)
        loader = Path(named.get_interp_name()) if isinstance(named, InterpSegment) else None
        return _Image(bits=elf.elfclass, machine=str(elf["e_machine"]), loader=loader)


def _of_loader(program: Path, loader: Path) -> FfibenchError | None:
    """Return why the loader of a program cannot count."""
    if "musl" in loader.name:
        return FfibenchError(
            f"{program} is built for musl, {loader}, and only the loader of glibc can count",
            fix="use a build for glibc",
        )
    try:
        content = loader.read_bytes()
    except OSError as error:
        return FfibenchError(
            f"{program} needs the loader {loader}, which cannot be read: {error.strerror}",
            fix="use a build for this system",
        )
    if GLIBC_SYMBOLS not in content:
        return FfibenchError(
            f"{program} names the loader {loader}, which is not glibc's, and only that can count",
            fix="use a build for glibc",
        )
    version = _glibc(loader, content)
    oldest = ".".join(map(str, GLIBC_OLDEST))
    if version is None:
        return FfibenchError(
            f"{loader}, the loader of {program}, does not show its version", fix=f"glibc {oldest} or newer is needed"
        )
    if version < GLIBC_OLDEST:
        found = ".".join(map(str, version))
        return FfibenchError(
            f"{loader}, the loader of {program}, is of glibc {found}", fix=f"native calls are counted from {oldest} on"
        )
    return None


def _glibc(loader: Path, content: bytes) -> tuple[int, int] | None:
    """Return the glibc release of a loader: from its version text, or from libc where it is this process's loader."""
    release = GLIBC_RELEASE.search(content)
    if release is not None:
        return int(release[1]), int(release[2])
    ours = _image(Path(sys.executable)).loader
    libc = re.match(r"glibc (\d+)\.(\d+)", os.confstr("CS_GNU_LIBC_VERSION") or "")
    if libc is None or ours is None or not loader.samefile(ours):
        return None
    return int(libc[1]), int(libc[2])


def _of_rights(program: Path) -> FfibenchError | None:
    """Return why the loader will ignore the environment of a program: AT_SECURE in getauxval(3).

    A set-user-id program of the user's own is trusted, and so is one where the file system or the process allows
    nobody to gain rights.
    """
    if os.statvfs(program).f_flag & os.ST_NOSUID or _gains_nothing():
        return None
    found = program.stat()
    ignored = "and the loader then ignores LD_AUDIT"
    fix = "count a copy that cp makes, or run ffibench with those rights"
    if found.st_mode & stat.S_ISUID and found.st_uid != os.getuid():
        return FfibenchError(f"{program} is set-user-id, {ignored}", fix)
    if found.st_mode & stat.S_ISGID and found.st_mode & stat.S_IXGRP and found.st_gid != os.getgid():
        return FfibenchError(f"{program} is set-group-id, {ignored}", fix)
    if "security.capability" in os.listxattr(program) and os.getuid() != 0:
        return FfibenchError(f"{program} is given capabilities, {ignored}", fix)
    return None


def _gains_nothing() -> bool:
    """Whether this process and its children cannot gain rights: no_new_privs, prctl(2)."""
    return fields(Path("/proc/self/status"), ":").get("NoNewPrivs") == "1"
