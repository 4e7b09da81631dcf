"""The run file on disk: one JSON document, replaced whole after every round, read back with its types checked."""

from __future__ import annotations

import errno
import os
import re
import shlex
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from ffibench.errors import FfibenchError
from ffibench.model import SCHEMA_VERSION, Comparison, Run, RunFile
from ffibench.paths import runs_folder
from ffibench.results.consistency import contradictions
from ffibench.results.costs import binding_costs
from ffibench.results.upgrades import UPGRADES
from ffibench.results.verify import verified

MOMENT_CHARACTERS = len("2025-11-20T08:13:00.250")  # two runs may begin within a second
NAME_CHARACTERS_MAX = 100
FILE_BYTES_MAX = 512 * 1024 * 1024
"""A worker has about 1,300 in a round, so that 500 rounds of 40 workers have 26 MB, and 10,000 have 520."""
UNFINISHED = ".ffibench-"
"""The name of a file that is being written begins so."""
UNFINISHED_SECONDS = 3600
PIECE_BYTES = 1024 * 1024


def document(run: Run, comparison: Comparison) -> bytes:
    """Return the run file, with what follows from the run for those who read it."""
    fields = {name: getattr(run, name) for name in run.__struct_fields__}
    return msgspec.json.encode(
        RunFile(**fields, summary=comparison.rows, warnings=comparison.warnings, costs=binding_costs(run))
    )


def save(run: Run, comparison: Comparison, path: Path) -> None:
    """Write a run by atomic replace: whatever happens, the file is a whole run, this one or the one before.

    Raises OSError.
    """
    write(document(run, comparison), path)


def write(data: bytes, path: Path) -> None:
    """Replace a file by `data`, or leave it as it was. Raises OSError."""
    if path.exists() and not path.is_file():
        path.write_bytes(data)  # a device or a pipe is written to, not replaced
        return
    path = Path(os.path.realpath(path))  # a link stays, what it leads to is replaced
    new = path.with_name(f"{UNFINISHED}{os.getpid()}")
    try:
        new.write_bytes(data)
        if path.exists():
            new.chmod(path.stat().st_mode)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def check_writable(path: Path) -> None:
    """Raise FfibenchError where a file cannot be written to: said before the first round, not after the last."""
    try:
        if _is_writable_already(path):
            return
        folder = (Path(os.path.realpath(path)) if path.is_symlink() else path).parent
        if not folder.exists():
            raise FfibenchError(
                f"no folder {folder} to write {path.name} to", fix=f"mkdir -p {shlex.quote(str(folder))} makes it"
            )
        with tempfile.NamedTemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise FfibenchError(
            f"cannot write to {path}: {error.strerror}", fix="give a path that you may write to"
        ) from None


def _is_writable_already(path: Path) -> bool:
    """Whether there is a device or a pipe; a file is replaced, so that its folder decides. Raises OSError."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(mode):
        raise FfibenchError(f"{path} is a folder", fix="give the path of a file")
    if stat.S_ISREG(mode):
        return False
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return True


class _Head(Struct):
    """What every schema has."""

    schema: int = SCHEMA_VERSION


def load(path: Path) -> Run:
    """Read a run file, and judge again whether each of its rows is valid: see `ffibench.results.verify`.

    Raises FfibenchError where it is no run file, with the place of what is wrong.
    """
    data = _read(path)
    try:
        schema = msgspec.json.decode(data, type=_Head).schema
        if schema != SCHEMA_VERSION and schema not in UPGRADES:  # of what else it holds nothing is known
            raise FfibenchError(
                f"{path} has schema {schema}, this ffibench reads {SCHEMA_VERSION}",
                fix=f"{'pip install --upgrade ffibench' if schema > SCHEMA_VERSION else 'run it again'}",
            )
        run = _decoded(data, schema)
        wrong = next(contradictions(run), None)
    except (ValueError, RecursionError) as error:  # no JSON, no UTF-8, nested without end
        wrong = str(error)
    if wrong is not None:
        raise FfibenchError(f"{path} is not a run file: {wrong}", fix="`ffibench run --json FILE` writes one")
    return verified(run)


def _read(path: Path) -> bytes:
    """Return the content of a file, or what a pipe of the shell brings. Raises FfibenchError for all that is endless.

    A pipe in a folder may wait for ever for somebody who writes to it; one that the shell made has somebody.
    """
    fix = "`ffibench show` alone takes the last run"
    try:
        mode, size = path.stat().st_mode, path.stat().st_size
        of_shell = stat.S_ISFIFO(mode) and path.is_relative_to("/dev")  # /dev/stdin, /dev/fd/63
        if not stat.S_ISREG(mode) and not of_shell:
            kind = "folder" if stat.S_ISDIR(mode) else "pipe" if stat.S_ISFIFO(mode) else "device"
            raise FfibenchError(f"cannot read {path}: it is a {kind}, and no file", fix=fix)
        with path.open("rb") as file:
            data = _bounded(file) if size <= FILE_BYTES_MAX else b""
    except OSError as error:
        raise FfibenchError(f"cannot read {path}: {error.strerror}", fix=fix) from None
    if max(size, len(data)) > FILE_BYTES_MAX:
        raise FfibenchError(f"{path} is no run file: it has more than {FILE_BYTES_MAX >> 20} MiB", fix=fix)
    return data


def _bounded(file: BinaryIO) -> bytes:
    """Read a file to its end, or a little more than a run file may have; memory is used for what there is."""
    pieces = []
    left = FILE_BYTES_MAX + 1
    while left > 0 and (piece := file.read(min(left, PIECE_BYTES))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _decoded(data: bytes, schema: int) -> Run:
    """Read a document of any schema that is known. Raises ValueError for what it is not."""
    if schema == SCHEMA_VERSION:
        return msgspec.json.decode(data, type=Run)
    document: dict[str, Any] = msgspec.json.decode(data, type=dict[str, Any])
    for version in range(schema, SCHEMA_VERSION):
        UPGRADES[version](document)
    return msgspec.convert({**document, "schema": SCHEMA_VERSION}, Run)


def kept_path(run: Run) -> Path:
    """Return where a run is kept without being asked: by its time and experiment, never by a name in a file."""
    folder = runs_folder()
    _sweep(folder)
    moment = re.sub(r"[^0-9]", "", run.started[:MOMENT_CHARACTERS])
    name = re.sub(r"[^A-Za-z0-9_-]", "-", run.plan.experiment[:NAME_CHARACTERS_MAX])
    return folder / f"{moment}-{name}.json"


def _sweep(folder: Path) -> None:
    """Remove what a process that was killed while it wrote has left there: nobody writes for an hour."""
    for left in folder.glob(f"{UNFINISHED}*"):
        with suppress(OSError):
            if time.time() - left.lstat().st_mtime > UNFINISHED_SECONDS:
                left.unlink()


def last_run() -> Path:
    """Return the newest run that was kept. Raises FfibenchError where there is none."""
    kept = sorted(runs_folder().glob("*.json"))
    if not kept:
        raise FfibenchError("no run was kept yet", fix="`ffibench run xsub` makes one")
    return kept[-1]
