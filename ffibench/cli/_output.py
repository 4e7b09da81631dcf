"""`--json FILE`: a value as one JSON document, to a file or, where it says `-`, to standard output."""

from __future__ import annotations

import sys
from pathlib import Path

from ffibench.errors import FfibenchError

STANDARD_OUTPUT = "-"


def check_json(file: str | None) -> None:
    """Raise FfibenchError where the file cannot be written: said before anything runs."""
    if file is not None and file != STANDARD_OUTPUT:
        from ffibench.results.store import check_writable

        check_writable(Path(file))


def write_json(value: object, file: str | None) -> None:
    """Write what `--json` asks for. Raises FfibenchError."""
    if file is None:
        return
    import msgspec

    from ffibench.results.store import write

    data = msgspec.json.encode(value) + b"\n"
    if file == STANDARD_OUTPUT:
        sys.stdout.buffer.write(data)
        return
    try:
        write(data, Path(file))
    except OSError as error:
        raise FfibenchError(
            f"cannot write {file}: {error.strerror}", fix="--json - writes to standard output"
        ) from None
