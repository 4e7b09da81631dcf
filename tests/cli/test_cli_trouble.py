"""Every mistake that a user can make: one sentence, the fix, a non-zero status, no traceback."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from support.command import Cli, assert_told

USAGE = 2


def test_an_unknown_experiment_names_the_nearest(cli: Cli) -> None:
    assert_told(cli("run", "xsubb"), "xsubb", "did you mean xsub", "ffibench list")


def test_a_folder_without_an_experiment(cli: Cli, tmp_path: Path) -> None:
    assert_told(cli("run", str(tmp_path)), "no experiment.py", str(tmp_path))


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--iterations", "0"),
        ("--iterations", "-5"),
        ("--iterations", "1e30"),
        ("--iterations", "2.5"),
        ("--iterations", "many"),
        ("--rounds", "0"),
        ("--rounds", "1M"),
        ("--slices", "0"),
        ("--warmup", "-1"),
        ("--precision", "0"),
        ("--precision", "200%"),
        ("--rate", "0"),
        ("--timeout", "0"),
        ("--seed", "-1"),
        ("--set", "message"),
    ],
)
def test_counts_that_make_no_sense(cli: Cli, option: str, value: str) -> None:
    assert_told(cli("run", "xsub", option, value), option, status=USAGE)


def test_a_setting_that_the_experiment_has_not(cli: Cli) -> None:
    assert_told(cli("run", "xsub", "-c", "c", "--set", "mesage=hi"), "mesage", "did you mean message")


def test_a_setting_of_the_wrong_kind(cli: Cli, tally: Path) -> None:
    assert_told(cli("run", str(tally), "-c", "c", "--set", "size=big"), "size=big", "a whole number")
    assert_told(cli("run", str(tally), "-c", "c", "--set", "size=0"), "between 1 and 1000")


def test_a_message_that_is_too_long(cli: Cli) -> None:
    assert_told(cli("run", "xsub", "-c", "c", "--set", f"message={'x' * 100_001}"), "100,000 bytes")


BOTH = ["--with", "python=/one/python3", "--python", "/two/python3"]
TWICE = ["--with", "node=/one/node", "--with", "node=/two/node"]
PYTHONS = ["--with", "python=/one/python3", "--with", "python=/two/python3"]
PROGRAM = ["--library", "libz*", "--header", "zlib.h", "--from", "python/ctypes"]


@pytest.mark.parametrize(
    "words",
    [["run", "xsub"], ["list", "xsub"], ["audit", "xsub"], ["explain", "xsub"], ["explain", *PROGRAM]],
    ids=" ".join,
)
def test_no_program_of_a_language_is_passed_over(cli: Cli, words: list[str]) -> None:
    command = ["--", "true"] if "--from" in words else []
    assert_told(cli(*words, *TWICE, *command), "two programs of node, /one/node and /two/node; name one of them")
    assert_told(cli(*words, *PYTHONS, *command), "two programs of python", "; give --python for each of them")
    assert_told(cli(*words, *BOTH, *command), "/one/python3", "/two/python3", "; give --python for each of them")


def test_no_compiler(cli: Cli, tmp_path: Path) -> None:
    assert_told(cli("run", "xsub", PATH=str(tmp_path)), "no C compiler", "apt-get install gcc")


def test_a_compiler_that_does_not_work(cli: Cli) -> None:
    assert_told(cli("run", "xsub", CC="false"), "false", "apt-get install gcc")


def test_a_library_that_is_missing_or_another(cli: Cli, tmp_path: Path) -> None:
    assert_told(cli("run", "xsub", "--library", str(tmp_path / "libzmq.so")), "no library at")
    text = tmp_path / "notes.so"
    text.write_text("not a library", encoding="utf-8")
    assert_told(cli("run", "xsub", "--library", str(text)), "not a library that loads here")
    extension = next(Path(msgspec.__file__).parent.glob("_core*.so"))
    assert_told(cli("run", "xsub", "--library", str(extension)), "zmq_ctx_new")


def test_an_interpreter_that_is_none(cli: Cli, tmp_path: Path) -> None:
    assert_told(cli("run", "xsub", "--python", str(tmp_path / "python")), "no interpreter at")
    assert_told(cli("run", "xsub", "--python", "/bin/true"), "/bin/true is not a Python interpreter")


def test_an_ipc_path_that_is_too_long(cli: Cli, tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 100)
    deep.mkdir()
    assert_told(cli("run", "xsub", "-c", "c", TMPDIR=str(deep)), "107 bytes", "TMPDIR=/tmp")
    assert list(deep.iterdir()) == []


@pytest.mark.parametrize("option", ["--json", "--export-json", "--export-markdown"])
def test_a_file_that_cannot_be_written_is_told_before_the_first_round(cli: Cli, option: str, tmp_path: Path) -> None:
    answer = cli("run", "xsub", "-c", "c", option, str(tmp_path / "none" / "file"))
    assert_told(answer, "no folder", "mkdir -p")
    assert answer.stdout == ""
    assert_told(cli("run", "xsub", option, str(tmp_path)), "is a folder")


def test_a_file_that_is_no_run(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    assert_told(cli("show", str(file)), "cannot read")
    file.write_text("{}", encoding="utf-8")
    assert_told(cli("show", str(file)), "is not a run file")


def test_no_run_yet(cli: Cli, tmp_path: Path) -> None:
    assert_told(cli("show", XDG_DATA_HOME=str(tmp_path)), "no run was kept yet", "ffibench run xsub")


def test_an_experiment_that_cannot_be_read(cli: Cli, tally: Path) -> None:
    (tally / "experiment.py").write_text("EXPERIMENT = 1 / 0", encoding="utf-8")
    assert_told(cli("run", str(tally)), "ZeroDivisionError", "experiment.py")
    (tally / "experiment.py").write_text("", encoding="utf-8")
    assert_told(cli("run", str(tally)), "EXPERIMENT")


def test_an_experiment_without_its_parts(cli: Cli, tally: Path) -> None:
    (tally / "tally.h").rename(tally / "other.h")
    assert_told(cli("run", str(tally)), "no header tally.h")
    (tally / "other.h").rename(tally / "tally.h")
    (tally / "c.c").unlink()
    assert_told(cli("run", str(tally)), "no c.c", "baseline")


def test_a_header_that_cannot_be_read(cli: Cli, tally: Path) -> None:
    header = tally / "tally.h"
    good = header.read_text(encoding="utf-8")
    # The compiler knows this word, the reader of declarations does not.
    header.write_text(good.replace("#endif", "typeof(1) tally_other(void);\n#endif"), encoding="utf-8")
    answer = cli("run", str(tally), "-c", "python/ctypes", "--rounds", "1")
    assert answer.returncode == 1
    assert "tally.h:" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_kind_that_does_not_fit(cli: Cli, tally: Path) -> None:
    assert_told(cli("run", str(tally), "--kind", "tally_sum.bytes=scalar"), "tally_sum.bytes=scalar", "bytes or handle")
    assert_told(cli("run", str(tally), "--kind", "tally_sun.bytes=handle"), "tally_sun", "tally_sum")
