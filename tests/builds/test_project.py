"""A project is built once for its key, whole or not at all, whatever else happens meanwhile."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.projects import FEW, text_project
from support.shim_fixtures import MakeProject

from ffibench.builds import project as projects
from ffibench.builds.command import BuildCancelled
from ffibench.builds.parallel import build_all
from ffibench.builds.project import BuildError, Project, build
from ffibench.builds.staging import exclusive_build
from ffibench.errors import FfibenchError

pytestmark = pytest.mark.usefixtures("private_cache")


def test_a_built_project_is_found_without_meson_or_rendering(
    make_project: MakeProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    artifact = build(make_project("capi", functions=FEW))

    def forbidden(*_: object) -> dict[str, str]:
        pytest.fail("a cached project is not built")

    monkeypatch.setattr(projects, "_meson", forbidden)
    again = replace(make_project("capi", functions=FEW), render=forbidden)
    assert build(again) == again.verify() == artifact


def test_where_a_project_lies_and_whether_it_is_whole_is_asked_without_making_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "none"))
    project = text_project()
    assert project.locate().parent == tmp_path / "none" / "ffibench" / "shims"
    assert project.verify() is None
    assert not (tmp_path / "none").exists()
    assert build(project) == project.verify() == project.locate() / "shim.py"


def test_nothing_is_taken_from_a_cache_that_others_may_write_to(private_cache: Path) -> None:
    build(text_project())
    private_cache.chmod(0o777)
    with pytest.raises(FfibenchError, match=f"others may write to {private_cache}, so that what is in it"):
        build(text_project())


def test_a_project_and_its_folders_are_private(private_cache: Path) -> None:
    folder = build(text_project()).parent
    assert [each.stat().st_mode & 0o777 for each in (folder, private_cache, private_cache.parent)] == [0o700] * 3


def test_force_builds_again() -> None:
    first = build(text_project("old"))
    assert build(text_project("unseen")).read_text() == "old"
    assert build(text_project("new"), force=True) == first
    assert first.read_text() == "new"
    assert [each.name for each in first.parent.parent.iterdir()] == [first.parent.name]


def test_a_folder_that_has_lost_its_artifact_is_built_again() -> None:
    artifact = build(text_project("old"))
    artifact.unlink()
    assert build(text_project("new")) == artifact
    assert artifact.read_text() == "new"


def test_projects_of_one_folder_are_built_once() -> None:
    rendered: list[None] = []
    project = text_project(render=lambda: rendered.append(None))
    outcomes = build_all([project, project], observe=lambda *_: None)
    assert len(rendered) == 1
    assert outcomes == {project.locate(): project.verify()}


@pytest.mark.parametrize(("force", "times"), [(False, 1), (True, 8)])
def test_builds_of_one_key_at_once_all_succeed_and_share_the_work(private_cache: Path, force: bool, times: int) -> None:
    rendered: list[int] = []
    together = threading.Barrier(8)

    def run(number: int) -> Path:
        together.wait(30)
        return build(text_project(str(number), render=lambda: rendered.append(number)), force=force)

    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(run, range(8)))
    (artifact,) = found
    assert len(rendered) == times
    assert artifact.read_text() == str(rendered[-1])
    assert [each.name for each in private_cache.iterdir()] == [artifact.parent.name]


def test_who_waits_for_another_build_can_give_up() -> None:
    cancelled = threading.Event()

    def interrupt() -> None:
        with pytest.raises(BuildCancelled):
            build(text_project(), cancelled=cancelled)

    with ThreadPoolExecutor(1) as pool, exclusive_build(text_project().locate().name, threading.Event()):
        waiting = pool.submit(interrupt)
        assert not waiting.done()
        cancelled.set()
        waiting.result(timeout=30)
    assert build(text_project()).is_file()


def needy(name: str, needed: Project, seen: list[str]) -> Project:
    """A project that writes down what lay in the folder of the one that it needs."""

    def files() -> dict[str, str]:
        seen.append((needed.locate() / needed.artifact).read_text())
        return {"shim.py": ""}

    return Project(name=name, inputs=(name,), artifact="shim.py", compiled=False, render=files, needs=(needed,))


def test_what_a_project_needs_is_built_before_it_and_once_for_all() -> None:
    rendered: list[None] = []
    seen: list[str] = []
    core = text_project("core", render=lambda: rendered.append(None))
    asked = [needy(name, core, seen) for name in ("one", "two", "three")]
    outcomes = build_all(asked, observe=lambda *_: None)
    assert (len(rendered), seen) == (1, ["core"] * 3)
    assert set(outcomes) == {core.locate(), *(each.locate() for each in asked)}
    build(needy("four", core, seen))
    assert (len(rendered), seen) == (1, ["core"] * 4)


def test_a_need_that_fails_is_why_the_others_fail_and_is_tried_once() -> None:
    tried: list[None] = []

    def broken() -> dict[str, str]:
        tried.append(None)
        return {"meson.build": "project("}

    core = Project(name="core", inputs=("core",), artifact="outcome", compiled=True, render=broken)
    asked = [needy(name, core, []) for name in ("one", "two")]
    outcomes = build_all(asked, observe=lambda *_: None)
    assert len(tried) == 1
    assert isinstance(outcomes[core.locate()], BuildError)
    assert [outcomes[each.locate()] for each in asked] == [outcomes[core.locate()]] * 2
