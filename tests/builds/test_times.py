"""The promise: how long a build took is kept with what it made, and said where somebody asks; never guessed."""

from __future__ import annotations

import pytest
from support.projects import meson_project, text_project

from ffibench.builds.checksums import find_damage, recorded_checksums
from ffibench.builds.project import build, project_files
from ffibench.builds.times import TIMES, BuildTimes, recorded_times, write_times

pytestmark = pytest.mark.usefixtures("private_cache")

SLOW = """project('slow')
custom_target('made', output: 'outcome', build_by_default: true,
  command: ['sh', '-c', 'sleep 0.4; touch "$1"', 'sh', '@OUTPUT@'])
"""


def test_a_build_keeps_its_times_under_its_checksums() -> None:
    project = meson_project("slow", meson_build=SLOW)
    artifact = build(project)
    times = recorded_times(project.locate())
    assert times is not None
    assert 0.4 <= times.compile_seconds < 60
    assert times.configure_seconds > 0
    assert project.locate() / TIMES in recorded_checksums(artifact)
    assert TIMES not in {path.name for path in project_files(project.locate())}


def test_a_forced_build_records_its_own() -> None:
    project = meson_project("slow", meson_build=SLOW)
    build(project)
    write_times(project.locate(), BuildTimes(configure_seconds=0.0, compile_seconds=0.0))
    build(project, force=True)
    times = recorded_times(project.locate())
    assert times is not None
    assert times.compile_seconds >= 0.4


def test_what_is_only_rendered_has_none() -> None:
    project = text_project()
    build(project)
    assert recorded_times(project.locate()) is None
    assert find_damage(project.locate()) is None


@pytest.mark.parametrize("text", ["", "no JSON", "{}", '{"compile_seconds": "long", "configure_seconds": 1}'])
def test_what_says_no_times_is_no_record(text: str) -> None:
    project = text_project()
    folder = build(project).parent
    (folder / TIMES).write_text(text, encoding="utf-8")
    assert recorded_times(folder) is None
