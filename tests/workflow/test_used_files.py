"""The promise: what workers run is looked at before the first and after the last, with what lies beside it."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.contestants import contestant, plan_of
from support.trees import plant

from ffibench.builds.checksums import write_checksums
from ffibench.model import LibraryIdentity, Plan, PlannedWorker
from ffibench.workflow.used_files import helpers_of, looked_at_again, used_files, worth_keeping

FILES = {
    "lib/libwork.so": "the library",
    "experiment/python.py": "from ._common import sends",
    "experiment/_common.py": "from ._deep import sends",
    "experiment/_deep.py": "sends = 1",
    "experiment/_unused.py": "",
    "experiment/c.c": "int main(void) {}",
    "shims/work/work.py": "from build._work import *",
    "shims/work/build/_work.so": "machine code",
    "shims/work/build/.ninja_deps": "when each was built",
}


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    """A baseline without files of its own, and a worker with a source and a shim, whose project has its checksums."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    write_checksums(tmp_path / "shims/work")
    words = (
        "python3",
        "-I",
        f"source={tmp_path}/experiment/python.py",
        f"shim={tmp_path}/shims/work/work.py",
        f"library={tmp_path}/lib/libwork.so",
    )
    baseline = PlannedWorker(contestant=contestant("c"), role="worker", command=("work",))
    worker = PlannedWorker(contestant=contestant("python/a"), role="worker", command=words)
    library = LibraryIdentity(path=f"{tmp_path}/lib/libwork.so", sha256=sha256(b"the library").hexdigest())
    return plan_of(baseline, worker, library=library)


def names(plan: Plan, tmp_path: Path) -> list[str]:
    """What is looked at, each with what names it."""
    return [
        f"{Path(each.path).relative_to(tmp_path)} of {Path(each.owner).relative_to(tmp_path)}"
        for each in used_files(plan)
    ]


def test_they_are_what_commands_name_and_what_lies_beside_it(plan: Plan, tmp_path: Path) -> None:
    assert names(plan, tmp_path) == [
        "experiment/python.py of experiment/python.py",
        "experiment/_common.py of experiment/python.py",
        "experiment/_deep.py of experiment/python.py",
        "shims/work/work.py of shims/work/work.py",
        "shims/work/build/_work.so of shims/work/work.py",
    ]


@pytest.mark.parametrize(
    ("source", "helpers"),
    [
        ("pypy.py", ["_common.py", "_deep.py", "python.py"]),
        ("python.py", ["_common.py", "_deep.py"]),
        ("deno.mjs", ["node.mjs"]),
        ("c.c", ["_words.h"]),
    ],
)
def test_a_source_has_the_helpers_that_it_names(source: str, helpers: list[str], tmp_path: Path) -> None:
    beside = {
        "pypy.py": '"""The loop of Python."""\nfrom .python import sends',
        "python.py": "from ._common import sends  # that of pypy too",
        "node.mjs": "export default 1;",
        "deno.mjs": 'export { default } from "./node.mjs";',
        "_words.h": "",
        "c.c": '#include "_words.h"',
    }
    common = {name: FILES[f"experiment/{name}"] for name in ("_common.py", "_deep.py", "_unused.py")}
    plant(tmp_path, {**common, **beside})
    assert sorted(path.name for path in helpers_of(tmp_path / source)) == helpers


def test_what_stays_as_it_was_is_kept_as_far_as_it_is_named(plan: Plan, tmp_path: Path) -> None:
    again = looked_at_again(used_files(plan))
    assert not any(each.changed for each in again)
    kept = [Path(each.path).name for each in worth_keeping(again)]
    assert kept == ["python.py", "work.py"]


UNUSED = {"experiment/c.c", "experiment/_unused.py", "lib/libwork.so", "shims/work/build/.ninja_deps"}


@pytest.mark.parametrize("name", sorted(FILES.keys() - UNUSED))
def test_each_of_them_is_seen_to_change(name: str, plan: Plan, tmp_path: Path) -> None:
    before = used_files(plan)
    (tmp_path / name).write_text("another", encoding="utf-8")
    kept = worth_keeping(looked_at_again(before))
    (changed,) = (each for each in kept if each.changed)
    assert changed.path == str(tmp_path / name)
    assert changed.after == sha256(b"another").hexdigest()


def test_a_shim_is_held_against_its_checksums_and_not_against_a_first_look(plan: Plan, tmp_path: Path) -> None:
    """What was built is what was checked when the run began."""
    (tmp_path / "shims/work/build/_work.so").write_text("changed before the look", encoding="utf-8")
    assert [each.path for each in looked_at_again(used_files(plan)) if each.changed] == [
        f"{tmp_path}/shims/work/build/_work.so"
    ]


def test_rewriting_the_checksums_too_hides_nothing(plan: Plan, tmp_path: Path) -> None:
    before = used_files(plan)
    (tmp_path / "shims/work/work.py").write_text("another", encoding="utf-8")
    write_checksums(tmp_path / "shims/work")
    assert any(each.changed for each in looked_at_again(before))


def test_a_file_that_is_gone_is_not_known_to_have_changed(plan: Plan, tmp_path: Path) -> None:
    before = used_files(plan)
    (tmp_path / "shims/work/work.py").unlink()
    (tmp_path / "shims/work/build/_work.so").unlink()
    again = worth_keeping(looked_at_again(before))
    gone, beside = (each for each in again if each.after is None)
    assert (beside.path, beside.changed) == (f"{tmp_path}/shims/work/build/_work.so", False)
    assert (gone.path, gone.changed) == (f"{tmp_path}/shims/work/work.py", False)


def test_what_is_no_file_is_none(plan: Plan, tmp_path: Path) -> None:
    words = ("/", "/dev/null", "/no/such/file", f"x={tmp_path}/experiment", "relative/path")
    nothing = replace(plan.workers[1], command=words)
    assert names(replace(plan, workers=(nothing,)), tmp_path) == []
