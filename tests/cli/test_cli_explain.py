"""`ffibench explain`, as a user has it: the parts are named and add up, of an experiment and of a program."""

from __future__ import annotations

import ctypes.util
import json
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli, assert_told
from support.compiled import compiled

PROGRAM = """
import ctypes
z = ctypes.CDLL("libz.so.1")
z.crc32.argtypes = (ctypes.c_ulong, ctypes.c_char_p, ctypes.c_uint)
z.crc32.restype = ctypes.c_ulong
z.zError.restype = ctypes.c_char_p
print("result", z.crc32(0, b"ohhai", 5))
for _ in range(999):
    z.crc32(0, b"ohhai", 5)
z.zError(0)
raise SystemExit(3)
"""


def added_up(one: dict[str, Any]) -> float:
    total: float = sum(part["price"]["ns"] for part in one["parts"])
    return total


def test_an_experiment_is_explained_part_by_part(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "parts.json"
    answer = cli("explain", "xsub", "python/cffi-api", "python/py[bz]*", "--rounds", "2", "--json", str(file))
    assert answer.returncode == 0, answer.stderr
    found = json.loads(file.read_text())
    assert found["rounds"] == 2
    by_name = {each["contestant"]: each for each in found["explained"]}
    left = {each["contestant"]: each["reason"] for each in found["unexplained"]}
    # A host that is busy may make a row invalid, which then says so; who has a file of its own never has parts.
    assert set(by_name) | set(left) == {
        *("python/cffi-api", "python/pybind11", "python/pybind11~nogil", "python/pyzmq", "python/pyzmq-raw")
    }
    assert "its own way" in left["python/pyzmq"]
    assert by_name, left
    for name, one in by_name.items():
        kinds = [part["kind"] for part in one["parts"]]
        lock = [] if name == "python/pybind11" else ["lock"]
        assert kinds == ["loop", "call", "argument", "argument", "argument", "result", "together", *lock, "native"]
        assert [part["name"] for part in one["parts"] if part["kind"] == "argument"] == ["socket", "buf", "len"]
        assert one["predicted_ns"] == pytest.approx(added_up(one))
        assert one["difference"] == pytest.approx(one["predicted_ns"] / one["measured"]["ns"] - 1)
        assert name in answer.stdout
    assert "predicted" in answer.stdout


def test_a_header_with_calls_is_explained_too(cli: Cli, tmp_path: Path) -> None:
    if ctypes.util.find_library("m") is None or not Path("/usr/include/math.h").exists():
        pytest.skip("math.h is not installed; apt-get install libc6-dev")
    file = tmp_path / "parts.json"
    calls = ("--call", "fmod(10.5, 3.5)", "--library", "libm.so.6")
    answer = cli("explain", "math.h", "python/capi", *calls, "--rounds", "1", "--json", str(file))
    assert answer.returncode == 0, answer.stderr
    found = json.loads(file.read_text())
    for one in found["explained"]:
        assert [part["what"] for part in one["parts"]][1:-1] == [
            *("call, 2 ints", "double", "double", "double", "all of these together")
        ]
        assert one["predicted_ns"] == pytest.approx(added_up(one))
    assert found["explained"] or found["unexplained"]


def test_calls_back_from_c_are_a_part(cli: Cli, tmp_path: Path) -> None:
    header, file = tmp_path / "back.h", tmp_path / "parts.json"
    header.write_text("int thrice(int (*visit)(void *data, int number), void *data);\n", encoding="utf-8")
    source = "int thrice(int (*f)(void *, int), void *d) { return f(d, 1000) + f(d, 2000) + f(d, 3000); }\n"
    library = compiled(tmp_path / "libback.so", source, "-shared", "-fPIC")
    calls = ("--call", "thrice(callback(1), NULL)", "--library", str(library))
    answer = cli("explain", str(header), "python/ctypes", *calls, "--rounds", "1", "--json", str(file))
    assert answer.returncode == 0, answer.stderr
    (one,) = json.loads(file.read_text())["explained"]
    assert [(part["kind"], part["what"], part["name"]) for part in one["parts"]][2:4] == [
        ("argument", "callback", "visit"),
        ("callback", "3 x called back", "visit"),
    ]
    assert one["missing"] == []
    assert one["predicted_ns"] == pytest.approx(added_up(one))


def test_a_program_keeps_its_output_and_status_and_its_calls_are_priced(cli: Cli, tmp_path: Path) -> None:
    if not Path("/usr/include/zlib.h").exists():
        pytest.skip("zlib.h is not installed; apt-get install zlib1g-dev")
    program, file = tmp_path / "app.py", tmp_path / "cost.json"
    program.write_text(PROGRAM)
    counted = ("--library", "libz.so*", "--header", "zlib.h", "--from", "python/ctypes", "-c", "python/capi")
    short = ("--runs", "1", "--rounds", "1", "--json", str(file))
    answer = cli("explain", *counted, *short, "--", sys.executable, str(program))
    assert answer.returncode == 3, answer.stderr
    assert answer.stdout == f"result {zlib.crc32(b'ohhai')}\n"  # that of the first run
    found = json.loads(file.read_text())
    calls = {each["name"]: each["calls"] for each in found["functions"]}
    assert calls["crc32"] == 1000
    assert calls["zError"] == 1
    assert [each["contestant"] for each in found["bindings"]] == ["python/ctypes", "python/capi"]
    own, other = found["bindings"]
    paid = [each for each in found["functions"] if each["price"] is not None]
    assert own["seconds"] == pytest.approx(sum(each["calls"] * each["price"]["ns"] for each in paid) / 1e9)
    if other["seconds"] is not None:
        assert other["saved_seconds"] == pytest.approx(own["seconds"] - other["seconds"])
    assert any("ffi" in name for name in found["callers"])


def test_mistakes_are_told(cli: Cli, tmp_path: Path) -> None:
    assert_told(cli("explain"), "neither an experiment is named", "ffibench explain xsub", status=2)
    assert_told(cli("explain", "xsub", "--", "true"), "'xsub' stands before --", status=2)
    assert_told(cli("explain", "--", "true"), "--library is missing", "--header zlib.h", status=2)
    assert_told(cli("explain", "xsub", "--from", "python/ctypes"), "--from is for a command", status=2)
    counted = ("--library", "libz*", "--header", "zlib.h")
    assert_told(cli("explain", *counted, "--from", "python/ctipes", "--", "true"), "no binding", "python/ctypes")
    several = ("--python", sys.executable, "--python", sys.executable)
    assert_told(cli("explain", "xsub", *several), "--python is there more than once", "one interpreter")
    assert_told(
        cli("explain", "xsub", "python/capi", "--case", "sent"),
        "--case sent: xsub has no such case (did you mean send?)",
    )
    assert_told(cli("explain", "weather"), "several processes that wait", "one process")
    assert_told(cli("explain", "fanout"), "several threads", "one process")
    assert_told(cli("explain", "xsub", "python/pyzmq"), "calls the library in its own way", "ffibench list xsub")
    if Path("/usr/include/zlib.h").exists():
        own = (*counted, "--from", "python/ctypes", "--runs", "1")
        assert_told(cli("explain", *own, "--", sys.executable, "-c", ""), "made no calls into libz*", "ffibench audit")
        app = tmp_path / "app.py"
        app.write_text('import ctypes; ctypes.CDLL("libz.so.1").zlibVersion()')
        elsewhere = ("--caller", "libnowhere*", "--", sys.executable, str(app))
        assert_told(cli("explain", *own, *elsewhere), "no caller is called libnowhere*", "name one of these")
