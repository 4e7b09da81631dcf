"""The place for counts: what is watched, what a snapshot shows and when, what is told, and that nothing is left."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.counted import TIMES, Machine

from ffibench.audit.counting import FILE_BYTES, FunctionCount, Snapshot, Sum, Watch, counting
from ffibench.audit.library import counting_library
from ffibench.errors import FfibenchError
from ffibench.model import Returns

DATA = Path(__file__).parent / "data"
LINKS = ("libsubject.so", "libsubject.so.1", "libsubject.so.1.2")


@pytest.fixture(scope="module")
def folder(native: Machine, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The subject as a distribution installs it, with its links, and the program, linked to the middle one."""
    folder = tmp_path_factory.mktemp("installed")
    script = f"-Wl,--version-script={DATA / 'subject.map'}"
    native.library(LINKS[2], script, f"-Wl,-soname,{LINKS[1]}", DATA / "subject.c", folder=folder)
    for link in LINKS[:2]:
        (folder / link).symlink_to(LINKS[2])
    library = [str(folder / LINKS[0]), f"-Wl,-rpath,{folder}", "-pthread", "-ldl"]
    native.build("program", DATA / "program.c", *library, folder=folder)
    return folder


# --- what is watched ------------------------------------------------------------------------------

PATTERNS = [
    "libsubject.so.1",
    "libsubject.so.1.2",
    "libsubj?ct*",
    "*/lib[!a]ubject.so.[0-9]",
    "*.1.[]2]",
    "*ject.so.1*",
]
OTHERS = ["libsubject.so", "subject", "libsubject.so.1.2.3", "*/libsubject.so.[!1]*", "lib[a-r]ubject*", "[libsubject*"]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_takes_the_name_it_was_opened_by_and_that_of_the_file(
    native: Machine, folder: Path, pattern: str
) -> None:
    counted = native.count(folder / "program", "add", watch=Watch(patterns=(pattern,)))
    assert counted.calls == {"subject_add": TIMES}
    state = (folder / LINKS[2]).stat()
    library = counted.library
    assert (library.path, library.device, library.inode) == (str(folder / LINKS[2]), state.st_dev, state.st_ino)


@pytest.mark.parametrize("pattern", OTHERS)
def test_another_pattern_takes_nothing(native: Machine, folder: Path, pattern: str) -> None:
    assert native.count(folder / "program", "add", watch=Watch(patterns=(pattern,))).snapshot.libraries == ()


def test_a_library_is_known_by_what_it_defines(native: Machine, folder: Path) -> None:
    assert native.count(folder / "program", "add", watch=Watch(exports=("no_such", "subject_add"))).library
    for name in ("subject_state", "no_such"):  # data is no function
        assert native.count(folder / "program", "add", watch=Watch(exports=(name,))).snapshot.libraries == ()


def test_a_name_of_any_characters_is_kept(native: Machine, folder: Path, tmp_path: Path) -> None:
    odd = tmp_path / "a b\nc[é]"
    odd.mkdir()
    library = odd / "libsubject.so"
    library.write_bytes((folder / LINKS[2]).read_bytes())
    script = f"import ctypes; ctypes.CDLL({str(library)!r}).subject_add(1, 2)"
    counted = native.count(sys.executable, "-c", script, watch=Watch(patterns=("libsubject.so",)))
    assert counted.library.path == str(library)


# --- snapshots ------------------------------------------------------------------------------------


def test_a_snapshot_may_be_taken_while_the_program_runs_and_survives_its_death(folder: Path) -> None:
    script = (
        f"import ctypes; add = ctypes.CDLL({str(folder / LINKS[2])!r}).subject_add; add(1, 2); print(flush=True)\n"
        "input(); add(1, 2); print(flush=True); input()"
    )
    once = FunctionCount(name="subject_add", calls=1, sum=None, address_taken=True)
    with counting(Watch(exports=("subject_add",))) as counts:
        process = subprocess.Popen(
            [sys.executable, "-c", script],
            env={**os.environ, **counts.environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        with process:
            assert counts.snapshot().processes <= 1
            process.stdout.readline()
            assert counts.snapshot().libraries[0].functions == (replace(once, calls=1),)
            process.stdin.write(b"\n")
            process.stdin.flush()
            process.stdout.readline()
            process.send_signal(signal.SIGKILL)
        assert counts.snapshot().libraries[0].functions == (replace(once, calls=2),)


def test_processes_that_map_a_file_share_its_block(folder: Path) -> None:
    with counting(Watch(patterns=("libsubject*",))) as counts:
        for number in range(1, 21):
            subprocess.run([folder / "program", "alias"], env={**os.environ, **counts.environment}, check=True)
            (library,) = counts.snapshot().libraries
            assert {function.calls for function in library.functions} == {number}
        assert counts.snapshot().processes == 20


def test_nothing_is_left(folder: Path) -> None:
    with counting(Watch(patterns=("libsubject*",))) as counts:
        path = Path(counts.environment["FFIBENCH_COUNT"])
        assert path.parent.stat().st_mode & 0o777 == 0o700
        environment = {**os.environ, **counts.environment}
    assert not path.parent.exists()
    answer = subprocess.run([folder / "program", "add"], env=environment, capture_output=True, check=True)
    assert answer.stderr == b""


# --- the environment ------------------------------------------------------------------------------


def test_a_users_own_audit_library_stays(native: Machine, folder: Path, tmp_path: Path) -> None:
    source = tmp_path / "own.c"
    source.write_text(
        "#include <unistd.h>\nunsigned la_version(unsigned version)\n"
        '{ return write(1, "own\\n", 4) == 4 ? version : 0; }\n'
    )
    own = native.library("own.so", source, folder=tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LD_AUDIT", str(own))
        patch.setenv("GLIBC_TUNABLES", "glibc.rtld.nns=5")
        with counting(Watch(patterns=("libsubject*",))) as counts:
            environment = counts.environment
            answer = subprocess.run(
                [folder / "program", "alias"], env={**os.environ, **environment}, stdout=subprocess.PIPE, check=True
            )
            (library,) = counts.snapshot().libraries
    assert environment["LD_AUDIT"] == f"{own}:{counting_library()}"
    assert environment["GLIBC_TUNABLES"].startswith("glibc.rtld.nns=5:glibc.rtld.optional_static_tls=")
    assert answer.stdout == b"own\n6\n"
    assert len(library.functions) == 2


def test_a_users_own_memory_for_thread_local_data_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    own = "glibc.rtld.optional_static_tls=1048576:glibc.rtld.nns=5"
    monkeypatch.setenv("GLIBC_TUNABLES", own)
    with counting(Watch()) as counts:
        assert counts.environment["GLIBC_TUNABLES"] == own


def test_the_library_needs_no_other_and_builds_without_a_warning() -> None:
    path = counting_library()
    dynamic = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True, check=True).stdout
    assert "SONAME" in dynamic
    assert "NEEDED" not in dynamic
    assert "warning:" not in (path.parent.parent / "build.log").read_text(encoding="utf-8")


# --- troubles -------------------------------------------------------------------------------------


def trouble(command: list[Path | str], watch: Watch, file_bytes: int) -> tuple[str, ...]:
    bare = subprocess.run(command, capture_output=True, check=True)
    with counting(watch, file_bytes=file_bytes) as counts:
        counted = subprocess.run(command, capture_output=True, check=True, env={**os.environ, **counts.environment})
        snapshot = counts.snapshot()
    assert (counted.stdout, counted.stderr) == (bare.stdout, bare.stderr)
    assert snapshot.libraries == ()
    return snapshot.troubles


def test_a_file_that_is_full_is_told_and_the_program_goes_on(folder: Path) -> None:
    told = trouble([folder / "program", "itself"], Watch(patterns=("libsubject*",)), 128 * 1024)
    assert told == (f"{folder / LINKS[2]} is not counted: the file for the counts is full",)


def test_the_loader_is_told_not_to_be_counted(folder: Path) -> None:
    (told,) = trouble([folder / "program", "add"], Watch(patterns=("ld-linux*",)), FILE_BYTES)
    assert told.endswith("it is the loader itself, which runs before anything can be counted")


def limited(program: Path, kilobytes: int) -> Snapshot:
    command = ["/bin/sh", "-c", f"ulimit -v {kilobytes}; exec {program} alias"]
    assert subprocess.run(command, capture_output=True, check=True).stdout == b"6\n"
    with counting(Watch(patterns=("libsubject*",))) as counts:
        environment = {**os.environ, **counts.environment}
        answer = subprocess.run(command, env=environment, capture_output=True, check=True)
        assert (answer.stdout, answer.stderr) == (b"6\n", b"")
        return counts.snapshot()


def test_a_program_with_less_address_space_than_the_file_is_counted(folder: Path) -> None:
    snapshot = limited(folder / "program", 40_000)
    assert snapshot.processes == 2  # with the shell
    assert [each.calls for each in snapshot.libraries[0].functions] == [1, 1]
    assert snapshot.troubles == ()


def test_a_program_with_hardly_any_address_space_runs_uncounted_and_that_is_said(folder: Path) -> None:
    snapshot = limited(folder / "program", 3_600)
    assert snapshot.processes == 1
    reason = "its limit of address space, `ulimit -v`, leaves no room for the counts"
    assert snapshot.troubles == (f"{folder / 'program'} is not counted: {reason}",)


# --- mistakes -------------------------------------------------------------------------------------


ARGUMENT_6 = Returns(function="f", must_be="argument", position=6)


@pytest.mark.parametrize(
    ("watch", "message"),
    [
        (Watch(patterns=("",)), "a name or pattern to watch is empty"),
        (Watch(exports=("a\0b",)), "a name or pattern to watch is empty or has a NUL in it"),
        (Watch(sums=(Sum(function="f", position=6),)), "argument 6 of f cannot be summed"),
        (Watch(sums=(Sum(function="f", position=-1),)), "argument -1 of f cannot be summed"),
        (
            Watch(sums=(Sum(function="f", position=0, bits=16),)),
            "argument 0 of f cannot have 16 bits; ask for 32 or 64",
        ),
        (Watch(readings_max=-1), "-1 readings of clocks cannot be kept; ask for 0 or more"),
        (Watch(sums=(Sum(function="f", position=0), Sum(function="f", position=1))), "two sums are asked of f"),
        (Watch(returns=(ARGUMENT_6,)), "argument 6 of f cannot be compared with its result"),
        (Watch(returns=(Returns(function="f", must_be="0"), ARGUMENT_6)), "two results are asked of f, of which one"),
        (Watch(returns=(Returns(function="", must_be="0"),)), "a name or pattern to watch is empty"),
    ],
)
def test_what_cannot_be_watched_is_told(watch: Watch, message: str) -> None:
    with pytest.raises(FfibenchError, match=message), counting(watch):
        pass


def test_names_that_do_not_fit_are_told() -> None:
    with pytest.raises(FfibenchError, match="do not fit into 32768 bytes"), counting(Watch(), file_bytes=32768):
        pass
    watch = Watch(exports=("one", "two"), readings_max=2_000_000)
    with pytest.raises(FfibenchError, match="2000000 readings of clocks, do not fit into 67108864"), counting(watch):
        pass


def test_a_colon_in_the_path_of_the_library_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "a:b"))
    with (
        pytest.raises(FfibenchError, match="a colon separates the paths in LD_AUDIT; XDG_CACHE_HOME"),
        counting(Watch()),
    ):
        pass


@pytest.mark.parametrize(("machine_name", "libc"), [("riscv64", "glibc"), ("x86_64", "musl")])
def test_a_machine_that_cannot_count_is_told(monkeypatch: pytest.MonkeyPatch, machine_name: str, libc: str) -> None:
    monkeypatch.setattr(platform, "machine", lambda: machine_name)
    monkeypatch.setattr(platform, "libc_ver", lambda: (libc, ""))
    with pytest.raises(
        FfibenchError, match=f"needs Linux with glibc on x86-64 or arm64, and this is .* {machine_name}"
    ):
        counting_library()
