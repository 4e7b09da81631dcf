"""The worker contract in Nim: the kit in a program of its own, and what it refuses."""

from __future__ import annotations

import pytest
from support.anywhere import runtime_or_skip
from support.contract import Contract, Worker, compile_without_warning

from ffibench.paths import asset

PROGRAM = r"""
import std/json
import ffibench, ffibench_calls

var total: int

proc add(iterations: int) =
  for _ in 1 .. iterations:
    barrier()
    total.inc

proc pass(iterations: int) =
  for _ in 1 .. iterations:
    barrier()

proc counted(iterations: int): JsonNode = %*{"calls": iterations, "total": total}

proc says(said: JsonNode): Loops =
  Loops(run: pass, empty: pass, receipt: proc (iterations: int): JsonNode = said)

var around = Loops(run: add, empty: pass, receipt: counted)
around.before = proc (iterations: int) = total = 100
around.after = proc (iterations: int) = total.inc
around.figures = proc (iterations: int): JsonNode = %*{"first_ns": 7}

var dies = says(newJObject())
dies.run = proc (iterations: int) = raise newException(IOError, "it went wrong")

var memory = [1'u8, 2, 255]
let spread = counting(6301)

serve({
  "sum": Loops(run: add, empty: pass, receipt: counted),
  "around": around,
  "lowest": says(%{"value": exactInteger(low(int64))}),
  "highest": says(%{"value": exactInteger(high(uint64))}),
  "odd": says(%{"value": exactInteger(9007199254740993)}),
  "text": says(%*{"value": "a\"b\\c\n\t\x01ä😀"}),
  "exact": says(%{"small": exactInteger(200'u8), "true": exactInteger(true)}),
  "bits": says(%{
    "real": realBits(-0.0), "text": textBytes("a\xFF".cstring), "none": textBytes(cstring(nil)),
    "null": addressSign(nil), "address": addressSign(addr memory), "memory": memoryBytes(addr memory, 3),
    "spread": memoryBytes(spread.cstring, 6301)}),
  "real": says(%*{"value": 1.5}),
  "none": says(nil),
  "dies": dies,
  "never": Loops(unsupported: "it has no such call"),
}, library = "1.2 \"x\"", endpoint = if option("binding") == "waiting": "tcp://here" else: "")
stderr.writeLine "torn down"
"""


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Worker:
    """The program, compiled as a contestant is."""
    nim = runtime_or_skip("nim").executable
    folder = tmp_path_factory.mktemp("nim")
    (folder / "program.nim").write_text(PROGRAM, encoding="utf-8")
    flags = ["-d:release", "--mm:orc", "--hints:off", f"--path:{asset('native/kits/nim')}"]
    compile_without_warning(folder, nim, "c", *flags, "--nimcache:cache", "--out:program", "program.nim")
    return Worker(folder / "program")


class TestContract(Contract):
    def test_further_numbers_are_exact(self, worker: Worker) -> None:
        assert worker.receipt("exact") == {"small": 200, "true": 1}

    def test_answers_are_written_as_c_writes_them(self, worker: Worker) -> None:
        assert worker.receipt("bits") == {
            "real": "8000000000000000",
            "text": "61ff",
            "none": "NULL",
            "null": "NULL",
            "address": "not NULL",
            "memory": "0102ff",
            "spread": bytes(each * 100 % 256 for each in range(64)).hex(),
        }

    @pytest.mark.parametrize(
        ("case", "said"),
        [("real", "a receipt with value 1.5, no whole number"), ("none", "a receipt that is no object")],
    )
    def test_a_receipt_is_made_of_whole_numbers_and_strings(self, worker: Worker, case: str, said: str) -> None:
        assert worker.complaint(cases=f"{case}:1") == f"ffibench worker: {said}"
