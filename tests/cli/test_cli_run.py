"""`ffibench run`: real shims, real libzmq, small counts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support.command import Cli, assert_told

SMALL = ("--iterations", "2k", "--rounds", "2", "--slices", "2")
PYTHON_ROWS = {
    *("python/ctypes", "python/ctypes-pydll", "python/cffi-abi", "python/cffi-api", "python/capi"),
    *("python/pybind11", "python/nanobind", "python/cython", "python/pyzmq", "python/pyzmq-raw"),
    *("python/pybind11~nogil", "python/nanobind~nogil", "python/cython~nogil", "python/capi~nogil"),
}


@pytest.fixture(scope="module")
def run_file(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One small run of all contestants, which several tests look at."""
    file = tmp_path_factory.mktemp("run") / "xsub.json"
    answer = cli("run", "xsub", *SMALL, "--rounds", "6", "--seed", "7", "--json", str(file))
    assert answer.returncode == 0, answer.stderr
    (file.parent / "table.txt").write_text(answer.stdout, encoding="utf-8")
    return file


def test_every_contestant_is_valid_on_one_library(run_file: Path) -> None:
    run = json.loads(run_file.read_text(encoding="utf-8"))
    rows = {row["contestant"]: row for row in run["summary"]}
    assert set(rows) >= {"c", "control", *PYTHON_ROWS}
    assert all(row["valid"] and row["reason"] is None for row in rows.values())
    assert all(row["iterations"] == 2000 for row in rows.values())
    records = [record for each in run["rounds"] for record in each["records"]]
    hashes = {library["sha256"] for record in records for library in record["libraries"]}
    assert hashes == {run["plan"]["library"]["sha256"]}
    assert all(record["libraries"] for record in records)


def test_the_blocks_part_what_holds_the_gil(run_file: Path) -> None:
    run = json.loads(run_file.read_text(encoding="utf-8"))
    lock = {row["contestant"]: row["lock"] for row in run["summary"]}
    held = {name for name in PYTHON_ROWS if lock[name] == "held"}
    assert held == {"python/ctypes-pydll", "python/pybind11", "python/nanobind", "python/cython", "python/capi"}
    assert {lock[name] for name in PYTHON_ROWS - held} == {"released"}
    assert lock["c"] is None


def test_every_round_has_everyone_in_the_order_of_the_seed(run_file: Path) -> None:
    run = json.loads(run_file.read_text(encoding="utf-8"))
    orders = [[record["key"] for record in each["records"]] for each in run["rounds"]]
    keys = {
        f"{worker['contestant']['name']} [{worker['contestant']['interpreter']}]" for worker in run["plan"]["workers"]
    }
    others = len(keys) - 1
    baselines = (others + 1) // 2  # one beside every two others
    assert all(set(order) == keys and len(order) == others + baselines for order in orders)
    assert len({tuple(order) for order in orders}) == len(orders)
    assert run["plan"]["seed"] == 7


def test_show_prints_the_same_table(cli: Cli, run_file: Path) -> None:
    answer = cli("show", str(run_file))
    assert answer.returncode == 0
    assert answer.stdout == (run_file.parent / "table.txt").read_text(encoding="utf-8")


def test_the_last_run_is_shown_without_a_name(cli: Cli, run_file: Path) -> None:
    assert cli("run", "xsub", *SMALL, "-c", "c", "--seed", "991").returncode == 0
    assert "seed 991" in cli("show").stdout


def test_an_interrupted_run_is_shown_as_far_as_it_came(cli: Cli, run_file: Path, tmp_path: Path) -> None:
    run = json.loads(run_file.read_text(encoding="utf-8"))
    run |= {"rounds": run["rounds"][:1], "ending": "interrupted", "summary": []}
    cut = tmp_path / "cut.json"
    cut.write_text(json.dumps(run), encoding="utf-8")
    answer = cli("show", str(cut))
    assert answer.returncode == 0
    assert "interrupted; every finished round is kept" in answer.stdout
    assert "python/capi" in answer.stdout


def test_piped_tables_have_no_control_characters_and_a_hundred_columns(run_file: Path) -> None:
    table = (run_file.parent / "table.txt").read_text(encoding="utf-8")
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", table)
    assert max(map(len, table.splitlines())) <= 100


def test_matrix_shell_and_rate_come_from_the_same_run(cli: Cli, run_file: Path) -> None:
    answer = cli("show", str(run_file), "--matrix", "--shell", "--rate", "100k")
    assert answer.returncode == 0
    for words in ("at 100k/s", "real", "user", "system", "%"):
        assert words in answer.stdout


def test_json_on_standard_output_leaves_it_to_the_json(cli: Cli) -> None:
    answer = cli("run", "xsub", *SMALL, "-c", "python/ctypes", "--json", "-")
    assert answer.returncode == 0
    assert {row["contestant"] for row in json.loads(answer.stdout)["summary"]} == {"c", "control", "python/ctypes"}
    assert "python/ctypes" in answer.stderr


def test_markdown_is_written(cli: Cli, run_file: Path, tmp_path: Path) -> None:
    file = tmp_path / "table.md"
    assert cli("show", str(run_file), "--export-markdown", str(file)).returncode == 0
    assert "| `python/capi`" in file.read_text(encoding="utf-8")


def test_globs_choose_contestants(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    answer = cli("run", "xsub", *SMALL, "-c", "python/c[ty]*", "-c", "*nanobind", "--json", str(file))
    assert answer.returncode == 0, answer.stderr
    names = {row["contestant"] for row in json.loads(file.read_text(encoding="utf-8"))["summary"]}
    assert names == {
        *("c", "control", "python/nanobind", "python/ctypes", "python/ctypes-pydll"),
        *("python/cython", "python/cython~nogil"),
    }


@pytest.mark.parametrize("message", ["", "ä", "x" * 10_000])
def test_the_message_is_a_setting(cli: Cli, message: str, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    answer = cli("run", "xsub", *SMALL, "-c", "python/c*", "--set", f"message={message}", "--json", str(file))
    assert answer.returncode == 0, answer.stderr + answer.stdout
    size = len(message.encode())
    assert f"zmq_send of {size:,} bytes" in answer.stdout
    run = json.loads(file.read_text(encoding="utf-8"))
    assert run["plan"]["cases"][0]["receipt"] == {"sends": 2000, "bytes": 2000 * size}


def test_a_folder_of_ones_own_is_an_experiment(cli: Cli, tally: Path, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    chosen = ("-c", "python/ct*", "-c", "python/c*pi")
    answer = cli("run", str(tally), *chosen, "--rounds", "1", "--set", "size=3", "--verbose", "--json", str(file))
    assert answer.returncode == 0, answer.stdout
    rows = json.loads(file.read_text(encoding="utf-8"))["summary"]
    names = {row["contestant"] for row in rows}
    assert {row["case"] for row in rows} == {"few", "none"}
    assert names == {"c", "control", "python/capi", "python/cffi-api", "python/ctypes", "python/ctypes-pydll"}
    assert "tally_sum of 3 bytes" in answer.stdout
    assert "libtally-library" in "".join(answer.stdout.split())  # a long path is folded


def test_a_contestant_that_fails_is_invalid_and_the_others_are_not(cli: Cli, tally: Path, tmp_path: Path) -> None:
    (tally / "crash.py").write_text(
        "# ffibench: lock=held\nimport os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n", encoding="utf-8"
    )
    (tally / "quits.py").write_text("# ffibench: lock=held\nraise SystemExit('no such thing')\n", encoding="utf-8")
    (tally / "hang.py").write_text("# ffibench: lock=held\nimport time\ntime.sleep(600)\n", encoding="utf-8")
    (tally / "garbage.py").write_text("# ffibench: lock=held\nprint('hello')\n", encoding="utf-8")
    lie = (tally / "python.py").read_text(encoding="utf-8")
    lie = lie.replace("native.tally_sum", "lambda data, size: size").replace('"calls": iterations', '"calls": 1')
    (tally / "lie.py").write_text(f"# ffibench: lock=held\n{lie}", encoding="utf-8")
    names = ("crash", "quits", "hang", "garbage", "lie", "ctypes")
    chosen = [word for name in names for word in ("-c", f"python/{name}")]
    file = tmp_path / "run.json"
    answer = cli("run", str(tally), *chosen, "--rounds", "2", "--timeout", "2", "--json", str(file))
    assert answer.returncode == 1
    assert "Traceback" not in answer.stderr
    run = json.loads(file.read_text(encoding="utf-8"))
    assert len(run["rounds"]) == 2
    reasons = {row["contestant"]: row["reason"] for row in run["summary"] if row["case"] == "few"}
    assert "SIGSEGV" in reasons["python/crash"]
    assert "no such thing" in reasons["python/quits"]
    assert "time limit" in reasons["python/hang"]
    assert "hello" in reasons["python/garbage"]
    assert "calls = 1" in reasons["python/lie"]
    assert "2000" in reasons["python/lie"].replace(",", "")
    assert reasons["python/ctypes"] is None
    assert answer.stdout.count("Invalid: ") >= 5  # a footnote for each reason


def test_a_failing_baseline_ends_the_run(cli: Cli, tally: Path) -> None:
    text = (tally / "c.c").read_text(encoding="utf-8")
    (tally / "c.c").write_text(text.replace('ffibench_ready("1.0");', "return 3;"), encoding="utf-8")
    told = ("the baseline c is not what the experiment accepts", "status 3", "--no-audit")
    assert_told(cli("run", str(tally), "-c", "python/ctypes", "--rounds", "3"), *told)
    answer = cli("run", str(tally), "-c", "python/ctypes", "--rounds", "3", "--no-audit")
    assert answer.returncode == 1
    assert "status 3" in answer.stdout
    assert "Traceback" not in answer.stderr


def test_a_shim_that_does_not_compile_is_told_and_the_others_run(cli: Cli, tally: Path) -> None:
    header = (tally / "tally.h").read_text(encoding="utf-8")
    broken = "#ifdef Py_PYTHON_H\n#error no Python please\n#endif\n#endif"
    (tally / "tally.h").write_text(header.replace("#endif", broken), encoding="utf-8")
    answer = cli("run", str(tally), "-c", "python/capi", "-c", "python/ctypes", "--rounds", "1")
    assert answer.returncode == 1
    assert "no Python please" in answer.stderr
    assert "python/ctypes" in answer.stdout
    built = cli("build", str(tally), "-c", "python/capi", "-c", "python/ctypes")
    assert built.returncode == 1
    assert "no Python please" in built.stderr
    assert "python/ctypes" in built.stdout


def test_an_unknown_contestant_is_told(cli: Cli) -> None:
    assert_told(cli("run", "xsub", "-c", "python/pybind"), "python/pybind11", "ffibench list")
