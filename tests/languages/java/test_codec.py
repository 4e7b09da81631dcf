"""`codec` in Java does the work of every case, and its decoders take what the library takes, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.codec_hosts import check_decoders, check_run, prepared
from support.contract import compile_without_warning

from ffibench.model.runtime import Runtime
from ffibench.paths import asset
from ffibench.shims.shim import core_project
from ffibench.shims.technology import read_technology

NAME = "java/jackson"
FOLDER = asset("experiments/codec/shims/java/jackson")
DECODES = Path(__file__).with_name("data") / "Decodes.java"


@pytest.mark.parametrize("size", [1, 70_000])
def test_every_case_is_right(size: int) -> None:
    check_run(NAME, size)


def compiler(java: Runtime, core: Path) -> list[str | Path]:
    """That of the JDK, or the one that is fetched for a Java without."""
    if java.context["javac"]:
        return [java.context["javac"], "-Xlint:all"]
    return [java.executable, "-jar", core.with_name("ecj.jar"), "-proc:none", "-source", "17", "-target", "17"]


def test_its_decoders_take_what_the_library_takes(tmp_path: Path) -> None:
    java, program = prepared(NAME)
    project = core_project(read_technology(FOLDER), java, {})
    assert project is not None
    core = project.locate() / "build" / project.artifact
    path = os.pathsep.join(map(str, [program, core, tmp_path]))
    compile_without_warning(tmp_path, *compiler(java, core), "-cp", path, "-d", tmp_path, DECODES)
    check_decoders([java.executable, "--enable-native-access=ALL-UNNAMED", "-cp", path, "Decodes"])
