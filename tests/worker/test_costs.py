"""The promise: a worker that is asked for it says what the start of its binding cost, and of nothing but that."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.kit import KIT, Serve

from ffibench.worker.costs import Compiled, memory

SENDING = """
def contestant(native, options):
    def run(iterations):
        print("run", iterations, file=__import__("sys").stderr)
        {call}
        return {{"sends": iterations}}

    yield Work(cases={{"send": Loops(run, lambda iterations: None{more})}})
"""
MIB = 1 << 20


def sending(call: str = "", more: str = "") -> str:
    return SENDING.format(call=call, more=more)


def shim(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "native.py"
    file.write_text(text, encoding="utf-8")
    return file


def costs(answer: Any) -> dict[str, int]:  # noqa: ANN401
    assert answer.status == 0, answer.errors
    found: dict[str, int] = answer.lines[0]["ready"]["costs"]
    return found


def test_nothing_is_measured_that_nobody_asked_for(serve: Serve, tmp_path: Path) -> None:
    answer = serve(sending(), shim=shim(tmp_path, ""))
    assert answer.lines[0] == {"ready": {"library": ""}}
    assert answer.errors.splitlines() == ["run 10"] * 3


def test_the_import_and_the_first_call_are_timed_apart(serve: Serve, tmp_path: Path) -> None:
    native = shim(tmp_path, "import time\ntime.sleep(0.2)\n")
    found = costs(serve(sending("__import__('time').sleep(0.1)"), shim=native, costs="call", slices=1))
    assert found["import_ns"] >= 200e6
    assert found["first_call_ns"] >= found["import_ns"] + 100e6


def test_the_contestants_own_file_is_not_the_bindings(serve: Serve, tmp_path: Path) -> None:
    source = f"import time\ntime.sleep(0.3)\n{sending()}"
    found = costs(serve(source, shim=shim(tmp_path, ""), costs="call"))
    assert found["first_call_ns"] < 300e6


def test_its_set_up_is_part_of_the_time_to_the_first_call(serve: Serve, tmp_path: Path) -> None:
    source = sending().replace("    def run", "    __import__('time').sleep(0.2)\n    def run", 1)
    found = costs(serve(source, shim=shim(tmp_path, ""), costs="call"))
    assert found["first_call_ns"] >= 200e6 > found["import_ns"]


def test_a_file_that_imports_its_binding_itself_is_that_import(serve: Serve) -> None:
    found = costs(serve(f"import time\ntime.sleep(0.2)\n{sending()}", costs="import"))
    assert found["import_ns"] >= 200e6
    assert "first_call_ns" not in found


def test_one_operation_is_done_before_it_is_ready(serve: Serve, tmp_path: Path) -> None:
    answer = serve(sending(), words="stop\n", shim=shim(tmp_path, ""), costs="call")
    assert answer.errors.splitlines()[0] == "run 1"
    assert [list(line) for line in answer.lines] == [["ready"]]


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(sending(more=", before=lambda iterations: None"), id="a loop that waits for a peer"),
        pytest.param("def contestant(native, options):\n    yield Work(cases={'send': 'no'})\n", id="a case it lacks"),
        pytest.param("def contestant(native, options):\n    yield Work(cases={})\n", id="no case"),
    ],
)
def test_what_cannot_be_called_alone_has_no_first_call(serve: Serve, tmp_path: Path, source: str) -> None:
    assert set(costs(serve(source, shim=shim(tmp_path, ""), costs="call"))) == {"import_ns", "rss_bytes", "pss_bytes"}


def test_memory_is_what_the_import_added(serve: Serve, tmp_path: Path) -> None:
    """The proportional size falls where another process begins to share a page of Python's own."""
    big = costs(serve(sending(), shim=shim(tmp_path, f"data = b'x' * {32 * MIB}\n"), costs="import"))
    small = costs(serve(sending(), shim=shim(tmp_path, "data = b'x'\n"), costs="import"))
    for name, less in (("rss_bytes", 0), ("pss_bytes", MIB)):
        assert 32 * MIB - less <= big[name] < 34 * MIB
        assert -less <= small[name] < MIB


def test_memory_is_read_in_bytes() -> None:
    found = memory()
    assert MIB < found["pss_bytes"] <= found["rss_bytes"]


def test_a_source_is_compiled_before_the_clock_runs(tmp_path: Path) -> None:
    file = shim(tmp_path, "value = 1\n")
    loader = Compiled("native", str(file))
    file.write_text("this is no Python", encoding="utf-8")
    names: dict[str, object] = {}
    exec(loader.get_code("native"), names)
    assert names["value"] == 1


def test_a_worker_that_is_not_asked_does_not_load_it(tmp_path: Path) -> None:
    source = tmp_path / "mine.py"
    source.write_text("import sys\nassert 'ffibench.worker.costs' not in sys.modules\n", encoding="utf-8")
    command = [sys.executable, "-I", str(KIT), f"source={source}"]
    answer = subprocess.run(command, input="", capture_output=True, text=True, check=False)
    assert "has no attribute 'contestant'" in answer.stderr
