"""A header and its calls on the command line, and calls in a folder beside loops that somebody wrote."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from support.command import Cli, assert_told
from support.compiled import compiled
from support.expressed import HEADER, SHAPES

from ffibench.builds.project import build
from ffibench.builds.sources import sources_project
from ffibench.model import LibrarySources

SMALL = ("-c", "python/ctypes", "--rounds", "1", "--slices", "1", "--iterations", "100")


@pytest.fixture(scope="module")
def library(private_folders: None) -> str:
    return str(build(sources_project(LibrarySources(sources=("shapes.c",)), SHAPES)))


def test_a_header_and_calls_are_run_without_a_file(cli: Cli, library: str, tmp_path: Path) -> None:
    calls = ("same_u64(2**64 - 1)", "is_null(shared)")
    around = ("--setup", "shared = counter_new(1)", "--teardown", "counter_free(shared)")
    options = [word for call in calls for word in ("--call", call)]
    file = tmp_path / "run.json"
    answer = cli("run", str(HEADER), "--library", library, *options, *around, *SMALL, "--json", str(file))
    assert answer.returncode == 0, answer.stderr
    assert "shapes: calls of shapes.h" in answer.stdout
    found = json.loads(file.read_text(encoding="utf-8"))
    assert [case["name"] for case in found["plan"]["cases"]] == list(calls)
    assert found["plan"]["shuffled"] is True
    assert {audit["verdict"] for audit in found["audits"]} == {"accepted"}
    assert cli("show", str(file)).returncode == 0  # the drawn orders are those of the seed


def test_a_sweep_fills_the_places_of_a_call(cli: Cli, library: str) -> None:
    call = ("--call", "sum_of(bytes({size}), {size})")
    answer = cli("run", str(HEADER), "--library", library, *call, "--sweep", "size=1,300", *SMALL)
    assert answer.returncode == 0, answer.stderr
    assert "One operation: sum_of(bytes({size}), {size})." in answer.stdout


def test_unchecked_is_said_where_the_row_is_named(cli: Cli, library: str) -> None:
    answer = cli("run", str(HEADER), "--library", library, "--call", "ever_more()", "--unchecked", *SMALL)
    assert answer.returncode == 0, answer.stderr
    assert "whose answers are not compared with those of C" in " ".join(answer.stdout.split())


def test_the_audit_counts_calls_of_a_header(cli: Cli, library: str) -> None:
    words = ("audit", str(HEADER), "--library", library, "--call", "same_i32(1000)", "-c", "python/ctypes")
    answer = cli(*words)
    assert answer.returncode == 0, answer.stderr
    assert "same_i32" in answer.stdout


def test_options_that_would_be_ignored_are_refused(cli: Cli, library: str) -> None:
    header = ("run", str(HEADER), "--library", library)
    assert_told(cli(*header, "--call", "same_i32(1)", "--no-audit"), "are generated", "leave out --no-audit")
    assert_told(cli("run", "xsub", "--setup", "f()"), "--setup is for a --call, and there is none")
    assert_told(cli("run", "xsub", "--unchecked"), "--unchecked is for a --call")
    assert_told(cli("run", "xsub", "--call", "f()"), "--call is for a header, and xsub is an experiment")
    for option in (("--call", "f()"), ("--setup", "f()"), ("--teardown", "f()"), ("--unchecked",)):
        told = cli("audit", *option, "--library", "libc.so*", "--", "true")
        assert_told(told, f"{option[0]} is for an experiment, not for a command", status=2)


EXPERIMENT = """
from ffibench.model import Call, Experiment, LibrarySources

EXPERIMENT = Experiment(
    title="calls beside loops of one's own",
    header="shapes.h",
    library=LibrarySources(sources=("shapes.c",)),
    calls=(Call(expression="same_i32(1000)", iterations=50), Call(expression="same_u64(2**40)", iterations=50)),
)
"""

BY_HAND = """
# ffibench: {words}
from ffibench.worker.contract import Loops, Work


def loops(function, value):
    def run(iterations):
        for _ in range(iterations):
            if function(value) != value:
                raise ValueError("another answer")
        return {{"operations": iterations}}

    def empty(iterations):
        for _ in range(iterations):
            pass

    return Loops(run, empty)


def contestant(native, options):
    {native}
    yield Work(cases={{"same_i32_1": loops(native.same_i32, 1000), "same_u64_2": loops(native.same_u64, 2**40)}})
"""


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A folder whose experiment has calls alone."""
    folder = tmp_path / "mixed"
    folder.mkdir()
    for name in ("shapes.h", "shapes.c"):
        shutil.copy(SHAPES / name, folder)
    (folder / "experiment.py").write_text(EXPERIMENT)
    return folder


def test_a_folder_may_have_calls_alone(cli: Cli, mixed: Path) -> None:
    answer = cli("run", str(mixed), *SMALL[:-2])
    assert answer.returncode == 0, answer.stderr
    assert "python/ctypes" in answer.stdout or "ctypes" in answer.stdout


def test_loops_of_ones_own_stand_beside_generated_ones(cli: Cli, mixed: Path, tmp_path: Path) -> None:
    (mixed / "python.py").write_text(BY_HAND.format(words="", native="pass").replace("# ffibench: \n", ""))
    own = 'import cffi; ffi = cffi.FFI(); ffi.cdef("int32_t same_i32(int32_t); uint64_t same_u64(uint64_t);"); '
    own += 'native = ffi.dlopen(options["library"])'
    (mixed / "by_hand.py").write_text(BY_HAND.format(words="lock=released distribution=cffi", native=own))
    file = tmp_path / "run.json"
    answer = cli("run", str(mixed), "-c", "python/by-hand", *SMALL[:-2], "--json", str(file))
    assert answer.returncode == 0, answer.stderr + answer.stdout
    found = json.loads(file.read_text(encoding="utf-8"))
    assert {worker["contestant"]["name"] for worker in found["plan"]["workers"]} == {
        *("c", "control", "python/ctypes", "python/by-hand"),
    }
    assert {audit["verdict"] for audit in found["audits"]} == {"accepted"}
    assert len(found["audits"]) == 8
    (contestant,) = [
        each["contestant"] for each in found["plan"]["workers"] if each["contestant"]["name"] == "python/by-hand"
    ]
    assert contestant["version"]  # that of the distribution


def test_a_baseline_that_calls_something_else_is_told_without_an_option_that_is_refused(
    cli: Cli, tmp_path: Path
) -> None:
    """The header gives the function another name in the library, so that C calls that."""
    header = tmp_path / "label.h"
    header.write_text('int once(int n) __asm__("other");\n', encoding="utf-8")
    source = "int once(int n) { return n; }\nint other(int n) { return n; }\n"
    library = compiled(tmp_path / "liblabel.so", source, "-shared", "-fPIC")
    answer = cli("run", str(header), "--library", str(library), "--call", "once(1000)", *SMALL)
    assert_told(
        answer, "the baseline c is not what the experiment accepts", "never called once", "measure another call"
    )
    assert "--no-audit" not in answer.stderr


def test_what_a_macro_of_the_header_hides_is_called_all_the_same(cli: Cli, tmp_path: Path) -> None:
    """In the set-up too, and by each of C's programs: the one that answers, and the one that is timed."""
    header = tmp_path / "macros.h"
    header.write_text(
        "int once(int n);\nint begin(void);\n#define once(n) (-(n))\n#define begin once\n", encoding="utf-8"
    )
    source = "static int begun;\nint begin(void) { return begun = 1; }\nint once(int n) { return n + begun; }\n"
    library = compiled(tmp_path / "libmacros.so", source, "-shared", "-fPIC")
    call = ("--call", "once(1000)", "--setup", "begin() == 1", "-c", "python/capi", *SMALL)
    file = tmp_path / "run.json"
    answer = cli("run", str(header), "--library", str(library), *call, "--json", str(file))
    assert answer.returncode == 0, answer.stderr
    found = json.loads(file.read_text(encoding="utf-8"))
    assert {row["contestant"]: row["valid"] for row in found["summary"]} == dict.fromkeys(
        ("c", "control", "python/capi", "python/ctypes"), True
    )
    assert {audit["verdict"] for audit in found["audits"]} == {"accepted"}


def test_a_function_that_libc_has_too_spoils_its_own_case_alone(cli: Cli, tmp_path: Path) -> None:
    """A compiled binding gets the `labs` of libc, which comes before any library that the binding brings."""
    (tmp_path / "own.h").write_text("long labs(long value);\nlong twice(long value);\n")
    source = "long labs(long number) { return number < 0 ? -number : number; }"
    source += "long twice(long number) { return 2 * number; }"
    library = compiled(tmp_path / "libown.so", source, "-shared", "-fPIC", "-fno-builtin")
    calls = ("--call", "labs(-7)", "--call", "twice(7)")
    file = tmp_path / "run.json"
    words = ("run", str(tmp_path / "own.h"), "--library", str(library), *calls, *SMALL, "-c", "python/capi")
    answer = cli(*words, "--json", str(file))
    assert answer.returncode == 1, answer.stderr
    audits = json.loads(file.read_text(encoding="utf-8"))["audits"]
    wrong = {(each["key"].partition(" ")[0], each["case"]): each for each in audits if each["verdict"] != "accepted"}
    assert list(wrong) == [("python/capi", "labs(-7)")]
    reason = wrong["python/capi", "labs(-7)"]["reason"]
    assert reason.startswith("called labs of another file than the library under test: ")
    assert "libc.so" in reason
