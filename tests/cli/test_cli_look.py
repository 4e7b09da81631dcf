"""`list`, `doctor`, `build` and `source`: what is here, and what a contestant is made of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.command import Cli, assert_told


def test_list_is_one_line_an_experiment(cli: Cli) -> None:
    answer = cli("list")
    assert answer.returncode == 0
    lines = {line.split()[0]: line for line in answer.stdout.splitlines() if re.search(r"  \d+( of \d+)?$", line)}
    assert set(lines) == {"calls", "codec", "fanout", "weather", "xsub"}
    assert "send loop on a ZeroMQ PUB socket" in lines["xsub"]
    assert "`ffibench list xsub` shows its cases, parameters and contestants" in answer.stdout


def test_list_of_an_experiment_shows_cases_parameters_and_contestants(cli: Cli) -> None:
    answer = cli("list", "xsub")
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


def test_list_says_what_is_missing_and_the_command_that_installs_it(cli: Cli, tmp_path: Path) -> None:
    answer = cli("list", "xsub", PATH=str(tmp_path))
    assert answer.returncode == 0
    assert re.search(r"^perl/xs .* no \[\d+\]", answer.stdout, re.MULTILINE)
    assert "apt-get install gcc g++" in answer.stdout
    assert "apt-get install perl" in " ".join(answer.stdout.split())


def test_doctor_finds_all_well_where_a_run_would_be(cli: Cli) -> None:
    answer = cli("doctor")
    assert answer.returncode == 0
    for words in ("C compiler", "C++ compiler", "python ", "xsub library", "noise", "load", "perl"):
        assert words in answer.stdout
    assert re.search(r" /\S+/libzmq\S*\.so\S*$", answer.stdout, re.MULTILINE)  # whole, whatever its length
    assert answer.stdout.splitlines()[-1].startswith("A run would be whole.")


def test_doctor_names_the_command_for_each_thing_missing(cli: Cli, tmp_path: Path) -> None:
    answer = cli("doctor", PATH=str(tmp_path))
    assert answer.returncode == 1
    assert "apt-get install gcc g++" in answer.stdout
    assert "apt-get install perl" in answer.stdout
    missing = "C compiler, C++ compiler, calls library, codec library, fanout library"
    assert answer.stdout.splitlines()[-1] == f"5 things are missing: {missing}."
    assert "Traceback" not in answer.stderr


def test_source_shows_loop_shim_commands_and_versions(cli: Cli) -> None:
    answer = cli("source", "xsub", "python/pybind11")
    assert answer.returncode == 0
    for words in (
        *("def contestant(", "PYBIND11_MODULE(", "zmq_send", "-O3", "-Wall", "library  ", "sha256  "),
        *("python/pybind11", "CPython", "lock         GIL held during a call"),
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
        ("python/cffi-api", "ffi.set_source"),
        ("python/pyzmq", "send(message)"),
    ],
)
def test_source_of_every_kind_of_contestant(cli: Cli, contestant: str, words: str) -> None:
    answer = cli("source", "xsub", contestant)
    assert answer.returncode == 0, answer.stderr
    assert words in answer.stdout
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", answer.stdout)


def test_source_names_what_a_generator_wrote_and_prints_it_when_asked(cli: Cli) -> None:
    short, long = cli("source", "xsub", "python/cffi-api").stdout, cli("source", "xsub", "python/cffi-api", "-v").stdout
    made = re.search(
        r"^made from it: .*/_zmq_cffi_api\.c\n(?P<lines>[\d,]+) lines; --verbose prints them$", short, re.MULTILINE
    )
    assert made is not None
    assert len(short.splitlines()) < 300
    assert len(long.splitlines()) >= int(made["lines"].replace(",", ""))
    assert "_cffi_f_zmq_send" in long


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


def test_a_build_that_fails_is_told_once_with_its_cause(cli: Cli, tally: Path) -> None:
    header = tally / "tally.h"
    header.write_text(f"#ifdef __cplusplus\n#error no C++ here\n#endif\n{header.read_text(encoding='utf-8')}")
    answer = cli("build", str(tally), "-c", "python/pybind11*", "-c", "python/ctypes")
    assert answer.returncode == 1
    assert "python/ctypes" in answer.stdout
    assert answer.stderr.count("error: #error no C++ here") == 1
    assert "python/pybind11, python/pybind11~nogil take no part, since a build failed" in answer.stderr
    assert "run `ffibench build`" in answer.stderr
