"""C: the baseline. The experiment's file is a whole program, compiled and linked as any C program is."""

from __future__ import annotations

from collections.abc import Sequence

from ffibench.builds import toolchain
from ffibench.errors import FfibenchError
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
        return [compiler_runtime(self.name, requested)]


def compiler_runtime(language: str, requested: Sequence[str]) -> Runtime | Missing:
    """Return the compiler of C or C++. Raises FfibenchError for a requested one: $CC and $CXX name them."""
    if requested:
        variable, _ = toolchain.VARIABLES[language]
        raise FfibenchError(
            f"--with {language}: its compiler is that of the environment", fix=f"{variable}={requested[0]} names it"
        )
    missing = toolchain.missing_compiler([language])
    if missing is not None:
        return missing
    compiler = toolchain.compiler(language)
    return Runtime(
        language=language,
        label=compiler.label,
        version=compiler.label.rpartition(" ")[2],
        executable=compiler.command[0],
        identity=compiler.version,
        context={},
    )


LANGUAGE = C()
