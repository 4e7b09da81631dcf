from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.schemas import Codec, compiled_codec


@pytest.fixture(scope="session")
def codec(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Codec]:
    """Return what compiles the codec of a schema, once."""
    made: dict[Path, Codec] = {}

    def of(proto: Path) -> Codec:
        if proto not in made:
            made[proto] = compiled_codec(proto, tmp_path_factory.mktemp(proto.stem))
        return made[proto]

    return of


@pytest.fixture
def proto(tmp_path: Path) -> Callable[[str], Path]:
    """Return what writes a schema of proto3."""

    def of(text: str, name: str = "mine") -> Path:
        path = tmp_path / f"{name}.proto"
        path.write_text(
            text if text.startswith(("syntax", "edition")) else f'syntax = "proto3";\n{text}\n', encoding="utf-8"
        )
        return path

    return of
