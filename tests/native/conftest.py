"""The library of `fanout` as a run builds it with its C driver, and that of `codec` under the sanitizers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.codec_fuzz import SANITIZER, fuzz_program
from support.compiled import compiled
from support.fanout import unsanitized

from ffibench.builds.library import find_library
from ffibench.catalog import find_experiment
from ffibench.paths import asset

MakeDriver = Callable[..., Path]


@pytest.fixture(scope="session")
def fanout_library(private_folders: None) -> Path:
    folder = find_experiment("fanout")
    return Path(find_library(folder.experiment, folder.path, None).path)


@pytest.fixture(scope="session")
def make_driver(fanout_library: Path, tmp_path_factory: pytest.TempPathFactory) -> MakeDriver:
    """Return a function that compiles the driver with flags of its own."""

    def make(*flags: str) -> Path:
        source = asset("experiments/fanout/c.c").read_text(encoding="utf-8")
        include = [f"-I{asset('native/include')}", f"-I{asset('native/kits/c')}"]
        link = [str(fanout_library), f"-Wl,-rpath,{fanout_library.parent}", "-pthread"]
        return compiled(tmp_path_factory.mktemp("driver") / "driver", source, *include, *flags, *link)

    return make


@pytest.fixture(scope="session")
def codec_program(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command of what gives codec's library bad messages, both built with the sanitizers."""
    missing = unsanitized(tmp_path_factory.mktemp("probe"), SANITIZER)
    if missing is not None:
        pytest.skip(missing)
    return fuzz_program(tmp_path_factory.mktemp("codec"))


@pytest.fixture(scope="session")
def driver(make_driver: MakeDriver) -> Path:
    return make_driver("-Wall", "-Wextra", "-Werror")
