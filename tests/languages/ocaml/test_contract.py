"""The worker contract in OCaml: the kit in a program of its own, and what it refuses."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ffibench.languages.ocaml import LANGUAGE
from ffibench.model.runtime import Missing, Runtime
from ffibench.paths import asset

KIT = asset("native/kits/ocaml")
SCRIPT = """\
open Ffibench
open Ffibench_calls

let sum = ref 0
let begun = ref 0
let ended = ref 0

let loops receipt =
  {
    plain with
    run = (fun iterations -> sum := !sum + iterations);
    empty = (fun iterations -> for _ = 1 to iterations do ignore (Sys.opaque_identity ()) done);
    receipt = (fun _ -> receipt ());
  }

let sums () = [ ("sum", int !sum); ("text", Text "12 \\"x\\"\\n") ]
let around () = [ ("begun", int !begun); ("ended", int !ended) ]

let exact () =
  [
    ("lowest", Whole Int64.min_int);
    ("highest", Unsigned (-1L));
    ("small", int 200);
    ("beyond a double", int 9007199254740993);
    ("largest", int max_int);
  ]

let bits () =
  let of_two = Bigarray.(numbers int32 [| 1l; -2l |]) in
  [
    ("real", real (-0.0));
    ("text", text (Some "a\\xff"));
    ("none", text None);
    ("null", address 0n);
    ("address", address 1n);
    ("memory", memory "\\x01\\x02\\xff");
    ("array", memory (Ffibench_memory.bytes_of of_two));
    ("spread", memory (counting 6301));
    ("error", Text (error_text 2));
  ]

let () =
  let endpoint = if option "binding" = "waiting" then Some "tcp://here" else None in
  serve ~library:"1.2" ?endpoint
    [
      ("sum", Loops (loops sums));
      ( "around",
        Loops
          {
            (loops around) with
            before = Some (fun iterations -> begun := !begun + iterations);
            after = Some (fun iterations -> ended := !ended + iterations);
            figures = Some (fun () -> [ ("first_ns", int 5) ]);
          } );
      ("exact", Loops (loops exact));
      ("bits", Loops (loops bits));
      ("dies", Loops { (loops sums) with run = (fun _ -> failwith "it went wrong") });
      ("never", Unsupported "it has no such call");
    ];
  prerr_endline "torn down"
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The script, compiled as a contestant is."""
    (ocaml,) = LANGUAGE.runtimes((), ())
    if isinstance(ocaml, Missing):
        pytest.skip(f"{ocaml.reason}; {ocaml.fix}")
    assert isinstance(ocaml, Runtime)
    folder = tmp_path_factory.mktemp("ocaml")
    (folder / "script.ml").write_text(SCRIPT, encoding="utf-8")
    for each in KIT.iterdir():
        shutil.copy(each, folder)
    sources = ["ffibench_memory.ml", "ffibench.ml", "ffibench_calls.ml", "script.ml", "ffibench_stubs.c"]
    command = [ocaml.executable, "-ccopt", "-Wall -Wextra", *sources, "-o", "script"]
    answer = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stdout + answer.stderr) == (0, "")
    return folder / "script"


def started(program: Path, *more: str, told: str = "go\n", **changes: str) -> subprocess.CompletedProcess[str]:
    options = {"binding": "stub", "slices": "2", "warmup": "1", "cases": "sum:10", **changes}
    command = [str(program), *(f"{name}={value}" for name, value in options.items()), *more]
    return subprocess.run(command, input=told, capture_output=True, text=True, check=False, timeout=60)


def lines(program: Path, **changes: str) -> list[dict[str, Any]]:
    answer = started(program, **changes)
    assert (answer.returncode, answer.stderr) == (0, "torn down\n")
    return [json.loads(line) for line in answer.stdout.splitlines()]


def test_ready_then_a_line_a_slice_then_the_end(program: Path) -> None:
    ready, *slices = lines(program)
    assert ready == {"ready": {"library": "1.2"}}
    assert [(each["case"], each["kind"], each["slice"]) for each in slices] == [
        ("sum", "warmup", 0),
        ("sum", "timed", 0),
        ("sum", "timed", 1),
        ("sum", "empty", 0),
        ("sum", "empty", 1),
    ]
    text = '12 "x"\n'
    receipts = [each.get("receipt") for each in slices]
    assert receipts == [*({"sum": each, "text": text} for each in (10, 20, 30)), None, None]
    assert all(type(each[clock]) is int and each[clock] > 0 for each in slices for clock in ("wall_ns", "cpu_ns"))
    assert not any("around_ns" in each or "figures" in each for each in slices)


def test_a_cold_slice_comes_first(program: Path) -> None:
    _, first, second, *_ = lines(program, cold="3")
    assert (first["kind"], first["slice"], first["receipt"]["sum"]) == ("cold", 0, 3)
    assert (second["kind"], second["receipt"]["sum"]) == ("warmup", 13)


def test_what_is_done_around_a_slice_is_outside_its_clocks(program: Path) -> None:
    ready, *slices = lines(program, cases="around:5", binding="waiting")
    assert ready == {"ready": {"library": "1.2", "endpoint": "tcp://here"}}
    done = [each for each in slices if each["kind"] != "empty"]
    assert [each["receipt"] for each in done] == [{"begun": each, "ended": each} for each in (5, 10, 15)]
    assert all(each["around_ns"] >= 0 and each["figures"] == {"first_ns": 5} for each in done)
    assert not any("figures" in each for each in slices if each["kind"] == "empty")


def test_integers_are_exact_to_64_bits(program: Path) -> None:
    assert lines(program, cases="exact:1")[1]["receipt"] == {
        "lowest": -(2**63),
        "highest": 2**64 - 1,
        "small": 200,
        "beyond a double": 9007199254740993,
        "largest": 2**62 - 1,
    }


def test_answers_are_written_as_c_writes_them(program: Path) -> None:
    assert lines(program, cases="bits:1")[1]["receipt"] == {
        "real": "8000000000000000",
        "text": "61ff",
        "none": "NULL",
        "null": "NULL",
        "address": "not NULL",
        "memory": "0102ff",
        "array": "01000000feffffff",
        "spread": bytes(each * 100 % 256 for each in range(64)).hex(),
        "error": "No such file or directory",
    }


@pytest.mark.parametrize(
    ("cases", "told"),
    [
        ("never:5", [{"case": "never", "unsupported": "it has no such call"}]),
        ("other:5", [{"case": "other", "unsupported": "stub has no case other"}]),
    ],
)
def test_a_case_that_it_cannot_run_is_told_once(program: Path, cases: str, told: list[dict[str, str]]) -> None:
    assert lines(program, cases=cases)[1:] == told


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"told": "stop\n"}, "ffibench worker: expected go on standard input"),
        ({"told": ""}, "ffibench worker: expected go on standard input"),
        ({"cases": "sum:ten"}, "ffibench worker: not a number: ten"),
        ({"cases": "sum:1_0"}, "ffibench worker: not a number: 1_0"),
        ({"cases": "sum:99999999999999999999"}, "ffibench worker: not a number: 99999999999999999999"),
        ({"cases": "sum"}, "ffibench worker: not of the form NAME:ITERATIONS: sum"),
        ({"slices": "-1"}, "ffibench worker: not a number: -1"),
        ({"cases": "dies:1"}, 'Fatal error: exception Failure("it went wrong")'),
    ],
)
def test_a_mistake_is_told_with_a_status(program: Path, changes: dict[str, str], said: str) -> None:
    answer = started(program, **changes)
    assert answer.returncode != 0
    assert said in answer.stderr


def test_arguments_have_names_and_are_all_there(program: Path) -> None:
    assert started(program, "nameless").stderr == "ffibench worker: not of the form NAME=VALUE: nameless\n"
    alone = subprocess.run([str(program), "slices=1"], capture_output=True, text=True, check=False)
    assert (alone.returncode, alone.stderr) == (1, "ffibench worker: missing argument: binding\n")
