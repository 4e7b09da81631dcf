"""An experiment may make its header and its library of its parameters."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import Cli

from ffibench.catalog import find_experiment
from ffibench.catalog.derived import with_derived
from ffibench.errors import FfibenchError

EXPERIMENT = """
from ffibench.model import Accepted, Case, Derived, Experiment, LibrarySources, Parameter


def derive(values):
    names = str(values["names"]).split(",")
    header = "".join(f"int {name}(void);\\n" for name in names)
    source = '#include "numbers.h"\\n' + "".join(
        f"int {name}(void) {{ return {len(name)}; }}\\n" for name in names
    )
    return Derived(
        files={"numbers.h": header, "numbers.c": source},
        header="numbers.h",
        sources=("numbers.c",),
        functions=tuple(names),
    )


def cases(values):
    return (
        Case(
            name="one",
            operation="a call of one()",
            iterations=1000,
            receipt=lambda iterations: {"sum": 3 * iterations},
            accepts=(Accepted(calls={"one": 1}),),
        ),
    )


EXPERIMENT = Experiment(
    title="numbers",
    derive=derive,
    library=LibrarySources(sources=()),
    parameters=(
        Parameter(name="names", default="one,three", help="functions"),
        Parameter(name="more", default=1, help="a number"),
    ),
    cases=cases,
)
"""
C = """
#include "ffibench.h"
#include "numbers.h"

static uint64_t sum;

static uint64_t run(void *state, uint64_t iterations)
{
    (void)state;
    sum = 0;
    for (uint64_t i = 0; i < iterations; i++)
        sum += (uint64_t)one();
    return iterations;
}

static uint64_t empty(void *state, uint64_t iterations)
{
    (void)state;
    return iterations;
}

static void receipt(void *state, uint64_t done, FILE *out)
{
    (void)state;
    (void)done;
    fprintf(out, "{\\"sum\\": %llu}", (unsigned long long)sum);
}

int main(int argc, char **argv)
{
    const struct ffibench worker = ffibench_open(argc, argv);

    ffibench_ready("");
    ffibench_case(&worker, "one", &(struct ffibench_loops){.run = run, .empty = empty, .receipt = receipt}, NULL);
    ffibench_close();
    return 0;
}
"""
PYTHON = """
from ffibench.worker.contract import Loops, Work


def contestant(native, options):
    def run(iterations):
        return {"sum": sum(native.one() for _ in range(iterations))}

    yield Work(cases={"one": Loops(run, lambda iterations: None)})
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "numbers"
    place.mkdir()
    (place / "experiment.py").write_text(EXPERIMENT, encoding="utf-8")
    (place / "c.c").write_text(C, encoding="utf-8")
    (place / "python.py").write_text(PYTHON, encoding="utf-8")
    return place


def derived(folder: Path, **given: str) -> tuple[str, tuple[str, ...]]:
    found = with_derived(find_experiment(str(folder)), given)
    return found.header.read_text(encoding="utf-8"), found.experiment.functions


def test_it_runs(cli: Cli, folder: Path) -> None:
    shown = cli("run", str(folder), "-c", "python/ctypes", "-c", "python/capi", "--rounds", "1")
    assert shown.returncode == 0, shown.stderr
    assert "match" in shown.stdout


def test_its_header_and_functions_follow_from_the_parameters(folder: Path) -> None:
    assert derived(folder) == ("int one(void);\nint three(void);\n", ("one", "three"))
    assert derived(folder, names="one", more="7") == ("int one(void);\n", ("one",))


def test_the_same_files_are_written_once(folder: Path) -> None:
    first = with_derived(find_experiment(str(folder)), {}).header
    before = first.stat().st_mtime_ns
    assert with_derived(find_experiment(str(folder)), {}).header == first
    assert first.stat().st_mtime_ns == before
    assert with_derived(find_experiment(str(folder)), {"names": "one"}).header != first


def test_it_is_listed_without_making_anything(cli: Cli, folder: Path) -> None:
    text = EXPERIMENT.replace(
        '    names = str(values["names"])', '    raise ValueError("gone")\n    names = str(values["names"])'
    )
    (folder / "experiment.py").write_text(text, encoding="utf-8")
    assert cli("list", str(folder)).returncode == 0
    shown = cli("run", str(folder))
    assert shown.returncode == 1
    assert "derive()" in shown.stderr
    assert "ValueError: gone" in shown.stderr


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ('header="numbers.h"', 'header="other.h"', "it names 'other.h', which is not among its files"),
        ('sources=("numbers.c",)', 'sources=("more.c",)', "it names 'more.c', which is not among its files"),
        ('{"numbers.h": header, "numbers.c": source}', '{"numbers.h": header, "numbers.c": source, "../x": ""}',
         "'../x' is no name of a file alone"),
        ("LibrarySources(sources=())", '"libm.so"', "expected a WheelLibrary, a LibraryFile or LibrarySources"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said(folder: Path, right: str, wrong: str, said: str) -> None:
    assert right in EXPERIMENT
    (folder / "experiment.py").write_text(EXPERIMENT.replace(right, wrong), encoding="utf-8")
    with pytest.raises(FfibenchError, match=r"experiment\.py") as caught:
        with_derived(find_experiment(str(folder)), {})
    assert said in caught.value.reason


def test_a_library_that_is_there_already_cannot_be_added_to(folder: Path) -> None:
    text = EXPERIMENT.replace("LibrarySources(sources=())", 'LibraryFile(path="libm.so.6")')
    text = text.replace("LibrarySources,", "LibraryFile,")
    (folder / "experiment.py").write_text(text, encoding="utf-8")
    with pytest.raises(FfibenchError, match="expected LibrarySources, to which `derive` adds"):
        find_experiment(str(folder))
