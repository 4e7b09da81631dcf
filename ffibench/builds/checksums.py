"""Checksums of a built project in the cache: written when it is built, verified when it is used.

The list has the format of sha256sum, so that `sha256sum -c` reads it too.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

CHECKSUMS = "sha256sums"


def write_checksums(folder: Path) -> None:
    """Write the checksums of a project's files and of what was built from them. Raises OSError."""
    files = sorted(path for part in (folder, folder / "build") for path in part.glob("*") if path.is_file())
    lines = [f"{_digest(path)}  {path.relative_to(folder)}\n" for path in files]
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8")


def recorded_checksums(artifact: Path) -> dict[Path, str]:
    """Return the checksums of all files of the project that an artifact was built in; empty for other files."""
    for folder in (artifact.parent, artifact.parent.parent):
        try:
            lines = (folder / CHECKSUMS).read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError):
            continue
        found = {folder / name: known for known, _, name in (line.partition("  ") for line in lines)}
        if artifact in found:
            return found
    return {}


def find_damage(folder: Path) -> str | None:
    """Return which file of a built project is missing or changed, in a sentence; None where all are as built."""
    try:
        lines = (folder / CHECKSUMS).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return f"it has no list of its files, {CHECKSUMS}"
    for line in lines:
        known, _, name = line.partition("  ")
        try:
            found = _digest(folder / name)
        except OSError:
            return f"it lacks {name}"
        if found != known:
            return f"{name} is not what was built"
    return None if lines else f"its list of files, {CHECKSUMS}, is empty"


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()
