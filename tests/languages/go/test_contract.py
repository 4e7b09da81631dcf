"""The worker contract in Go: the kit in a program of its own."""

from __future__ import annotations

import json

import pytest
from support.anywhere import runtime_or_skip, skip_if_missing
from support.contract import Contract, Worker, compile_without_warning

from ffibench.builds.toolchain import missing_compiler
from ffibench.paths import asset

PROGRAM = r"""package main

import (
	"ffibench"
	"fmt"
	"os"
)

func says(value any) ffibench.Loops {
	nothing := func(int) {}
	return ffibench.Loops{Run: nothing, Empty: nothing, Receipt: func(int) ffibench.Receipt {
		return ffibench.Receipt{"value": value}
	}}
}

func main() {
	endpoint := ""
	if ffibench.Option("binding") == "waiting" {
		endpoint = "tcp://here"
	}
	total := 0
	sum := ffibench.Loops{
		Run: func(iterations int) {
			for i := 0; i < iterations; i++ {
				total++
			}
		},
		Empty: func(int) {},
		Receipt: func(iterations int) ffibench.Receipt {
			return ffibench.Receipt{"calls": iterations, "total": total}
		},
	}
	around := sum
	around.Before = func(int) { total = 100 }
	around.After = func(int) { total++ }
	around.Figures = func() ffibench.Receipt { return ffibench.Receipt{"first_ns": 7} }
	dies, differs := sum, sum
	dies.Run = func(int) { ffibench.Fail("it went wrong") }
	differs.Run = func(int) { ffibench.Wrong("plusone") }
	ffibench.Serve(ffibench.Work{Library: `1.2 "x"`, Endpoint: endpoint, Cases: map[string]ffibench.Loops{
		"sum":     sum,
		"around":  around,
		"lowest":  says(int64(-1) << 63),
		"highest": says(^uint64(0)),
		"odd":     says(9007199254740993),
		"text":    says("a\"b\\c\n\t\x01ä😀"),
		"truth":   says(ffibench.Integer(true)),
		"half":    says(0.5),
		"nothing": says(nil),
		"dies":    dies,
		"differs": differs,
		"never":   {Cannot: "it has no such call"},
	}})
	fmt.Fprintln(os.Stderr, "torn down")
}
"""
MODULE = "module main\n\ngo 1.19\n\nrequire ffibench v0.0.0\n\nreplace ffibench v0.0.0 => {}\n"


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Worker:
    go = runtime_or_skip("go").executable
    skip_if_missing(missing_compiler(["c"]))
    folder = tmp_path_factory.mktemp("go")
    (folder / "main.go").write_text(PROGRAM, encoding="utf-8")
    (folder / "go.mod").write_text(MODULE.format(json.dumps(str(asset("native/kits/go")))), encoding="utf-8")
    own = {"GOTOOLCHAIN": "local", "GOFLAGS": "-buildvcs=false", "GOWORK": "off"}
    compile_without_warning(folder, go, "vet", ".", "ffibench", **own)
    compile_without_warning(folder, go, "build", "-o", "program", ".", **own)
    return Worker(folder / "program")


class TestContract(Contract):
    def test_a_truth_value_is_a_number(self, worker: Worker) -> None:
        assert worker.receipt("truth") == {"value": 1}

    @pytest.mark.parametrize(("case", "value"), [("half", "0.5"), ("nothing", "<nil>")])
    def test_a_receipt_is_made_of_whole_numbers_and_texts(self, worker: Worker, case: str, value: str) -> None:
        said = f"ffibench worker: a receipt with value = {value}, neither a whole number nor a text"
        assert worker.complaint(cases=f"{case}:1", warmup="0") == said

    def test_a_call_that_does_not_answer_what_c_does_ends_it(self, worker: Worker) -> None:
        assert worker.complaint(cases="differs:1") == "plusone gave another answer than C"
