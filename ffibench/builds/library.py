"""The library under test: which file it is, and whether it is what the experiment calls."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from fnmatch import fnmatch
from functools import cache
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Any

from ffibench.builds.project import build
from ffibench.builds.sources import sources_project
from ffibench.errors import FfibenchError
from ffibench.model import Experiment, Library, LibraryFile, LibraryIdentity, LibrarySources, WheelLibrary
from ffibench.paths import require_plain

# Run apart: a file that is no library, or whose constructors misbehave, must not take the tool with it.
MARK = "ffibench probe: "
RTLD_DI_LINKMAP = 2  # dlfcn.h; the link map begins with an address and the path as it was found: link.h
PROBE = f"""
import ctypes, json, os, sys
class LinkMap(ctypes.Structure):
    _fields_ = [("address", ctypes.c_void_p), ("name", ctypes.c_char_p)]
def path_of(library):
    place = ctypes.POINTER(LinkMap)()
    dlinfo = getattr(ctypes.CDLL(None), "dlinfo", None)
    known = dlinfo and dlinfo(ctypes.c_void_p(library._handle), {RTLD_DI_LINKMAP}, ctypes.byref(place)) == 0
    return os.fsdecode(place.contents.name) if known else ""
try:
    library = ctypes.CDLL(sys.argv[1])
except OSError as error:
    found = {{"error": str(error)}}
else:
    missing = [name for name in sys.argv[2:] if not hasattr(library, name)]
    found = {{"missing": missing, "path": path_of(library)}}
print("\\n{MARK}" + json.dumps(found), flush=True)
"""
PROBE_SECONDS_MAX = 60
NAMES_MAX = 9
"""Of functions in a sentence."""


def library_identity(path: Path) -> LibraryIdentity:
    """Return the resolved path and the sha256 of a library file. Raises OSError."""
    path = path.resolve()
    state = path.stat()
    return LibraryIdentity(path=str(path), sha256=_digest(str(path), state.st_mtime_ns, state.st_size))


@cache
def _digest(path: str, mtime_ns: int, size: int) -> str:
    """Hash a file once for each state that it is seen in: every worker's memory map asks again."""
    return sha256(Path(path).read_bytes()).hexdigest()


def find_library(experiment: Experiment, folder: Path, chosen: str | None) -> LibraryIdentity:
    """Return the library of a run: `chosen` by `--library`, else the one that the experiment names.

    Raises FfibenchError where there is none, or where it lacks a function of the experiment.
    """
    if chosen is not None:
        path = located(Path(chosen), chosen, "--library takes the path of a shared library, or its soname")
        check_library(path, experiment.functions, experiment.header)
    else:
        path = _named_library(experiment.library, folder)
        told = f"add them to the library, or take them from the functions of {folder / 'experiment.py'}"
        check_library(path, experiment.functions, experiment.header, fix=told)
    return library_identity(require_plain(path.resolve(), "give a copy of it in another place with --library"))


def located(path: Path, name: str, fix: str) -> Path:
    """Return the library at a path, else the one that the loader finds by a name without a folder.

    Raises FfibenchError where there is none.
    """
    if path.is_file():
        return path
    if "/" in name:
        raise FfibenchError(f"no library at {path}", fix=fix)
    found = _probe([sys.executable, "-I", "-c", PROBE, name])
    if not found.get("path"):
        raise FfibenchError(f"no library at {path}, and the loader finds none of the name {name}", fix=fix)
    return Path(found["path"])


def check_library(path: Path, functions: Sequence[str], header: str, *, fix: str = "give another --library") -> None:
    """Raise FfibenchError where the file cannot be loaded, or does not export one of the functions of the header.

    A function of a library that it is linked with is as good as its own, since every binding finds it.
    """
    missing = [f"`{name}`" for name in not_exported(path, functions, fix=fix)]
    if missing:
        more = f" and {len(missing) - NAMES_MAX} more" if len(missing) > NAMES_MAX else ""
        raise FfibenchError(
            f"{path} does not export {', '.join(missing[:NAMES_MAX])}{more}, which {header} declares", fix
        )


def not_exported(path: Path, functions: Sequence[str], *, fix: str = "give another --library") -> tuple[str, ...]:
    """Return the functions that a library does not export. Raises FfibenchError where it cannot be loaded."""
    found = _probe([sys.executable, "-I", "-c", PROBE, str(path.resolve()), *functions])
    if "error" in found:
        raise FfibenchError(f"{path} is not a library that loads here: {found['error']}", fix=fix)
    return tuple(found["missing"])


def _probe(command: Sequence[str]) -> dict[str, Any]:
    """Return what the probe found. A library may print what it likes when it is loaded, before and after."""
    try:
        answer = subprocess.run(command, capture_output=True, check=False, timeout=PROBE_SECONDS_MAX)
    except subprocess.TimeoutExpired:
        return {"error": f"loading it took more than {PROBE_SECONDS_MAX} seconds"}
    for line in answer.stdout.decode(errors="replace").splitlines():
        if line.startswith(MARK):
            found: dict[str, Any] = json.loads(line.removeprefix(MARK))
            return found
    return {"error": f"loading it ended with status {answer.returncode}"}


def _named_library(library: Library, folder: Path) -> Path:
    match library:
        case WheelLibrary():
            return _in_wheel(library)
        case LibraryFile(path=name):
            return located(folder / name, name, f"build it there, or correct {folder / 'experiment.py'}")
        case LibrarySources():
            return build(sources_project(library, folder))


def _in_wheel(library: WheelLibrary) -> Path:
    name = library.distribution
    try:
        files = metadata.files(name) or []
    except metadata.PackageNotFoundError:
        raise FfibenchError(
            f"{name} is not installed, whose library is under test", fix=f"pip install {name}"
        ) from None
    for file in files:
        if fnmatch(str(file), library.pattern) and (".so" in file.name or file.suffix == ".dylib"):
            return Path(str(file.locate()))
    raise FfibenchError(
        f"the installed {name} carries no library {library.pattern}",
        fix=f"pip install --force-reinstall --only-binary=:all: {name}, or give --library PATH",
    )
