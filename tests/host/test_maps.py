"""The promise: which library a process runs on is read from the process, and copies are known by their name."""

from __future__ import annotations

import mmap
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from ffibench.host.maps import library_stem, mapped_libraries
from ffibench.model import LibraryIdentity


@pytest.mark.parametrize(
    ("path", "stem"),
    [
        ("/usr/lib/x86_64-linux-gnu/libzmq.so.5.2.4", "libzmq"),
        ("/usr/lib/libzmq.so.5", "libzmq"),
        ("/usr/lib/libzmq.so", "libzmq"),
        ("/site-packages/pyzmq.libs/libzmq-2f02442c.so.5.2.5", "libzmq"),
        ("/site-packages/zmq/.dylibs/libzmq.5.dylib", "libzmq"),
        ("libzmq-2f02442c.5.dylib", "libzmq"),
        ("libfoo.dylib", "libfoo"),
        ("libc.so.6", "libc"),
        ("libssl.so.1.1", "libssl"),
        ("libstdc++.so.6.0.30", "libstdc++"),
        ("libgfortran-040039e1-0352e75f.so.5.0.0", "libgfortran-040039e1"),
        ("libdead-beef.so", "libdead-beef"),
        ("libboost_system.so.1.74.0", "libboost_system"),
        ("libzmq.so.5 (deleted)", "libzmq"),
        ("libzmq-static", "libzmq-static"),
        ("/with space/lib zmq.so", "lib zmq"),
        ("calls.cpython-311-x86_64-linux-gnu.so", "calls.cpython-311-x86_64-linux-gnu"),
        ("_zmq.abi3.so", "_zmq.abi3"),
    ],
)
def test_the_stem_of_a_library(path: str, stem: str) -> None:
    assert library_stem(path) == stem


def test_an_extension_module_is_no_copy_of_the_library_that_it_wraps() -> None:
    assert library_stem("calls.cpython-311-x86_64-linux-gnu.so") != library_stem("libcalls.so")
    assert library_stem("_zmq.abi3.so") != library_stem("libzmq.so")


linux = pytest.mark.skipif(sys.platform != "linux", reason="no /proc")


def mapped(path: Path, library: str = "/usr/lib/libwork.so.5") -> tuple[LibraryIdentity, ...] | None:
    """What is found in this very process with a file mapped into it."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ):
        return mapped_libraries(os.getpid(), library)


@linux
@pytest.mark.parametrize("name", ["libwork.so", "libwork-0a1b2c3d.so.5.2.5", "libwork.5.dylib"])
@pytest.mark.parametrize(
    "home", ["plain", "with space", "d\N{LATIN SMALL LETTER E WITH ACUTE}j\N{LATIN SMALL LETTER A WITH GRAVE}"]
)
def test_a_mapped_copy_is_found(name: str, home: str, tmp_path: Path) -> None:
    path = tmp_path / home / name
    path.parent.mkdir()
    path.write_bytes(b"a copy")
    assert mapped(path) == (LibraryIdentity(path=str(path), sha256=sha256(b"a copy").hexdigest()),)


@linux
def test_other_libraries_are_none_of_our_business(tmp_path: Path) -> None:
    path = tmp_path / "libworkshop.so"
    path.write_bytes(b"another")
    assert mapped(path) == ()


@linux
@pytest.mark.parametrize("end", ["deleted", "replaced"])
def test_a_file_that_is_gone_is_still_told(end: str, tmp_path: Path) -> None:
    """Built anew during a run: what is mapped is the old file, which nobody can hash any more."""
    path = tmp_path / "libwork.so"
    path.write_bytes(b"the old one")
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ):
        path.unlink()
        if end == "replaced":
            path.write_bytes(b"the new one")
        found = mapped_libraries(os.getpid(), str(path))
    assert found == (LibraryIdentity(path=f"{path} (deleted)", sha256=""),)


@linux
def test_a_file_that_was_changed_in_place_is_hashed_again(tmp_path: Path) -> None:
    path = tmp_path / "libwork.so"
    path.write_bytes(b"one")
    before = mapped(path)
    path.write_bytes(b"two more")
    assert before is not None
    assert mapped(path) != before


@linux
def test_a_process_that_has_ended_has_no_map() -> None:
    process = subprocess.Popen([sys.executable, "-I", "-S", "-c", ""])
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    with pytest.raises(ProcessLookupError):
        mapped_libraries(process.pid, "/usr/lib/libwork.so")
    process.wait()


def test_a_system_without_maps_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert mapped_libraries(os.getpid(), "/usr/lib/libwork.so") is None
