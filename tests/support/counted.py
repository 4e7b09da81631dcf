"""Small native programs, built for a machine, and run once bare and once counted."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from ffibench.audit.counting import CountedLibrary, Reading, Snapshot, Watch, counting

TIMES = 1000
"""How often the programs of tests/audit/data call in a loop."""
SUBJECT = Watch(patterns=("libsubject.so",))


class Counted(Struct, frozen=True, kw_only=True):
    """What a counted program printed, and what was counted."""

    out: str
    snapshot: Snapshot
    readings: tuple[Reading, ...]
    readings_cut: bool

    @property
    def library(self) -> CountedLibrary:
        """The one library that was watched."""
        (library,) = self.snapshot.libraries
        return library

    @property
    def calls(self) -> dict[str, int]:
        """Calls of the one library, by function."""
        return {function.name: function.calls for function in self.library.functions}

    @property
    def sums(self) -> dict[str, int]:
        """Sums of the one library, by function."""
        return {each.name: each.sum for each in self.library.functions if each.sum is not None}


class Machine(Struct, frozen=True, kw_only=True):
    """A processor that programs are built for and run on: this one, or arm64 under an emulator."""

    folder: Path
    compiler: str
    emulator: tuple[str, ...] = ()
    counting_library: Path | None = None
    """In place of this machine's own."""

    def build(self, name: str, *arguments: str | Path, folder: Path | None = None) -> Path:
        """Compile and link; return the file."""
        target = (folder or self.folder) / name
        command = [self.compiler, "-O2", "-Wall", "-Wextra", "-o", str(target), *map(str, arguments)]
        answer = subprocess.run(command, capture_output=True, text=True, check=False, cwd=target.parent)
        assert answer.returncode == 0, answer.stderr
        assert answer.stderr == "", answer.stderr
        return target

    def library(self, name: str, *arguments: str | Path, folder: Path | None = None) -> Path:
        """Compile a shared library."""
        return self.build(name, "-fPIC", "-shared", *arguments, folder=folder)

    def run(
        self, *command: str | Path, environment: Mapping[str, str] | None = None, pass_fds: Sequence[int] = ()
    ) -> str:
        """Run a program to its good end; return what it printed. An emulator needs its loader told by itself."""
        told = dict(environment or {})
        emulator = list(self.emulator)
        if emulator:
            for name in ("LD_AUDIT", "LD_PRELOAD", "LD_BIND_NOW", "GLIBC_TUNABLES"):
                if name in told:
                    value = told.pop(name)
                    emulator += ["-E", f"{name}={value}"]
                    if name == "GLIBC_TUNABLES":  # /proc/self/environ is the emulator's: as glibc leaves it there
                        told |= dict(each.split("=", 1) for each in value.split(":"))
        answer = subprocess.run(
            [*emulator, *map(str, command)],
            env={**os.environ, **told},
            pass_fds=pass_fds,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert (answer.returncode, answer.stderr) == (0, ""), answer.stderr
        return answer.stdout

    def count(self, *command: str | Path, watch: Watch = SUBJECT, private: bool = False, **environment: str) -> Counted:
        """Run a program bare, then counted; it must not tell the difference, and nothing is left uncounted."""
        counted = self.try_to_count(*command, watch=watch, private=private, **environment)
        assert counted.snapshot.troubles == ()
        return counted

    def try_to_count(
        self, *command: str | Path, watch: Watch = SUBJECT, private: bool = False, **environment: str
    ) -> Counted:
        """Run a program bare, then counted; it must not tell the difference."""
        bare = self.run(*command, environment=environment)
        with counting(watch, private=private) as counts:
            told = {**environment, **counts.environment}
            if self.counting_library is not None:
                told["LD_AUDIT"] = str(self.counting_library)
            out = self.run(*command, environment=told, pass_fds=counts.pass_fds)
            counted = Counted(
                out=out, snapshot=counts.snapshot(), readings=counts.readings(), readings_cut=counts.readings_cut()
            )
        assert out == bare
        return counted
