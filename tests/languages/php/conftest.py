"""PHP for tests, as the tool finds it."""

from __future__ import annotations

import pytest
from support.perl import skip_if_missing

from ffibench.languages.php import LANGUAGE
from ffibench.model.runtime import Runtime


@pytest.fixture
def php() -> Runtime:
    (runtime,) = LANGUAGE.runtimes((), ())
    skip_if_missing(runtime)
    assert isinstance(runtime, Runtime)
    skip_if_missing(LANGUAGE.package(runtime, "FFI"))
    return runtime
