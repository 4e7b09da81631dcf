"""Compiles a program of Java into a jar: `compile.py JAR CLASSPATH COMPILER.. -- SOURCE..`, run by a build.

A runtime without a compiler has no `jar` either. What another jar has, such as JNA, is named in the manifest.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

LINE_BYTES_MAX = 70
"""A line of a manifest has 72 bytes at most with its end; a longer one goes on in the next, after a space."""


def main(arguments: list[str]) -> int:
    """Compile and pack; the status is the compiler's."""
    jar, class_path, *rest = arguments
    compiler, sources = rest[: rest.index("--")], rest[rest.index("--") + 1 :]
    with tempfile.TemporaryDirectory() as folder:
        given = ["-cp", class_path] if class_path else []
        answer = subprocess.run([*compiler, *given, "-d", folder, *sources], check=False)
        if answer.returncode == 0:
            pack(Path(jar), Path(folder), class_path)
    return answer.returncode


def pack(jar: Path, folder: Path, class_path: str) -> None:
    """Write the classes of a folder, each time the same bytes, with a manifest that says where the program begins."""
    lines = ["Manifest-Version: 1.0", "Main-Class: Contestant", "Enable-Native-Access: ALL-UNNAMED"]
    if class_path:
        lines.append(f"Class-Path: {Path(class_path).as_uri()}")
    with ZipFile(jar, "w", ZIP_DEFLATED) as made:
        made.writestr(ZipInfo("META-INF/MANIFEST.MF"), "".join(f"{folded(line)}\r\n" for line in lines))
        for path in sorted(folder.rglob("*.class")):
            made.writestr(ZipInfo(str(path.relative_to(folder))), path.read_bytes())


def folded(line: str) -> str:
    """Return a line of a manifest in lines of the length that one may have; an address has no other than ASCII."""
    parts = [line[:LINE_BYTES_MAX]]
    rest = line[LINE_BYTES_MAX:]
    while rest:
        parts.append(f" {rest[: LINE_BYTES_MAX - 1]}")
        rest = rest[LINE_BYTES_MAX - 1 :]
    return "\r\n".join(parts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
