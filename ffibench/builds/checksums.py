"""Whether a built project in the cache is still what was built: the digests of its files, kept beside them.

The list has the format of sha256sum, so that `sha256sum -c` reads it too.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

SUMS = "sha256sums"


def seal(folder: Path) -> None:
    """Write down the digests of a project's files and of what was built from them. Raises OSError."""
    files = sorted(path for part in (folder, folder / "build") for path in part.glob("*") if path.is_file())
    lines = [f"{_digest(path)}  {path.relative_to(folder)}\n" for path in files]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")


def damage(folder: Path) -> str | None:
    """Say what is wrong with a project that was sealed; None where it is whole."""
    try:
        lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return f"it has no list of its files, {SUMS}"
    for line in lines:
        known, _, name = line.partition("  ")
        try:
            found = _digest(folder / name)
        except OSError:
            return f"it lacks {name}"
        if found != known:
            return f"{name} is not what was built"
    return None if lines else f"its list of files, {SUMS}, is empty"


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()
