"""A command's native calls, exact to the last one, whatever language it is in and however it binds."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.segments import InterpSegment
from support.command import SCRIPT
from support.compiled import compiled

from ffibench.audit import descendants
from ffibench.audit.command import CommandAudit, CommandOptions, Observer, audit_command
from ffibench.audit.descendants import AUDITED, CLEARED, Uncounted
from ffibench.audit.foreground import GRACE_SECONDS
from ffibench.audit.support import unsupported
from ffibench.errors import FfibenchError

if (_reason := unsupported(Path(sys.executable))) is not None:
    pytest.skip(str(_reason), allow_module_level=True)

CALLS = 10_000

TALLY = "int tally(int number) { return number + 1; }\nint tally_twice(int number) { return tally(tally(number)); }\n"

PROGRAM = """
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>
extern "C" int tally(int number);
static void loop(int calls) { for (volatile int i = 0; i < calls; i = tally(i)) {} }
int main(int, char **words) {
    const int calls = std::stoi(words[1]), threads = std::stoi(words[2]), children = std::stoi(words[3]);
    std::vector<std::thread> all;
    for (int i = 0; i < threads; i++) all.emplace_back(loop, calls);
    for (auto &each : all) each.join();
    for (int i = 0; i < children; i++) if (fork() == 0) { loop(calls); _exit(0); }
    while (wait(nullptr) > 0) {}
}
"""


def calls_of(audit: CommandAudit, name: str = "") -> dict[str, int]:
    """What was called, in the one library file that was counted, or in the one of that file name."""
    (library,) = (each for each in audit.libraries if name in Path(each.path).name)
    return {function.name: function.calls for function in library.functions if function.calls}


def python(program: str) -> list[str]:
    return [sys.executable, "-I", "-c", program]


def skip_unless_mapped(command: Sequence[str], library: str) -> None:
    """Skip where a command, which is to print its own memory map, has no such shared library."""
    maps = subprocess.run(command, capture_output=True, text=True, check=False)
    if library not in maps.stdout:
        pytest.skip(f"{command[0]} has no shared {library} here, whose calls could be counted")


MAPS = "print(open('/proc/self/maps').read())"


@pytest.fixture(scope="module")
def tally(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A C++ program, linked to a library of its own: so many calls, by threads, by children."""
    folder = tmp_path_factory.mktemp("tally")
    compiled(folder / "libtally.so", TALLY, "-shared", "-fPIC")
    link = (f"-L{folder}", "-ltally", f"-Wl,-rpath,{folder}", "-pthread", "-include", "string")
    return compiled(folder / "app", PROGRAM, *link, language="cpp")


def test_zlib_of_python_is_counted_to_the_call() -> None:
    skip_unless_mapped(python(f"import zlib; {MAPS}"), "libz.so")
    audit = audit_command(python(f"import zlib\nfor _ in range({CALLS}): zlib.crc32(b'ohhai')"), ["libz.so*"])
    assert calls_of(audit)["crc32"] == CALLS
    assert audit.processes == 1
    assert audit.exit_status == 0
    assert audit.troubles == ()
    assert audit.seconds > 0
    assert audit.cpu_seconds > 0
    assert audit.comparison is None


def test_sqlite_of_python_steps_once_for_each_statement() -> None:
    skip_unless_mapped(python(f"import sqlite3; {MAPS}"), "libsqlite3")
    inserts = (
        "import sqlite3; connection = sqlite3.connect(':memory:', isolation_level=None)\n"
        "connection.execute('create table tally (number)')\n"
        f"for number in range({CALLS}): connection.execute('insert into tally values (?)', (number,))"
    )
    calls = calls_of(audit_command(python(inserts), ["libsqlite3*"]))
    assert calls["sqlite3_step"] == CALLS + 1
    assert calls["sqlite3_bind_int64"] == CALLS
    assert calls["sqlite3_open_v2"] == 1


def test_zlib_of_perl() -> None:
    perl = shutil.which("perl")
    if perl is None:
        pytest.skip("perl is not installed; apt-get install perl")
    module = subprocess.run([perl, "-MCompress::Zlib", "-e", "1"], capture_output=True, check=False)
    if module.returncode != 0:
        pytest.skip("perl has no Compress::Zlib here; apt-get install perl")
    script = f"crc32('ohhai', 0) for 1..{CALLS}; open F, '/proc/self/maps'; print <F>"
    command = [perl, "-MCompress::Zlib", "-e", script]
    bundled = "libz.so" not in subprocess.run(command, capture_output=True, text=True, check=True).stdout
    audit = audit_command(command, ["libz.so*"])
    if bundled:  # some builds of Compress::Raw::Zlib have a zlib of their own in them
        assert audit.libraries == ()
    else:
        assert calls_of(audit)["crc32"] == CALLS


def test_a_compiled_program_its_threads_and_its_children(tally: Path) -> None:
    audit = audit_command([str(tally), str(CALLS), "3", "0"], ["libtally.so"])
    assert (calls_of(audit), audit.processes) == ({"tally": 3 * CALLS}, 1)
    audit = audit_command([str(tally), str(CALLS), "1", "2"], ["libtally.so"])
    assert calls_of(audit) == {"tally": 3 * CALLS}


def test_children_that_are_other_programs_count_too(tally: Path) -> None:
    audit = audit_command(["sh", "-c", f"{tally} 100 1 0; {tally} 20 1 0; exit 4"], ["libtally*"])
    assert calls_of(audit) == {"tally": 120}
    assert audit.processes == 3
    assert audit.exit_status == 4


def test_several_libraries_and_two_copies_of_one(tally: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(tally.with_name("libtally.so"), tmp_path / "libtally.so"))
    loads = f"import ctypes, math; ctypes.CDLL({str(copy)!r}).tally(1); math.sin(1)"
    audit = audit_command(["sh", "-c", f"{tally} 5 1 0; {sys.executable} -I -c {loads!r}"], ["libtally.so", "libm.so*"])
    counts = {library.path: {f.name: f.calls for f in library.functions if f.calls} for library in audit.libraries}
    assert counts[str(tally.with_name("libtally.so"))] == {"tally": 5}
    assert counts[str(copy)] == {"tally": 1}
    assert any("libm.so" in path for path in counts)


def test_what_the_program_leaves_running_is_named(tally: Path) -> None:
    audit = audit_command(["sh", "-c", f"{tally} 100 1 0; sleep 100 >/dev/null 2>&1 & exit 0"], ["libtally*"])
    (survivor,) = audit.survivors
    os.kill(survivor.pid, signal.SIGKILL)
    assert survivor.program == str(Path("/bin/sleep").resolve())


def test_what_the_program_leaves_running_is_followed_where_that_is_asked(tally: Path, tmp_path: Path) -> None:
    gone = f"while kill -0 $$; do sleep 0.01; done 2>/dev/null; sleep {2 * GRACE_SECONDS}"
    later = ["sh", "-c", f"{tally} 100 1 0; ({gone}; exec {tally} 20 1 0) & exit 0"]
    audit = audit_command(later, ["libtally*"], CommandOptions(follow=True))
    assert audit.survivors == ()
    assert calls_of(audit) == {"tally": 120}


def test_a_program_with_a_cleared_environment_is_named(tally: Path) -> None:
    audit = audit_command(["sh", "-c", f"{tally} 100 1 0; env -i sleep 2"], ["libtally*"])
    assert calls_of(audit) == {"tally": 100}
    assert audit.uncounted == (Uncounted(program=str(Path("/bin/sleep").resolve()), reason=CLEARED, processes=1),)
    assert audit_command([str(tally), "1", "1", "2"], ["libtally*"]).uncounted == ()


def test_a_kernel_that_does_not_list_children_is_a_trouble(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(descendants, "PROC", tmp_path)
    (trouble,) = audit_command(["true"], ["libnone*"]).troubles
    assert "this kernel does not list child processes" in trouble


def test_an_audit_inside_an_audit_counts_once_and_the_outer_one_says_so(tally: Path, tmp_path: Path) -> None:
    within = f"{SCRIPT} audit --library 'libtally*' --json {tmp_path}/inner -- {tally} 10 1 0"
    waits = f"{SCRIPT} audit --library 'libtally*' -- sleep 1"
    audit = audit_command(["sh", "-c", f"{within}; {waits}; {tally} 5 1 0"], ["libtally*"])
    assert calls_of(msgspec.json.decode((tmp_path / "inner").read_bytes(), type=CommandAudit)) == {"tally": 10}
    assert calls_of(audit) == {"tally": 5}
    assert Uncounted(program=str(Path("/bin/sleep").resolve()), reason=AUDITED, processes=1) in audit.uncounted


def test_the_files_that_call_are_known_where_that_is_asked(tally: Path) -> None:
    library = tally.with_name("libtally.so")
    calls = f"import ctypes; native = ctypes.CDLL({str(library)!r}); native.tally(1); native.tally_twice(1)"
    command = ["sh", "-c", f'{tally} 5 1 0; exec {sys.executable} -I -c "{calls}"']
    for asked, expected in ((True, [{"app": 5, "libffi": 1}, {"libffi": 1}]), (False, [{}, {}])):
        audit = audit_command(command, ["libtally.so"], CommandOptions(callers=asked))
        assert calls_of(audit) == {"tally": 6, "tally_twice": 1}
        (found,) = audit.libraries
        callers = [
            {Path(path).name.partition(".")[0].partition("-")[0]: count for path, count in function.callers}
            for function in found.functions
        ]
        assert callers == expected


def test_a_library_that_is_not_mapped_has_no_count() -> None:
    audit = audit_command(python("pass"), ["libnone*"])
    assert audit.libraries == ()
    assert audit.unmatched == ("libnone*",)
    assert audit.processes == 1


def test_a_pattern_may_be_another_name_of_the_file_or_a_path(tally: Path) -> None:
    other = tally.with_name("libtally.so.1")
    other.symlink_to("libtally.so")
    command = python(f"import ctypes; ctypes.CDLL({str(other)!r}).tally(1)")
    patterns = ["libtally.so.1", str(tally.parent / "*.so.1"), "libnone*", "/no/such/folder/*"]
    audit = audit_command(command, patterns)
    assert calls_of(audit) == {"tally": 1}
    assert audit.unmatched == ("libnone*", "/no/such/folder/*")
    assert audit_command(command, patterns[:1]).unmatched == ()


def test_compare_runs_pairs_with_the_count_and_without_after_the_run_whose_calls_are_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = tmp_path / "runs"
    program = (
        "import math, os, sys; math.fmod(5, 3); print('once', file=sys.stderr); print('once')\n"
        f"open({str(runs)!r}, 'a').write(f'{{\"LD_AUDIT\" in os.environ}}\\n')"
    )
    told: list[int] = []
    observer = Observer()
    monkeypatch.setattr(observer, "pair", told.append)
    audit = audit_command(python(program), ["libm.so.6"], CommandOptions(pairs=3), observer)
    made = runs.read_text(encoding="utf-8").split()
    assert made[0] == "True"
    assert [sorted(made[at : at + 2]) for at in (1, 3, 5)] == [["False", "True"]] * 3
    assert told == [1, 2, 3]
    assert calls_of(audit)["fmod"] == 1
    assert tuple(capfd.readouterr()) == ("once\n", "once\n")
    assert audit.comparison is not None
    assert [pair.counted_first for pair in audit.comparison.pairs] == [made[at] == "True" for at in (1, 3, 5)]
    assert all(each.seconds > 0 for pair in audit.comparison.pairs for each in (pair.counted, pair.bare))


def test_compare_says_where_a_run_ended_otherwise() -> None:
    program = "import os; os._exit(3 if 'LD_AUDIT' in os.environ else 4)"
    audit = audit_command(python(program), ["libz*"], CommandOptions(pairs=2))
    assert audit.exit_status == 3
    assert audit.troubles == ("without counting, the command exited with status 4, not 3",)


@pytest.mark.parametrize("first_line", [f"#!{sys.executable} -I", f"#!/usr/bin/env -S {sys.executable} -I"])
def test_a_script_is_counted_and_has_its_arguments(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], first_line: str
) -> None:
    script = tmp_path / "app"
    script.write_text(f"{first_line}\nimport sys, math\nprint(sys.argv)\nmath.fmod(5, 3)\n", encoding="utf-8")
    script.chmod(0o755)
    audit = audit_command([str(script), "one", "two words"], ["libm.so.6"])
    assert capfd.readouterr().out == f"{[str(script), 'one', 'two words']}\n"
    assert calls_of(audit)["fmod"] == 1
    assert audit.program == sys.executable


def test_a_program_may_be_given_to_the_loader(tally: Path) -> None:
    with tally.open("rb") as file:
        (named,) = ELFFile(file).iter_segments("PT_INTERP")
        assert isinstance(named, InterpSegment)
        loader = named.get_interp_name()
    assert calls_of(audit_command([loader, str(tally), "7", "1", "0"], ["libtally.so"])) == {"tally": 7}


def test_a_command_that_cannot_be_counted_is_not_started(tmp_path: Path) -> None:
    static = compiled(tmp_path / "app", "int main(void) { return 0; }", "-static")
    (tmp_path / "script").write_text(f"#!{static}\n", encoding="utf-8")
    (tmp_path / "script").chmod(0o755)
    for command in ([str(static)], [str(tmp_path / "script")], ["env", str(static)]):
        with pytest.raises(FfibenchError, match="app is linked statically"):
            audit_command(command, ["libz*"])


def test_words_that_are_no_unicode_are_kept_readable() -> None:
    odd = os.fsdecode(b"caf\xe9")
    audit = audit_command([*python("pass"), odd], ["libz*"])
    assert audit.command[-1] == r"caf\xe9"
