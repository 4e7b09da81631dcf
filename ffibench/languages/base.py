"""What a language is to the rest of the tool: found on this machine, asked for versions, started."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path

from ffibench.model.runtime import Missing, Runtime


class Language(ABC):
    """One file in this folder binds such an object to the name `LANGUAGE`."""

    name: str
    """As in a contestant's name and as the stem of the file that drives its generated shims."""
    title: str
    """As its users write it, `C++`."""
    suffix: str
    """Of its source files, `.py`."""
    optional = True
    """Whether a run without it is complete: its rows are then left out, and `doctor` says why."""
    asked = True
    """Whether it takes part only where it is asked for: by `-c '*'`, or by a pattern that matches one of its names."""
    lock: str | None = None
    """What its users call the lock that one thread of its runtime holds while it runs their code, `GIL`; None where
    there is none. A binding holds it during a native call or releases it, as `Contestant.lock` says."""
    warmup = 0
    """The warm-up slices that each process needs at least, until its compiler has done its work."""
    keywords: frozenset[str] = frozenset()
    """Words that name nothing in it: a constant of the header that is named by one is left out of shims, a parameter
    has another name there."""

    @abstractmethod
    def runtimes(self, requested: Sequence[str], packages: Sequence[str]) -> Sequence[Runtime | Missing]:
        """Find its interpreters or compiler.

        `requested` are the paths of `--with`, and of `--python`, for that language alone; `packages` those that the
        experiment's contestants need, for a runtime that must first be given them.
        Raises FfibenchError for a requested one that will not do.
        """

    def package(self, runtime: Runtime, name: str) -> str | Missing:
        """Return the version of a package as a worker under `runtime` would find it."""
        fix = "take away distribution= and requires= in its file"
        return Missing(reason=f"{self.title} has no packages here: {name}", fix=fix)

    def build_needs(self, runtime: Runtime, options: Mapping[str, str] | None = None) -> Missing | None:
        """Return what is missing to build a binding with these options for `runtime`, or None."""
        return None

    def run_needs(self, runtime: Runtime, options: Mapping[str, str]) -> Missing | None:
        """Return what `runtime` lacks to run a binding with these options, such as a compiler of its own, or None."""
        return None

    def command(
        self, runtime: Runtime, source: Path, artifact: Path | None, options: Mapping[str, str] | None = None
    ) -> Sequence[str]:
        """Return the command of a worker, without the `key=value` arguments of the contract.

        `source` is the file in the experiment's folder, `artifact` the built or rendered shim, `options` those of the
        binding in its `technology.toml`. Where a language has no other one, the artifact is the whole program.
        """
        return [str(artifact)]


def shim_argument(artifact: Path | None) -> list[str]:
    """Return what tells a worker its shim; nothing where its contestant has none."""
    return [] if artifact is None else [f"shim={artifact}"]
