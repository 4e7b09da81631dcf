"""The suites of a folder: a schema, NAME.proto, and a message of it, NAME.json in protobuf's JSON mapping."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from msgspec import Struct

from ffibench.errors import FfibenchError

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
"""Of a suite: functions are named after it, `NAME_encode`."""
OTHER = {".proto": ".json", ".json": ".proto"}


class Suite(Struct, frozen=True):
    """A schema and a message of it.

    Attributes:
        name: of both files, without what follows the dot.
        proto: the schema.
        json: the message.

    """

    name: str
    proto: Path
    json: Path


def find_suites(folder: Path) -> tuple[Suite, ...]:
    """Return the suites of a folder, sorted by name. A .proto that another one imports lies in a folder below.

    Raises FfibenchError where there is none, where one of the two files is missing, or where the name is none in C.
    """
    if not folder.is_dir():
        raise FfibenchError(f"no folder {folder}", fix="name one with suites: NAME.proto and NAME.json")
    files = sorted(path for path in folder.iterdir() if path.suffix in OTHER and not path.name.startswith("."))
    for path in files:
        other = path.with_suffix(OTHER[path.suffix])
        if other not in files:
            raise FfibenchError(
                f"{path} has no {other} beside it",
                fix="a suite is both; a schema that others import lies in a folder below",
            )
        if not NAME.fullmatch(path.stem):
            raise FfibenchError(
                f"{path}: functions of C are named after a suite, and `{path.stem}` begins no name",
                fix="name both files with letters, digits and _, a letter first",
            )
    if not files:
        raise FfibenchError(f"no suite in {folder}", fix="put NAME.proto and NAME.json there")
    protos = (path for path in files if path.suffix == ".proto")
    return tuple(Suite(path.stem, path, path.with_suffix(".json")) for path in protos)


def choose_suites(suites: Sequence[Suite], globs: Sequence[str]) -> tuple[Suite, ...]:
    """Return the suites whose names match one of the globs, all of them without any, in their order.

    Raises FfibenchError for a glob that matches none.
    """
    for glob in globs:
        if not any(fnmatchcase(each.name, glob) for each in suites):
            there = ", ".join(each.name for each in suites)
            raise FfibenchError(f"--suite {glob}: no suite has such a name", fix=f"there are {there}")
    return tuple(each for each in suites if not globs or any(fnmatchcase(each.name, glob) for glob in globs))
