"""The promise: the Python kit keeps the worker contract, and a contestant that fails is a worker that fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.kit import Serve

from ffibench.worker.contract import planned_cases

PLAIN = """
def contestant(native, options):
    def run(iterations):
        return {"sends": iterations}

    def empty(iterations):
        pass

    yield Work(cases={"send": Loops(run, empty)}, library_version="4.3.5")
"""


def test_a_contestant_that_keeps_to_the_contract(serve: Serve) -> None:
    answer = serve(PLAIN)
    assert (answer.status, answer.errors) == (0, "")
    assert answer.lines[0] == {"ready": {"library": "4.3.5"}}
    assert [(line["case"], line["kind"], line["slice"], line.get("receipt")) for line in answer.lines[1:]] == [
        ("send", "warmup", 0, {"sends": 10}),
        ("send", "timed", 0, {"sends": 10}),
        ("send", "timed", 1, {"sends": 10}),
        ("send", "empty", 0, None),
        ("send", "empty", 1, None),
    ]
    assert all(line["wall_ns"] > 0 and line["cpu_ns"] >= 0 for line in answer.lines[1:])


def test_no_warm_up_where_none_is_asked(serve: Serve) -> None:
    kinds = [line["kind"] for line in serve(PLAIN, warmup=0, slices=1).lines[1:]]
    assert kinds == ["timed", "empty"]


def test_the_loops_get_the_iterations_of_their_case(serve: Serve) -> None:
    source = """
    def contestant(native, options):
        def loops(name):
            calls = []
            return Loops(lambda n: calls.append(n) or {name: n, "calls": len(calls)}, calls.append)

        yield Work(cases={name: loops(name) for name in ("send", "a:b", "never")})
    """
    answer = serve(source, cases="a:b:7,send:50000", slices=1)
    assert [line.get("receipt") for line in answer.lines[1:]] == [
        {"a:b": 7, "calls": 1},
        {"a:b": 7, "calls": 2},
        None,
        {"send": 50_000, "calls": 1},
        {"send": 50_000, "calls": 2},
        None,
    ]


def test_a_case_that_a_contestant_cannot_run(serve: Serve) -> None:
    source = """
    def contestant(native, options):
        loops = Loops(lambda n: {}, lambda n: None)
        yield Work(cases={"send": loops, "by-value": "no structs here"})
    """
    answer = serve(source, cases="by-value:10,unheard-of:10,send:10", slices=1, warmup=0)
    assert answer.status == 0
    assert answer.lines[1:3] == [
        {"case": "by-value", "unsupported": "no structs here"},
        {"case": "unheard-of", "unsupported": "mine has no case unheard-of"},
    ]
    assert [line["kind"] for line in answer.lines[3:]] == ["timed", "empty"]


def test_a_contestant_gets_its_options_and_its_shim(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "shim.py").write_text("number = 42\n", encoding="utf-8")
    source = """
    def contestant(native, options):
        receipt = {"number": native.number, "message": options["message"], "endpoint": options["endpoint"]}
        yield Work(cases={"send": Loops(lambda n: receipt, lambda n: None)})
    """
    answer = serve(source, shim=tmp_path / "shim.py", message="a=b c", endpoint="ipc:///tmp/x")
    assert answer.lines[1]["receipt"] == {"number": 42, "message": "a=b c", "endpoint": "ipc:///tmp/x"}


def test_its_native_functions_are_those_of_the_shim(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "shim.py").write_text("number = 42\n", encoding="utf-8")
    source = """
    def contestant(native, options):
        yield Work(cases={"send": Loops(lambda n: {"number": native.number}, lambda n: None)})
    """
    assert serve(source, shim=tmp_path / "shim.py").lines[1]["receipt"] == {"number": 42}


def test_without_a_shim_there_is_nothing_native(serve: Serve) -> None:
    source = """
    def contestant(native, options):
        yield Work(cases={"send": Loops(lambda n: {"native": str(native)}, lambda n: None)})
    """
    assert serve(source).lines[1]["receipt"] == {"native": "None"}


@pytest.mark.parametrize(("where", "printed"), [("setup", 0), ("run", 1), ("empty", 4), ("teardown", 6)], ids=str)
def test_a_contestant_that_fails(where: str, printed: int, serve: Serve) -> None:
    """Its last words are the last line of its errors, which the harness shows."""
    source = f"""
    def fail(place):
        if place == {where!r}:
            raise OSError("zmq_send did not take the whole message")

    def contestant(native, options):
        fail("setup")
        yield Work(cases={{"send": Loops(lambda n: fail("run") or {{}}, lambda n: fail("empty"))}})
        fail("teardown")
    """
    answer = serve(source)
    assert answer.status == 1
    assert len(answer.lines) == printed
    assert answer.errors.splitlines()[-1] == "OSError: zmq_send did not take the whole message"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import not_there", "ModuleNotFoundError: No module named 'not_there'"),
        ("def contestant(:", "SyntaxError"),
        ("", "no attribute 'contestant'"),
    ],
)
def test_a_source_that_is_none(source: str, words: str, serve: Serve) -> None:
    answer = serve(source)
    assert (answer.status, answer.lines) == (1, [])
    assert words in answer.errors.splitlines()[-1]


@pytest.mark.parametrize("words", ["", "stop\n", "go"], ids=["closed", "other words", "half a line"])
def test_nothing_runs_before_go(words: str, serve: Serve) -> None:
    answer = serve(PLAIN, words)
    assert answer.status == 1
    assert [list(line) for line in answer.lines] == [["ready"]]
    assert answer.errors == "ffibench worker: expected go on standard input\n"


def test_it_tears_down_when_standard_input_has_closed_and_not_before(serve: Serve, tmp_path: Path) -> None:
    """By then there is nothing left to read, which is how a contestant can tell."""
    source = f"""
    import sys
    from pathlib import Path

    def contestant(native, options):
        yield Work(cases={{"send": Loops(lambda n: {{}}, lambda n: None)}})
        Path({str(tmp_path / "left")!r}).write_text(sys.stdin.read())
    """
    assert serve(source, "go\nand words that nobody asked for\n").status == 0
    assert (tmp_path / "left").read_text() == ""


def test_clocks_are_right_around_the_loop(serve: Serve) -> None:
    """What a loop waits for is in its wall time, what it computes in both, and its receipt in neither."""
    source = """
    import time

    def contestant(native, options):
        def wait(iterations):
            time.sleep(0.05)
            return {}

        def work(iterations):
            until = time.process_time_ns() + 50_000_000
            while time.process_time_ns() < until:
                pass
            return {}

        idle = lambda iterations: None
        yield Work(cases={"wait": Loops(wait, idle), "work": Loops(work, idle)})
    """
    lines = serve(source, cases="wait:1,work:1", slices=1, warmup=0).lines[1:]
    wait, _, work, _ = lines
    assert wait["wall_ns"] >= 50_000_000
    assert wait["cpu_ns"] < wait["wall_ns"]
    assert work["cpu_ns"] >= 50_000_000


SHOW_MODULES = """
import sys

def contestant(native, options):
    receipt = {name: str(getattr(module, "__file__", "")) for name, module in sys.modules.items()}
    receipt["path"] = ":".join(sys.path)
    yield Work(cases={"send": Loops(lambda n: receipt, lambda n: None)})
"""


def test_it_imports_the_standard_library_and_itself_alone(serve: Serve) -> None:
    bare = subprocess.run(
        [sys.executable, "-I", "-c", "import sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    receipt = serve(SHOW_MODULES, slices=1, warmup=0).lines[1]["receipt"]
    del receipt["path"]
    imported = {name: file for name, file in receipt.items() if name not in bare.stdout.split()}
    ours = {name for name in imported if name.partition(".")[0] == "ffibench"}
    assert ours == {"ffibench.worker", "ffibench.worker.contract", "ffibench.worker.load"}
    rest = {name.partition(".")[0] for name in imported} - {"ffibench", "ffibench_experiment"}
    assert rest <= set(sys.stdlib_module_names)
    # Each of these costs a start more than all that is imported now.
    assert not rest & {"asyncio", "inspect", "logging", "dataclasses", "subprocess", "importlib.metadata"}


def test_neither_the_folder_nor_the_environment_leaks_into_it(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A `json.py` beside the source, or on the user's PYTHONPATH, must not be what a worker imports."""
    (tmp_path / "json.py").write_text("raise RuntimeError('this is not the json of the standard library')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PYTHONSTARTUP", str(tmp_path / "json.py"))
    answer = serve(SHOW_MODULES, slices=1, warmup=0)
    assert answer.status == 0
    assert str(tmp_path) not in answer.lines[1]["receipt"]["path"].split(":")


def test_cases_are_read() -> None:
    assert list(planned_cases("send:50000")) == [("send", 50_000)]
    assert list(planned_cases("a:b:1,c d:2")) == [("a:b", 1), ("c d", 2)]
