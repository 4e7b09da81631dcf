"""The promise: whatever bytes a codec is given, it refuses them or they are a message, and it harms nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.fanout import unsanitized
from support.schema_fuzz import SANITIZER, examine, fuzz
from support.schemas import EVERY, NASTY, SUITES, Codec

from ffibench.schema.render import include_folder

SANITIZED = (NASTY / "nasty.proto", NASTY / "words.proto", SUITES / "complex.proto", SUITES / "array_string.proto")
SEED = 1


@pytest.fixture
def sanitizer(tmp_path: Path) -> None:
    missing = unsanitized(tmp_path, SANITIZER)
    if missing is not None:
        pytest.skip(missing)


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)
def test_what_is_cut_or_changed_is_refused_or_another_message(codec: Callable[[Path], Codec], path: Path) -> None:
    assert fuzz(codec(path), SEED) > 0


@pytest.mark.usefixtures("sanitizer")
@pytest.mark.parametrize("path", SANITIZED, ids=lambda path: path.stem)
def test_the_sanitizers_find_nothing(tmp_path: Path, path: Path) -> None:
    assert examine(path, tmp_path, SEED) is None


SEEDS = {
    "an array that is filled past its room": "if (count > column->left)",
    "a message that is read past its end": "if (in->left < sizeof *value)",
}


@pytest.mark.usefixtures("sanitizer")
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_wrong_is_found(tmp_path: Path, seed: str) -> None:
    text = (include_folder() / "runtime.h").read_text(encoding="utf-8")
    assert SEEDS[seed] in text
    text = text.replace(SEEDS[seed], "if (false)")
    text = text.replace('"../lib', f'"{include_folder().parent}/lib')
    (tmp_path / "runtime.h").write_text(text, encoding="utf-8")
    finding = examine(SUITES / "array_int.proto", tmp_path, SEED, include=[tmp_path])
    assert finding is not None
    assert "heap-buffer-overflow" in finding
