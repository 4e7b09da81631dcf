"""The JSON of a command's audit is what the documentation says, and can be read back."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest

from ffibench.audit.command import SCHEMA_VERSION, CommandAudit, CommandOptions, audit_command
from ffibench.audit.comparison import Comparison
from ffibench.audit.counting import CountedLibrary, FunctionCount
from ffibench.audit.series import Interval
from ffibench.audit.support import unsupported

PAGE = (Path(__file__).parents[2] / "docs/audit.md").read_text(encoding="utf-8")
JSON = PAGE.partition("### The JSON")[2].partition("\n### ")[0]


@pytest.mark.parametrize(
    ("described", "left_out"),
    [
        (CommandAudit, ()),
        (CountedLibrary, ()),
        (FunctionCount, ("sum", "wrong")),  # of the audit of an experiment
        (Interval, ()),
        (Comparison, ("pairs_asked",)),
    ],
)
def test_each_field_is_in_the_documentation(described: type[msgspec.Struct], left_out: tuple[str, ...]) -> None:
    for name in {*described.__struct_fields__} - {*left_out}:
        assert f"`{name}`" in JSON, f"{described.__name__}.{name}"
    assert f"Its `schema` is {SCHEMA_VERSION};" in JSON


@pytest.mark.skipif(unsupported(Path(sys.executable)) is not None, reason="programs cannot be counted here")
def test_what_is_written_can_be_read_back() -> None:
    options = CommandOptions(pairs=1, callers=True, every_seconds=0.1)
    audit = audit_command([sys.executable, "-I", "-c", "import math; math.fmod(5, 3)"], ["libm.so*"], options)
    assert audit.comparison is not None
    assert audit.intervals
    assert msgspec.json.decode(msgspec.json.encode(audit), type=CommandAudit) == audit
