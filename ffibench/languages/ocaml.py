"""OCaml: the experiment's file is a whole program, compiled with generated declarations and their stubs in C."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from ffibench.languages.base import Language
from ffibench.languages.programs import program_runtimes, run_program
from ffibench.model.runtime import Missing, Runtime

INSTALL = "apt-get install ocaml"
OLDEST = (4, 13)

KEYWORDS = frozenset(
    """
    and as asr assert begin class constraint do done downto else end exception external false for fun function functor
    if in include inherit initializer land lazy let lor lsl lsr lxor match method mod module mutable new nonrec object
    of open or private rec sig struct then to true try type val virtual when while with
    """.split()
)


class OCaml(Language):
    """The OCaml language, through its native compiler."""

    name = "ocaml"
    title = "OCaml"
    suffix = ".ml"
    lock = "runtime lock"
    keywords = KEYWORDS

    def runtimes(self, requested: Sequence[str], packages: Sequence[str]) -> Sequence[Runtime | Missing]:
        """Find the native compiler."""
        return program_runtimes(
            self.name,
            ["ocamlopt"],
            requested,
            install=INSTALL,
            asked=["-version"],
            label=self.name,
            oldest=OLDEST,
            described=_with_home,
        )

    def build_needs(self, runtime: Runtime, options: Mapping[str, str] | None = None) -> Missing | None:
        """Stubs are compiled against OCaml's own headers, and a lock is there where its library of threads is."""
        home = Path(runtime.context["home"])
        lacking = next(
            (each for each in ("caml/mlvalues.h", "threads/threads.cmxa") if not (home / each).is_file()), ""
        )
        return Missing(reason=f"{runtime.label} has no {home / lacking}", fix=INSTALL) if lacking else None


def _with_home(found: Runtime) -> Runtime:
    home = run_program([found.executable, "-where"]).stdout.strip()
    return replace(found, context={**found.context, "home": home})


LANGUAGE = OCaml()
