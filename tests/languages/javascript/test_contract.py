"""The worker contract in JavaScript: the kit in a process of Node, Deno or Bun."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.anywhere import runtime_or_skip
from support.contract import Contract, Worker

from ffibench.languages import languages

PROGRAM = r"""
const empty = () => {};
const says = (value) => ({ run: () => ({ value }), empty });

export default async function (native, worker) {
    let total = 0;
    const add = (n) => {
        for (let i = 0; i < n; i++) total += 1;
    };
    await worker.serve({
        library: '1.2 "x"',
        endpoint: worker.option("binding") === "waiting" ? "tcp://here" : undefined,
        cases: {
            sum: { run: (n) => { add(n); return { calls: n, total }; }, empty },
            around: {
                before: () => { total = 100; },
                run: (n) => { add(n); return { calls: n }; },
                after: () => { total += 1; return { total }; },
                figures: () => ({ first_ns: 7 }),
                empty,
            },
            promised: { run: async (n) => ({ calls: n }), after: async () => ({ total }), empty },
            lowest: says(-(2n ** 63n)),
            highest: says(2n ** 64n - 1n),
            odd: says(9007199254740993n),
            text: says('a"b\\c\n\t\x01ä😀'),
            dies: { run() { throw new Error("it went wrong"); }, empty },
            silent: { run() {}, empty },
            never: "it has no such call",
        },
    });
    console.error("torn down");
}
"""
SAYS = """\
const run = () => ({{ value: {} }});
export default async (native, worker) => {{
    await worker.serve({{ cases: {{ sum: {{ run, empty() {{}} }} }} }});
    console.error("torn down");
}};
"""
STUB = "export default { add: (one, other) => one + other }; export const helpers = { text: (value) => value };"
Script = Callable[..., Worker]


@pytest.fixture(params=["node", "deno", "bun"])
def script(request: pytest.FixtureRequest, tmp_path: Path) -> Script:
    """A worker from a text, with a stub in place of a shim or without one."""
    runtime = runtime_or_skip(request.param)

    def worker(text: str, shim: str | None = STUB) -> Worker:
        source, stub = tmp_path / "source.mjs", tmp_path / "stub.mjs"
        source.write_text(text, encoding="utf-8")
        stub.write_text(shim or "", encoding="utf-8")
        return Worker(*languages()[runtime.language].command(runtime, source, stub if shim else None))

    return worker


@pytest.fixture
def worker(script: Script) -> Worker:
    return script(PROGRAM)


class TestContract(Contract):
    def test_a_loop_may_promise_its_receipt(self, worker: Worker) -> None:
        assert worker.receipt("promised") == {"calls": 1, "total": 0}

    def test_a_loop_returns_a_receipt(self, worker: Worker) -> None:
        assert worker.complaint(cases="silent:1") == "ffibench worker: a loop returned no receipt, an object"

    def test_what_every_object_has_is_no_case(self, worker: Worker) -> None:
        _, only = worker.lines(cases="toString:5")
        assert only == {"case": "toString", "unsupported": "stub has no case toString"}

    def test_a_number_is_no_larger_than_those_that_are_exact(self, worker: Worker) -> None:
        assert worker.complaint(slices="9007199254740993") == "ffibench worker: not a number: 9007199254740993"

    @pytest.mark.parametrize("value", ["undefined", "null", "true", "1.5", "NaN", "2 ** 53", "-(2 ** 63)", "[1]"])
    def test_a_receipt_is_made_of_strings_and_of_exact_numbers(self, script: Script, value: str) -> None:
        assert script(SAYS.format(value)).complaint().startswith("ffibench worker: a receipt with")

    @pytest.mark.parametrize(("value", "read"), [("2 ** 53 - 1", 2**53 - 1), ("-0", 0), ("'0042'", "0042"), ("''", "")])
    def test_numbers_stay_numbers_and_strings_strings(self, script: Script, value: str, read: int | str) -> None:
        assert script(SAYS.format(value)).receipt("sum") == {"value": read}


def test_a_shim_that_cannot_be_loaded_is_told(script: Script) -> None:
    worker = script(PROGRAM, 'throw new Error("cannot load the library");')
    assert worker.complaint() == "cannot load the library"


def test_a_source_has_what_the_shim_exports(script: Script) -> None:
    worker = script("export default (native, { text }) => console.log(native.add(20, 22), text('its helper'));")
    assert worker.run().stdout == "42 its helper\n"


def test_a_contestant_without_a_shim_has_the_clocks_of_the_runtime(script: Script) -> None:
    slices = script(PROGRAM, None).lines(cases="sum:1000000")[1:4]
    assert all(each["wall_ns"] > 0 and each["cpu_ns"] > 0 for each in slices)


def test_arguments_are_text(script: Script) -> None:
    worker = script("export default (native, { option }) => console.log(option('message'));")
    assert worker.run(message="ä=€\n").stdout == "ä=€\n\n"
