"""The weather station's contestants, built once, and the parts that they play."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from support.teams import Part
from support.weather import SLICES, VALUES, WARMUP, Play

from ffibench.catalog import candidates
from ffibench.languages import languages
from ffibench.model import Case
from ffibench.plan.options import ContestantOptions
from ffibench.workflow.prepare import Prepared, prepare


@pytest.fixture(scope="session")
def weather(private_folders: None) -> Prepared:
    """The experiment with all that this machine can run of it, built."""
    return prepare("weather", ContestantOptions())


@pytest.fixture
def part(weather: Prepared) -> Play:
    """How a contestant plays a case; skips the test where it is not here."""

    def find(name: str, case: Case, environment: Mapping[str, str] | None = None, **changes: object) -> Part:
        commands = {
            candidate.contestant.name: languages()[candidate.contestant.language].command(
                candidate.runtime, candidate.source.path, artifact
            )
            for candidate, artifact in weather.chosen
            if candidate.runtime is not None
        }
        if name not in commands:
            (candidate,) = (each for each in candidates(weather.folder) if each.contestant.name == name)
            assert candidate.missing is not None, [str(each.error) for each in weather.failures]
            pytest.skip(f"{candidate.missing.reason}; {candidate.missing.fix}")
        options = {
            "experiment": "weather",
            "binding": name.rpartition("/")[2],
            "role": case.role,
            "cases": f"{case.name}:{case.iterations}",
            "slices": SLICES,
            "warmup": WARMUP,
            "peers": 0,
            "library": weather.library.path,
            **VALUES,
            **changes,
        }
        return Part(command=commands[name], options=options, environment=environment or {})

    return find
