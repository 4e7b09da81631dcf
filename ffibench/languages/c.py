"""C: the baseline. The experiment's file is a whole program, compiled and linked as any C program is."""

from __future__ import annotations

from collections.abc import Sequence

from ffibench.builds import toolchain
from ffibench.languages.base import Language
from ffibench.model.runtime import Missing, Runtime


class C(Language):
    """The C language, through the system's compiler."""

    name = "c"
    title = "C"
    suffix = ".c"
    optional = False
    asked = False

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


LANGUAGE = C()
