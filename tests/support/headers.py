"""Headers that tests read: texts, files written for a test, and those that the system has."""

from __future__ import annotations

from pathlib import Path

import pytest

from ffibench.headers.reader import Header, parse, read_header
from ffibench.headers.types import Function

ZMQ = Path(__file__).parents[2] / "native/include/zmq.h"


def write(folder: Path, text: str, name: str = "api.h") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def read_text(text: str) -> Header:
    """Read a text that needs no preprocessor."""
    return parse(f'# 1 "api.h"\n{text}', Path("api.h"))


def only(header: Header) -> Function:
    (function,) = header.functions
    return function


def system_header(name: str, package: str) -> Header:
    return read_header(installed(name, package))


def installed(name: str, package: str) -> Path:
    path = Path("/usr/include") / name
    if not path.exists():
        pytest.skip(f"{path} is not installed; apt-get install {package}")
    return path


def kinds(header: Header, name: str) -> list[str]:
    (function,) = header.select([name])
    return [each.kind for each in function.parameters]
