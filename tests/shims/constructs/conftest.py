"""The bindings that render what a test needs: each `technology.toml` says so by its kinds."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

import pytest
from support.shim_fixtures import BINDINGS

KINDS = "array cell struct struct_pointer owned handle".split()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test marked `kinds("cell")` with `shim`, the module of each binding whose technology renders them all."""
    if "shim" in metafunc.fixturenames:
        marker = metafunc.definition.get_closest_marker("kinds")
        assert marker is not None, "say which kinds the test needs"
        needed = set(marker.args)
        assert needed <= set(KINDS)
        metafunc.parametrize(
            "shim", sorted(n for n, (t, _) in BINDINGS.items() if needed <= set(t.kinds)), indirect=True
        )


@pytest.fixture
def shim(request: pytest.FixtureRequest, constructs_modules: Mapping[str, ModuleType]) -> ModuleType:
    """The module of one binding after the other."""
    return constructs_modules[str(request.param)]
