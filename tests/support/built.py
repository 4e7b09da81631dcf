"""Shims built for tests, all that are asked for at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ffibench.builds.parallel import build_all
from ffibench.builds.project import Project
from ffibench.errors import FfibenchError


def built(projects: Mapping[str, Project]) -> dict[str, Path]:
    """The artifact of each project, by its name; one that does not build fails the test with all that was said."""
    outcomes = build_all(projects.values(), observe=lambda *_: None)
    found = {}
    for name, project in projects.items():
        outcome = outcomes[project.locate()]
        assert not isinstance(outcome, FfibenchError), f"{name}: {outcome}"
        found[name] = outcome
    return found
