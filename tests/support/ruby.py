"""The ruby of this machine, for the tests that need one."""

from __future__ import annotations

import pytest

from ffibench.languages.ruby import LANGUAGE
from ffibench.model.runtime import Missing, Runtime


def skip_if_missing(found: object) -> None:
    """Skip the test with the sentence that a user would be told."""
    if isinstance(found, Missing):
        pytest.skip(f"{found.reason}; {found.fix}")


def ruby_or_skip() -> Runtime:
    """Return ruby as the tool finds it."""
    (runtime,) = LANGUAGE.runtimes((), ())
    skip_if_missing(runtime)
    assert isinstance(runtime, Runtime)
    return runtime
