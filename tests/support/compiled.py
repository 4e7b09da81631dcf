"""Small native programs and libraries that tests compile for themselves."""

from __future__ import annotations

import subprocess
from pathlib import Path

from ffibench.builds.toolchain import compiler


def compiled(output: Path, source: str, *flags: str, language: str = "c") -> Path:
    """Compile a source text, of `c` or `cpp`, to a program or with `-shared` to a library."""
    suffix = {"c": ".c", "cpp": ".cpp"}[language]
    file = output.with_name(f"{output.name}-source{suffix}")
    file.write_text(source, encoding="utf-8")
    subprocess.run([*compiler(language).command, "-O1", str(file), "-o", str(output), *flags], check=True)
    return output
