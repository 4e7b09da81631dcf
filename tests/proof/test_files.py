"""Which workers a file that changed makes invalid, and which it does not concern."""

from __future__ import annotations

from msgspec.structs import replace
from support.contestants import contestant

from ffibench.model import PlannedWorker, UsedFile
from ffibench.proof.files import changed_file

SHIM = "/cache/work.py"
WORKER = PlannedWorker(contestant=contestant("python/a"), role="worker", command=("python3", f"shim={SHIM}"))
BASELINE = PlannedWorker(contestant=contestant("c"), role="worker", command=("/cache/work_c",))
SAME = UsedFile(path=SHIM, sha256="1" * 64, after="1" * 64)
CHANGED = replace(SAME, after="2" * 64)
SAID = "used a file that was changed while the run went on: "


def test_a_file_that_its_command_names() -> None:
    assert changed_file(WORKER, [SAME, CHANGED]) == SAID + SHIM
    assert changed_file(BASELINE, [CHANGED]) is None


def test_what_lies_beside_it() -> None:
    beside = replace(CHANGED, path="/cache/build/_work.so", named=SHIM)
    assert changed_file(WORKER, [beside]) == f"{SAID}/cache/build/_work.so"


def test_one_that_stayed_or_is_gone() -> None:
    assert changed_file(WORKER, [SAME]) is None
    assert changed_file(WORKER, [replace(SAME, after=None)]) is None
