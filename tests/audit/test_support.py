"""Why a program cannot be audited is said before it is started, in a sentence, and only where it is so."""

from __future__ import annotations

import os
import platform
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.compiled import compiled

from ffibench.audit import support
from ffibench.audit.library import GLIBC_OLDEST
from ffibench.audit.support import unsupported

SECURE = "#include <sys/auxv.h>\nint main(void) { return getauxval(AT_SECURE) != 0; }\n"
"""Tells by its exit status whether the kernel has the loader distrust the environment."""

NOBODY = 65534
NET_RAW = 1 << 13
CAPABILITY = struct.pack("<5I", 0x02000001, NET_RAW, 0, 0, 0)
"""`cap_net_raw=ep` as capabilities(7) has it on disk: revision 2 with the effective bit, permitted, inheritable."""


def named_loader(folder: Path, loader: Path) -> Path:
    """A program that names another loader; nobody starts it."""
    return compiled(folder / f"for-{loader.name}", SECURE, f"-Wl,--dynamic-linker={loader}")


def test_usual_programs_have_none(tmp_path: Path) -> None:
    for program in (Path(sys.executable), Path("/bin/sh"), compiled(tmp_path / "secure", SECURE)):
        assert unsupported(program) is None


@pytest.mark.parametrize("flag", ["-static", "-static-pie"])
def test_a_static_program(tmp_path: Path, flag: str) -> None:
    told = str(unsupported(compiled(tmp_path / "app", SECURE, flag)))
    assert re.search(r"/app is linked statically.*; link it dynamically", told)


def test_a_program_for_musl(tmp_path: Path) -> None:
    told = str(unsupported(named_loader(tmp_path, Path(f"/lib/ld-musl-{platform.machine()}.so.1"))))
    assert re.search(r"is built for musl, /lib/ld-musl-\S+\.so\.1, .* use a build for glibc", told)


def test_a_loader_that_is_not_there_or_is_not_glibc_s(tmp_path: Path) -> None:
    told = str(unsupported(named_loader(tmp_path, tmp_path / "ld-none.so")))
    assert "ld-none.so, which cannot be read: No such file or directory" in told
    (tmp_path / "ld-other.so").write_bytes(b"\x7fELF of another library of C")
    told = str(unsupported(named_loader(tmp_path, tmp_path / "ld-other.so")))
    assert "ld-other.so, which is not glibc's" in told


def test_a_glibc_that_is_too_old(tmp_path: Path) -> None:
    loader = tmp_path / "ld-old.so"
    program = named_loader(tmp_path, loader)
    loader.write_bytes(b"GLIBC_PRIVATE\0ld.so (Debian GLIBC 2.3-4) stable release version 2.3.\n")
    told = str(unsupported(program))
    oldest = ".".join(map(str, GLIBC_OLDEST))
    assert re.search(rf"ld-old\.so, the loader of .*, is of glibc 2\.3; .* from {re.escape(oldest)} on", told)
    loader.write_bytes(b"GLIBC_PRIVATE\0ld.so (Debian GLIBC 3.0-1) stable release version 3.0.\n")
    assert unsupported(program) is None


def test_a_loader_that_does_not_tell_its_version_is_known_where_it_is_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loader = tmp_path / "ld-silent.so"
    program = named_loader(tmp_path, loader)
    loader.write_bytes(b"GLIBC_PRIVATE")
    told = str(unsupported(program))
    assert "does not show its version" in told
    monkeypatch.setattr(support, "GLIBC_RELEASE", re.compile(rb"nothing tells it"))
    assert unsupported(Path(sys.executable)) is None


def test_a_program_of_32_bits_or_for_another_machine(tmp_path: Path) -> None:
    header_32 = struct.pack("<16sHHIIIIIHHHHHH", b"\x7fELF\1\1\1", 2, 3, 1, 0, 0, 0, 0, 52, 32, 0, 40, 0, 0)
    (tmp_path / "app32").write_bytes(header_32)
    told = str(unsupported(tmp_path / "app32"))
    assert "is a 32-bit program" in told
    image = bytearray(compiled(tmp_path / "app", SECURE).read_bytes())
    image[18:20] = (243).to_bytes(2, sys.byteorder)  # e_machine: RISC-V
    (tmp_path / "app").write_bytes(image)
    told = str(unsupported(tmp_path / "app"))
    assert "is for another machine, EM_RISCV" in told


def test_a_file_that_breaks_off(tmp_path: Path) -> None:
    (tmp_path / "app").write_bytes(Path(sys.executable).read_bytes()[:40])
    told = str(unsupported(tmp_path / "app"))
    assert "cannot be read as an ELF file" in told


def test_another_system_or_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    told = str(unsupported(Path(sys.executable)))
    assert "written for x86_64 and aarch64, and this machine is riscv64" in told
    monkeypatch.setattr(sys, "platform", "darwin")
    told = str(unsupported(Path(sys.executable)))
    assert "this is darwin" in told


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may enter; those that pytest makes are its user's alone."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def is_distrusted(program: Path, user: int) -> bool:
    """Whether the kernel, asked by starting it, has the loader distrust the environment."""
    return subprocess.run([program], user=user, group=user, extra_groups=[], check=False).returncode == 1


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a program another owner, or capabilities")
@pytest.mark.parametrize("user", [0, NOBODY])
@pytest.mark.parametrize(
    ("owner", "mode", "capable"),
    [
        (0, 0o755, False),
        (0, 0o4755, False),
        (NOBODY, 0o4755, False),
        (0, 0o2755, False),
        (NOBODY, 0o2755, False),
        (NOBODY, 0o2745, False),
        (0, 0o755, True),
    ],
)
def test_rights_that_a_program_gains_keep_it_from_being_counted_where_the_kernel_says_so(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch, user: int, owner: int, mode: int, capable: bool
) -> None:
    program = compiled(open_folder / "secure", SECURE)
    os.chown(program, owner, owner)
    program.chmod(mode)
    if capable:
        os.setxattr(program, "security.capability", CAPABILITY)
    monkeypatch.setattr(os, "getuid", lambda: user)
    monkeypatch.setattr(os, "getgid", lambda: user)
    hindered = unsupported(program)
    assert (hindered is not None) == is_distrusted(program, user)
    if hindered is not None:
        assert re.search(r"is (set-user-id|set-group-id|given capabilities), .* ignores LD_AUDIT", hindered.reason)
