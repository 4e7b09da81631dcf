"""Ruby: the `ruby` on PATH. C extensions are compiled against its headers, other bindings are its gems."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from ffibench.languages.base import Language, shim_argument
from ffibench.languages.programs import does_not_run, first_line, program_runtimes, run_program
from ffibench.model.runtime import Missing, Runtime
from ffibench.paths import asset

ALL = "apt-get install ruby ruby-dev ruby-ffi"
VERSION = re.compile(r"^ruby (?P<version>\d+(?:\.\d+)+)", re.MULTILINE)
OLDEST = (3, 0)

QUIET = "--disable=rubyopt"
"""RUBYOPT is the user's own: it could bring warnings, or a just-in-time compiler to whom did not ask for one."""

# What the templates of C extensions need to know.
FACTS = r"""
require "rbconfig"
config = RbConfig::CONFIG
fact = {
  include: config["rubyhdrdir"], arch_include: config["rubyarchhdrdir"], vendor: config["vendordir"],
  cflags: config["CFLAGS"], abi: config["ruby_version"], arch: config["arch"],
}
print fact.map { |name, value| "#{name}=#{value}\0" }.join
"""

# The name comes as an argument, so that nothing of it is ever read as code.
GEM = r"""
begin
  print Gem::Specification.find_by_name(ARGV[0]).version
rescue Gem::MissingSpecError
  exit 3
end
"""

GEM_NAME = re.compile(r"[A-Za-z][\w.-]*", re.ASCII)
YJIT = ("--yjit", "--yjit-call-threshold=2", "--yjit-exec-mem-size=16")
"""Each slice calls the method with its loop once: the first call fills its caches, the second has it compiled, instead
of the tenth or thirtieth. The memory for code is written to when Ruby starts: 16 MB take 0.1 s, 256 took 0.3."""

KEYWORDS = frozenset(
    """
    BEGIN END __ENCODING__ __FILE__ __LINE__ alias and begin break case class def do else elsif end ensure false for if
    in module next nil not or redo rescue retry return self super then true undef unless until when while yield
    """.split()
)


class Ruby(Language):
    """The Ruby language."""

    name = "ruby"
    title = "Ruby"
    suffix = ".rb"
    lock = "GVL"
    keywords = KEYWORDS

    def runtimes(self, requested: Sequence[str], packages: Sequence[str]) -> Sequence[Runtime | Missing]:
        """Find ruby, and ask it where its headers are."""
        return program_runtimes(
            self.name, ["ruby"], requested, install=ALL, version=VERSION, oldest=OLDEST, described=_with_facts
        )

    def package(self, runtime: Runtime, name: str) -> str | Missing:
        """Ask RubyGems for the version of a gem that a worker would find."""
        if not GEM_NAME.fullmatch(name):
            return Missing(reason=f"{name!r} is not the name of a gem", fix="correct it, as in ffi")
        version, lacking = _gem(runtime.executable, name)
        if not lacking:
            return version
        # A ruby of somebody's own finds nothing where Debian's packages lie.
        debian = "vendor_ruby" in runtime.context["vendor"]
        gem = Path(runtime.executable).with_name("gem")
        fix = f"apt-get install ruby-{name}" if debian else f"{gem} install {name}"
        return Missing(reason=f"the gem {name} {lacking}", fix=fix)

    def build_needs(self, runtime: Runtime, options: Mapping[str, str] | None = None) -> Missing | None:
        """A C extension needs `ruby.h`."""
        include = Path(runtime.context["include"])
        if (include / "ruby.h").is_file():
            return None
        return Missing(reason=f"{runtime.label} has no ruby.h in {include}", fix="apt-get install ruby-dev")

    def run_needs(self, runtime: Runtime, options: Mapping[str, str]) -> Missing | None:
        """A binding with YJIT needs a ruby that was built with it."""
        if "yjit" not in options or _starts(runtime.executable, YJIT):
            return None
        return Missing(
            reason=f"{runtime.label} was built without YJIT",
            fix="install one that was built with it, and name it: --with ruby=PATH",
        )

    def command(
        self, runtime: Runtime, source: Path, artifact: Path | None, options: Mapping[str, str] | None = None
    ) -> Sequence[str]:
        """Run the experiment's file with the kit in its search path."""
        compiler = YJIT if "yjit" in (options or {}) else ()
        kit = f"-I{asset('native/kits/ruby')}"
        return [runtime.executable, QUIET, *compiler, kit, str(source), *shim_argument(artifact)]


def _with_facts(runtime: Runtime) -> Runtime | Missing:
    """Return a ruby with what it tells of itself, or why it cannot run a worker."""
    facts = _facts(runtime.executable)
    if isinstance(facts, Missing):
        return facts
    identity = f"{runtime.identity} {sorted(facts.items())}"
    return replace(runtime, context={**runtime.context, **facts}, identity=identity)


@cache
def _facts(executable: str) -> Mapping[str, str] | Missing:
    answer = run_program([executable, "--disable=rubyopt,gems", "-e", FACTS])
    facts = dict(entry.split("=", 1) for entry in answer.stdout.split("\0") if "=" in entry)
    if answer.returncode != 0 or "include" not in facts:
        return does_not_run(executable, "ruby", answer, ALL)
    return facts


@cache
def _gem(executable: str, name: str) -> tuple[str, str]:
    """The version of a gem, and what is wrong where there is none."""
    answer = run_program([executable, QUIET, "-e", GEM, "--", name])
    if answer.returncode == 0:
        return answer.stdout, ""
    return "", "is not installed" if answer.returncode == 3 else f"cannot be asked for: {first_line(answer.stderr)}"


@cache
def _starts(executable: str, options: tuple[str, ...]) -> bool:
    return run_program([executable, QUIET, "--disable=gems", *options, "-e", ""]).returncode == 0


LANGUAGE = Ruby()
