"""`--threads`: the calls of a header by several threads of each process, proved as those of one are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command import Cli, assert_told
from support.expressed import HEADER, SHAPES

from ffibench.builds.project import build
from ffibench.builds.sources import sources_project
from ffibench.model import LibrarySources

SMALL = ("--rounds", "1", "--slices", "2", "--warmup", "1")
CALLS = ("same_u64(2**64 - 1)", "fill(buffer(64), 64, 7)", "is_null(shared)", "each_of(3, callback(1), NULL)")
AROUND = ("--setup", "shared = counter_new(1)", "--teardown", "counter_free(shared)")


@pytest.fixture(scope="module")
def library(private_folders: None) -> str:
    return str(build(sources_project(LibrarySources(sources=("shapes.c",)), SHAPES)))


def test_each_thread_of_each_language_does_its_share(cli: Cli, library: str, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    options = [word for call in CALLS for word in ("--call", call)]
    contestants = ("-c", "python/capi*", "-c", "python/ctypes", "-c", "perl/*")
    words = ("run", str(HEADER), "--library", library, *options, *AROUND, *contestants, *SMALL, "--json", str(file))
    answer = cli(*words, "--threads", "1,3")
    assert answer.returncode == 0, answer.stdout + answer.stderr
    found = json.loads(file.read_text(encoding="utf-8"))
    cases = {case["name"]: case for case in found["plan"]["cases"]}
    assert set(cases) == {f"{call} threads={number}" for call in CALLS for number in (1, 3)}
    for case in cases.values():
        threads = case["point"]["threads"]
        assert case["receipt"]["threads"] == threads
        assert case["receipt"]["operations"] * threads == case["iterations"]
    assert {audit["verdict"] for audit in found["audits"] if not audit["key"].startswith("perl")} == {"accepted"}
    wrong = {row["contestant"]: row["reason"] for row in found["summary"] if not row["valid"]}
    assert all(name.startswith("perl/") and "its loop in perl has one thread" in wrong[name] for name in wrong)
    assert "threads run on any processor" in " ".join(answer.stdout.split())
    assert cli("show", str(file)).returncode == 0


def test_what_cannot_have_threads_says_so(cli: Cli, library: str) -> None:
    assert_told(cli("run", "xsub", "--threads", "2"), "the experiment xsub has no parameter 'threads'")
    call = ("--call", "sum_of(bytes({size}), {size})", "--sweep", "size=1,2")
    answer = cli("run", str(HEADER), "--library", library, *call, "--threads", "1,2")
    assert_told(answer, "one parameter can be swept at a time, not threads and size")
