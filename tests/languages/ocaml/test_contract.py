"""The worker contract in OCaml: the kit in a program of its own, and what it refuses."""

from __future__ import annotations

import shutil

import pytest
from support.anywhere import runtime_or_skip, skip_if_missing
from support.contract import Contract, Worker, compile_without_warning

from ffibench.languages.ocaml import LANGUAGE
from ffibench.paths import asset

PROGRAM = r"""
open Ffibench
open Ffibench_calls

let total = ref 0

let sum =
  {
    plain with
    run = (fun iterations -> for _ = 1 to iterations do incr total done);
    empty = (fun iterations -> for _ = 1 to iterations do ignore (Sys.opaque_identity ()) done);
    receipt = (fun iterations -> [ ("calls", int iterations); ("total", int !total) ]);
  }

let around =
  {
    sum with
    before = Some (fun _ -> total := 100);
    after = Some (fun _ -> incr total);
    figures = Some (fun () -> [ ("first_ns", int 7) ]);
  }

let says fields = Loops { sum with run = ignore; receipt = (fun _ -> fields) }
let value field = says [ ("value", field) ]

let bits =
  let of_two = Bigarray.(numbers int32 [| 1l; -2l |]) in
  [
    ("real", real (-0.0));
    ("text", text (Some "a\xff"));
    ("none", text None);
    ("null", address 0n);
    ("address", address 1n);
    ("memory", memory "\x01\x02\xff");
    ("array", memory (Ffibench_memory.bytes_of of_two));
    ("spread", memory (counting 6301));
    ("error", Text (error_text 2));
  ]

let () =
  let endpoint = if option "binding" = "waiting" then Some "tcp://here" else None in
  serve ~library:"1.2 \"x\"" ?endpoint
    [
      ("sum", Loops sum);
      ("around", Loops around);
      ("lowest", value (Whole Int64.min_int));
      ("highest", value (Unsigned (-1L)));
      ("odd", value (int 9007199254740993));
      ("text", value (Text "a\"b\\c\n\t\x01ä😀"));
      ("exact", says [ ("small", int 200); ("largest", int max_int) ]);
      ("bits", says bits);
      ("dies", Loops { sum with run = (fun _ -> failwith "it went wrong") });
      ("never", Unsupported "it has no such call");
    ];
  prerr_endline "torn down"
"""
FILES = ("ffibench_memory.ml", "ffibench.ml", "ffibench_calls.ml", "program.ml", "ffibench_stubs.c")


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Worker:
    """The program, compiled as a contestant is."""
    ocaml = runtime_or_skip("ocaml")
    skip_if_missing(LANGUAGE.build_needs(ocaml))
    folder = tmp_path_factory.mktemp("ocaml")
    shutil.copytree(asset("native/kits/ocaml"), folder, dirs_exist_ok=True)
    (folder / "program.ml").write_text(PROGRAM, encoding="utf-8")
    compile_without_warning(folder, ocaml.executable, "-ccopt", "-Wall -Wextra", *FILES, "-o", "program")
    return Worker(folder / "program")


class TestContract(Contract):
    def test_further_numbers_are_exact(self, worker: Worker) -> None:
        assert worker.receipt("exact") == {"small": 200, "largest": 2**62 - 1}

    def test_answers_are_written_as_c_writes_them(self, worker: Worker) -> None:
        assert worker.receipt("bits") == {
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
