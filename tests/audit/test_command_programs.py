"""Real programs run under `ffibench audit` as without it, and what they call is counted to the call."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from support.compiled import compiled

from ffibench.audit.command import CommandAudit, audit_command
from ffibench.audit.support import unsupported
from ffibench.errors import FfibenchError

if (_reason := unsupported(Path(sys.executable))) is not None:
    pytest.skip(str(_reason), allow_module_level=True)

CALLS = 1000

Audited = Callable[..., CommandAudit]


@pytest.fixture
def audited(capfd: pytest.CaptureFixture[str]) -> Audited:
    """Run a command without the audit and with it; it prints the same on both streams and ends the same."""

    def audit(command: Sequence[str], *patterns: str) -> CommandAudit:
        status = subprocess.run(command, check=False).returncode
        bare = capfd.readouterr()
        found = audit_command(command, patterns)
        assert capfd.readouterr() == bare
        assert (found.exit_status, found.troubles, found.uncounted) == (status, (), ())
        return found

    return audit


def calls_of(audit: CommandAudit) -> dict[str, int]:
    """All functions that were called, of all libraries."""
    return {each.name: each.calls for library in audit.libraries for each in library.functions if each.calls}


def need(program: str, package: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed; apt-get install {package}")


JAVA = f"""
class App {{ public static void main(String[] all) throws Exception {{
    for (int i = 0; i < {CALLS}; i++) new java.util.zip.Deflater().end();
    System.out.println(new ProcessBuilder("true").start().waitFor());
    System.err.println("said");
    System.exit(3);
}} }}
"""


def test_java_that_starts_a_program(audited: Audited, tmp_path: Path) -> None:
    need("javac", "default-jdk-headless")
    (tmp_path / "App.java").write_text(JAVA, encoding="utf-8")
    subprocess.run(["javac", "App.java"], cwd=tmp_path, check=True)
    found = audited(["java", "-cp", str(tmp_path), "App"], "libz.so*", "libzip.so")
    assert calls_of(found)["Java_java_util_zip_Deflater_init"] == CALLS  # of the JDK; some bring their own zlib
    assert found.exit_status == 3
    assert found.processes >= 2


def test_node_and_its_threads(audited: Audited) -> None:
    """It prints to standard error where a thread cannot start; what it calls by itself is the same both times."""
    need("node", "nodejs")
    scripts = [f"for (let i = 0; i < {times}; i++) process.geteuid(); console.log(1)" for times in (0, CALLS)]
    before, after = (calls_of(audited(["node", "-e", script], "libc.so*")) for script in scripts)
    assert after["geteuid"] - before.get("geteuid", 0) == CALLS


RUBY = "require 'zlib'; {times}.times {{ Zlib.crc32('ohhai') }}; puts 1"


def test_ruby_and_what_an_extension_calls_of_it(audited: Audited) -> None:
    need("ruby", "ruby")
    before, after = (calls_of(audited(["ruby", "-e", RUBY.format(times=each)], "libruby*")) for each in (0, CALLS))
    assert after["rb_uint2inum"] - before.get("rb_uint2inum", 0) == CALLS
    crc = calls_of(audited(["ruby", "-e", RUBY.format(times=CALLS)], "libz.so*"))["crc32"]
    assert crc == 2 * CALLS  # it asks zlib for the first value, too


def test_ruby_with_every_library(capfd: pytest.CaptureFixture[str]) -> None:
    need("ruby", "ruby")
    found = audit_command(["ruby", "-e", RUBY.format(times=1)], ["*"])
    assert tuple(capfd.readouterr()) == ("1\n", "")
    assert found.exit_status == 0
    (trouble,) = found.troubles
    assert "is the loader itself" in trouble


def test_python_with_the_smallest_stack_of_a_thread(audited: Audited) -> None:
    thread = "threading.stack_size(32768); thread = threading.Thread(target=lambda: print(math.fmod(5, 3)))"
    script = f"import math, threading; {thread}; thread.start(); thread.join()"
    assert calls_of(audited([sys.executable, "-I", "-c", script], "libm.so*"))["fmod"] == 1


MAKEFILE = """
NAMES = one two three four
all: $(NAMES)
\t@cat $^
$(NAMES): %: %.c
\t@$(CC) -c -o $@.o $<
\t@$(CC) -o app-$@ $@.o
\t@./app-$@ && LD_LIBRARY_PATH=. ./app 10 > $@
"""
APP = """
#include <stdlib.h>
#include <stdio.h>
int tally(int number);
int main(int count, char **words) {
    int sum = count;
    for (int i = atoi(words[1]); i > 0; i--) sum = tally(sum);
    printf("%d\\n", sum);
}
"""


def test_make_and_the_compilers_that_it_starts_side_by_side(audited: Audited, tmp_path: Path) -> None:
    need("make", "make")
    compiled(tmp_path / "libtally.so", "int tally(int number) { return number + 1; }\n", "-shared", "-fPIC")
    compiled(tmp_path / "app", APP, f"-L{tmp_path}", "-ltally")
    (tmp_path / "Makefile").write_text(MAKEFILE, encoding="utf-8")
    for name in ("one", "two", "three", "four"):
        (tmp_path / f"{name}.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    command = ["make", "-s", "-B", "-j2", "-C", str(tmp_path)]
    found = audited(command, "libtally.so", "libz.so*")
    assert calls_of(found)["tally"] == 4 * 10
    assert found.processes > 4 * 4  # a compiler and its parts, a shell, two programs each
    assert found.survivors == ()


WAITS = "#include <unistd.h>\nint main(void) { sleep(1); return 0; }\n"


def test_a_program_for_musl_is_refused_and_named_where_another_one_starts_it(tmp_path: Path) -> None:
    need("musl-gcc", "musl-tools")
    (tmp_path / "app.c").write_text(WAITS, encoding="utf-8")
    app = tmp_path / "app"
    subprocess.run(["musl-gcc", "-o", str(app), str(tmp_path / "app.c")], check=True)
    with pytest.raises(FfibenchError, match="is built for musl") as refused:
        audit_command([str(app)], ["libz*"])
    assert refused.value.fix == "use a build for glibc"
    assert_named(app, "is built for musl, ")


def test_a_static_program_is_refused_and_named_where_another_one_starts_it(tmp_path: Path) -> None:
    app = compiled(tmp_path / "app", WAITS, "-static")
    with pytest.raises(FfibenchError, match="is linked statically") as refused:
        audit_command([str(app)], ["libz*"])
    assert refused.value.fix == "link it dynamically"
    assert_named(app, "is linked statically, ")


def assert_named(app: Path, reason: str) -> None:
    found = audit_command(["sh", "-c", f"{app}; exit 5"], ["libz*"])
    assert found.exit_status == 5
    (uncounted,) = found.uncounted
    assert (uncounted.program, uncounted.processes) == (os.fspath(app), 1)
    assert uncounted.reason.startswith(reason)
