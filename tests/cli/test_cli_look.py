"""`list`, `doctor`, `build` and `source`: what is here, and what a contestant is made of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.command import Cli, assert_told


def test_list_shows_experiments_cases_and_contestants(cli: Cli) -> None:
    answer = cli("list")
    assert answer.returncode == 0
    assert "xsub: send loop" in answer.stdout
    assert "Case send: zmq_send of 5 bytes" in answer.stdout
    assert "--set message=ohhai" in answer.stdout
    rows = dict(re.findall(r"^(c|control|\S+/\S+) .*  (yes|no)\b", answer.stdout, re.MULTILINE))
    assert {"c", "control", "python/capi", "python/pyzmq", "perl/xs", "perl/platypus"} <= set(rows)
    assert rows["python/ctypes"] == "yes"


def test_list_takes_a_folder_of_ones_own(cli: Cli, tally: Path) -> None:
    answer = cli("list", str(tally))
    assert "tally: adding up bytes" in answer.stdout
    assert "Case none: tally_sum of nothing; 1,000 iterations a slice" in answer.stdout


def test_list_says_what_is_missing_and_the_command_that_mends_it(cli: Cli, tmp_path: Path) -> None:
    answer = cli("list", PATH=str(tmp_path))
    assert answer.returncode == 0
    assert re.search(r"^perl/xs .* no \[\d\]", answer.stdout, re.MULTILINE)
    assert "apt-get install gcc g++" in answer.stdout
    assert "apt-get install perl" in " ".join(answer.stdout.split())


def test_doctor_finds_all_well_where_a_run_would_be(cli: Cli) -> None:
    answer = cli("doctor")
    assert answer.returncode == 0
    for words in ("C compiler", "C++ compiler", "python ", "xsub library", "noise", "load", "perl"):
        assert words in answer.stdout
    assert "libzmq" in "".join(answer.stdout.split())  # a long path is folded, wherever the line ends


def test_doctor_names_the_command_for_each_thing_missing(cli: Cli, tmp_path: Path) -> None:
    answer = cli("doctor", PATH=str(tmp_path))
    assert answer.returncode == 1
    assert "apt-get install gcc g++" in answer.stdout
    assert "apt-get install perl" in answer.stdout
    assert "Traceback" not in answer.stderr


def test_source_shows_loop_shim_commands_and_versions(cli: Cli) -> None:
    answer = cli("source", "xsub", "python/pybind11")
    assert answer.returncode == 0
    for words in (
        *("def contestant(", "PYBIND11_MODULE(", "zmq_send", "-O3", "-Wall", "library  ", "sha256  "),
        *("python/pybind11", "CPython", "lock         GIL held"),
    ):
        assert words in answer.stdout
    assert "gil_scoped_release" in cli("source", "xsub", "python/pybind11~nogil").stdout


@pytest.mark.parametrize(
    ("contestant", "words"),
    [
        ("c", "int main("),
        ("control", "int main("),
        ("python/ctypes", "ctypes.CDLL"),
        ("python/ctypes-pydll", "ctypes.PyDLL"),
        ("python/cffi-abi", "ffi.dlopen"),
        ("python/cython", "cdef extern"),
        ("python/pyzmq", "send(message)"),
    ],
)
def test_source_of_every_kind_of_contestant(cli: Cli, contestant: str, words: str) -> None:
    answer = cli("source", "xsub", contestant)
    assert answer.returncode == 0, answer.stderr
    assert words in answer.stdout
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", answer.stdout)


def test_source_of_what_is_not_there(cli: Cli) -> None:
    assert_told(cli("source", "xsub", "python/nanobin"), "did you mean", "python/nanobind")


def test_build_names_every_artifact_and_force_makes_it_anew(cli: Cli) -> None:
    first = cli("build", "xsub", "-c", "python/capi")
    assert first.returncode == 0, first.stderr
    paths = dict(line.split(maxsplit=1) for line in first.stdout.splitlines())
    assert set(paths) == {"c", "control", "python/capi"}
    made = Path(paths["python/capi"]).stat().st_mtime_ns
    assert cli("build", "xsub", "-c", "python/capi").stdout == first.stdout
    assert Path(paths["python/capi"]).stat().st_mtime_ns == made
    assert cli("build", "xsub", "-c", "python/capi", "--force").returncode == 0
    assert Path(paths["python/capi"]).stat().st_mtime_ns > made
