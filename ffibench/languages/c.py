"""C: the baseline. The experiment's file is a whole program, compiled and linked as any C program is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ffibench.builds import toolchain
from ffibench.model.runtime import Missing, Runtime


class C:
    """The C language, through the system's compiler."""

    name = "c"
    suffix = ".c"
    optional = False
    lock: str | None = None
    keywords: frozenset[str] = frozenset()

    def runtimes(self, requested: Sequence[str], packages: Sequence[str]) -> Sequence[Runtime | Missing]:
        """Find the compiler."""
        missing = toolchain.missing_compiler(["c"])
        if missing is not None:
            return [missing]
        compiler = toolchain.compiler("c")
        version = compiler.label.rpartition(" ")[2]
        return [
            Runtime(
                language=self.name,
                label=compiler.label,
                version=version,
                executable=compiler.command[0],
                identity=compiler.version,
                context={},
            )
        ]

    def package(self, runtime: Runtime, name: str) -> str | Missing:
        """C has no packages: whoever asks for one is mistaken."""
        return Missing(reason=f"C knows no package {name}", fix="take away distribution= in its file")

    def build_needs(self, runtime: Runtime, options: Mapping[str, str] | None = None) -> Missing | None:
        """Nothing more than the compiler, which is there."""
        return None

    def command(self, runtime: Runtime, source: Path, artifact: Path | None) -> Sequence[str]:
        """The program itself."""
        return [str(artifact)]


LANGUAGE = C()
