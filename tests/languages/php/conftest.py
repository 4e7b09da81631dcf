"""PHP for tests, as the tool finds it."""

from __future__ import annotations

import pytest
from support.anywhere import runtime_or_skip, skip_if_missing

from ffibench.languages.php import LANGUAGE
from ffibench.model.runtime import Runtime


@pytest.fixture
def php() -> Runtime:
    runtime = runtime_or_skip("php")
    skip_if_missing(LANGUAGE.package(runtime, "FFI"))
    return runtime
