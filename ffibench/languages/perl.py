"""Perl: the `perl` on PATH. XS modules are compiled against its own headers, other bindings are its packages."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from ffibench.languages.base import Language, shim_argument
from ffibench.languages.programs import does_not_run, first_line, program_runtimes, run_program
from ffibench.model.runtime import Missing, Runtime
from ffibench.paths import asset

ALL = "apt-get install perl libffi-platypus-perl"

ASKED = ("-e", r'printf "perl %vd %s\n", $^V, $^X')
SAID = re.compile(r"^perl (?P<version>\S+) (?P<program>.+)$", re.MULTILINE)
"""What lies on PATH may be a wrapper, as plenv's is: $^X is the interpreter itself."""

# What the worker contract, the templates of XS and the key of a build need to know.
FACTS = r"""
use Config;
my $clocks = eval { require Time::HiRes; Time::HiRes::clock_gettime(Time::HiRes::CLOCK_PROCESS_CPUTIME_ID()) };
sub in_path { my ($file) = grep { -f } map { "$_/$_[0]" } grep { !ref } @INC; $file // "" }
my %fact = (
    archname   => $Config{archname},
    include    => "$Config{archlibexp}/CORE",
    ccflags    => $Config{ccflags},
    xsubpp     => in_path("ExtUtils/ParseXS.pm") && in_path("ExtUtils/xsubpp"),
    clocks     => $clocks // "",
);
print map { "$_=$fact{$_}\0" } sort keys %fact;
"""

# The name comes as an argument, so that nothing of it is ever read as code.
VERSION = r"""
my ($package) = @ARGV;
require(($package =~ s{::}{/}gr) . ".pm");
print $package->VERSION // "";
"""

QUIET = {"PERL_BADLANG": "0"}
"""No word about a locale that is not installed."""

MODULE = re.compile(r"[A-Za-z_]\w*(::\w+)*", re.ASCII)
CORE = frozenset({"ExtUtils::ParseXS", "Time::HiRes"})
"""Modules of Perl itself, which Debian leaves out of perl-base."""

KEYWORDS = frozenset(
    """
    ARGV BEGIN CHECK END ENV INC INIT STDERR STDIN STDOUT UNITCHECK defined delete do else elsif eval exists for foreach
    format glob goto grep if last local m map my next no our package pos print printf prototype q qq qr qw qx redo
    require return s scalar sort split study sub tr undef unless until use while y
    """.split()
)
"""Words that call no sub of that name, even where one was imported; and names that belong to the main package."""

KEPT = re.compile(r"-[DUm](?!_FORTIFY_SOURCE).+|-fwrapv|-fno-strict-aliasing")
"""Of the flags that perl was compiled with, those that its headers and its ABI ask for."""


class Perl(Language):
    """The Perl language."""

    name = "perl"
    title = "Perl"
    suffix = ".pl"
    asked = False
    keywords = KEYWORDS

    def runtimes(self, requested: Sequence[str], packages: Sequence[str]) -> Sequence[Runtime | Missing]:
        """Find perl, and see that it can read the clocks of the worker contract."""
        return program_runtimes(
            self.name,
            ["perl"],
            requested,
            install=ALL,
            asked=ASKED,
            version=SAID,
            environment=QUIET,
            described=_with_facts,
        )

    def package(self, runtime: Runtime, name: str) -> str | Missing:
        """Load a module as a worker would, and ask for its version."""
        if not MODULE.fullmatch(name):
            return Missing(reason=f"{name!r} is not the name of a Perl module", fix="correct it, as in FFI::Platypus")
        version, lacking = _version(runtime.executable, name)
        if not lacking:
            return version
        # A perl of somebody's own finds nothing where Debian's packages lie.
        debian = "perl" if name in CORE else f"lib{name.lower().replace('::', '-')}-perl"
        own = "-DDEBIAN" not in runtime.context["ccflags"]
        fix = f"{runtime.executable} -MCPAN -e 'install {name}'" if own else f"apt-get install {debian}"
        return Missing(reason=f"the Perl module {name} {lacking}", fix=fix)

    def build_needs(self, runtime: Runtime, options: Mapping[str, str] | None = None) -> Missing | None:
        """An XS module needs `perl.h` and the translator from XS to C."""
        include = Path(runtime.context["include"])
        if not (include / "perl.h").is_file():
            lacking = f"no perl.h in {include}"
        elif not runtime.context["xsubpp"]:
            lacking = "no xsubpp, of ExtUtils::ParseXS"
        else:
            return None
        return Missing(reason=f"{runtime.label} has {lacking}", fix="apt-get install perl")

    def command(
        self, runtime: Runtime, source: Path, artifact: Path | None, options: Mapping[str, str] | None = None
    ) -> Sequence[str]:
        """Run the experiment's file with the kit in its search path; -C0: arguments are bytes whatever PERL_UNICODE."""
        kit = f"-I{asset('native/kits/perl')}"
        return [runtime.executable, "-C0", kit, str(source), *shim_argument(artifact)]


def _with_facts(runtime: Runtime) -> Runtime | Missing:
    """Return a perl with what it tells of itself, or why it cannot run a worker."""
    facts = _facts(runtime.executable)
    if isinstance(facts, Missing):
        return facts
    if not facts["clocks"]:
        reason = f"{runtime.label} has no Time::HiRes, as where perl-base is installed alone"
        return Missing(reason=reason, fix=ALL)
    identity = " ".join([runtime.identity, *(facts[name] for name in ("archname", "include", "ccflags", "xsubpp"))])
    context = {**runtime.context, **facts, "flags": _flags(facts["ccflags"])}
    return replace(runtime, identity=identity, context=context)


@cache
def _facts(executable: str) -> Mapping[str, str] | Missing:
    answer = run_program([executable, "-e", FACTS], environment=QUIET)
    facts = dict(entry.split("=", 1) for entry in answer.stdout.split("\0") if "=" in entry)
    if answer.returncode != 0 or "include" not in facts:
        return does_not_run(executable, "perl", answer, ALL)
    return facts


@cache
def _version(executable: str, name: str) -> tuple[str, str]:
    """The version of a module, and what is wrong where there is none."""
    answer = run_program([executable, "-e", VERSION, "--", name], environment=QUIET)
    if answer.returncode == 0:
        return answer.stdout or "unknown", ""
    if f"Can't locate {name.replace('::', '/')}.pm in @INC" in answer.stderr:
        return "", "is not installed"
    return "", f"does not load: {first_line(answer.stderr)}"


def _flags(ccflags: str) -> str:
    """The flags that matter, one a line."""
    return "\n".join(flag for flag in shlex.split(ccflags) if KEPT.fullmatch(flag))


LANGUAGE = Perl()
