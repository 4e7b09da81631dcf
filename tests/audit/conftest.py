"""A library that is counted and the programs that call it, for this machine and for arm64 under an emulator."""

from __future__ import annotations

import platform
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.counted import Machine

from ffibench.paths import asset

DATA = Path(__file__).parent / "data"
CROSS = "aarch64-linux-gnu-gcc"
EMULATOR = "qemu-aarch64"
CROSS_ROOT = Path("/usr/aarch64-linux-gnu")
CROSS_INSTALL = "apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
FLAGS = ["-ffreestanding", "-fno-stack-protector", "-fvisibility=hidden", "-mgeneral-regs-only", "-nostdlib"]


@pytest.fixture(scope="session")
def native(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """This machine."""
    return Machine(folder=tmp_path_factory.mktemp("native"), compiler="cc")


@pytest.fixture(scope="session")
def arm64(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """An arm64 under an emulator, with the counting library crossed for it."""
    if platform.machine() == "aarch64":
        pytest.skip("this machine is arm64 itself")
    if not (shutil.which(CROSS) and shutil.which(EMULATOR) and CROSS_ROOT.is_dir()):
        pytest.skip(f"programs for arm64 cannot be built and run here; {CROSS_INSTALL}")
    folder = tmp_path_factory.mktemp("arm64")
    bare = Machine(folder=folder, compiler=CROSS, emulator=(EMULATOR, "-L", str(CROSS_ROOT)))
    return replace(
        bare,
        counting_library=bare.library("libcount.so", *FLAGS, "-mno-outline-atomics", asset("native/audit/count.c")),
    )


@pytest.fixture(scope="session", params=["native", "arm64"])
def machine(request: pytest.FixtureRequest) -> Machine:
    """Each machine in turn."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Machine)
    return found


@pytest.fixture(scope="session")
def subject(machine: Machine) -> Path:
    """The library that is counted."""
    return machine.library("libsubject.so", f"-Wl,--version-script={DATA / 'subject.map'}", DATA / "subject.c")


@pytest.fixture(scope="session")
def native_subject(native: Machine) -> Path:
    """The library that is counted, on this machine alone."""
    return native.library("libsubject.so", f"-Wl,--version-script={DATA / 'subject.map'}", DATA / "subject.c")


@pytest.fixture(scope="session")
def program(machine: Machine, subject: Path) -> Path:
    """A program that is linked to it."""
    return machine.build("program", DATA / "program.c", subject, "-pthread", "-ldl")


@pytest.fixture(scope="session")
def loader(machine: Machine) -> Path:
    """A program that loads it."""
    return machine.build("loader", DATA / "loader.c", "-ldl")
