"""The worker contract in JavaScript: the kit in a process of Node, Deno or Bun, with a stub in place of a shim."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from support.javascript import GO, Scripted, runtime_or_skip

SCRIPT = """\
export default async function (native, worker) {
    let sum = 0;
    const receipt = () => ({ sum, text: '12\\n"', big: 2n ** 64n - 1n });
    const empty = () => {};
    await worker.serve({
        library: '1.2 "x"',
        endpoint: worker.option("binding") === "waits" ? "tcp://127.0.0.1:1" : undefined,
        cases: {
            sum: {
                run(n) {
                    for (let i = 0; i < n; i++) sum = native.add(sum, 1);
                    return receipt();
                },
                empty,
            },
            promised: {
                before: (n) => { sum = n * 100; },
                async run(n) {
                    for (let i = 0; i < n; i++) sum = await native.add(sum, 1);
                    return { sum };
                },
                after: async (n) => ({ limit: native.LIMIT }),
                figures: () => ({ first_ns: 5 }),
                empty,
            },
            dies: { run() { throw new Error("add: it went wrong"); }, empty },
            silent: { run() {}, empty },
            never: "it has no such call",
        },
    });
    console.error("torn down");
}
"""


@pytest.fixture(params=["node", "deno", "bun"])
def scripted(request: pytest.FixtureRequest, tmp_path: Path) -> Scripted:
    return Scripted(runtime_or_skip(request.param), tmp_path)


def lines(answer: subprocess.CompletedProcess[str]) -> list[dict[str, object]]:
    assert answer.returncode == 0, answer.stderr
    return [json.loads(line) for line in answer.stdout.splitlines()]


def test_ready_then_a_line_a_slice_then_the_end(scripted: Scripted) -> None:
    answer = scripted.run(SCRIPT)
    ready, *slices = lines(answer)
    assert ready == {"ready": {"library": '1.2 "x"'}}
    assert [(each["case"], each["kind"], each["slice"]) for each in slices] == [
        ("sum", "warmup", 0),
        ("sum", "timed", 0),
        ("sum", "timed", 1),
        ("sum", "empty", 0),
        ("sum", "empty", 1),
    ]
    assert [each.get("receipt") for each in slices] == [
        *({"sum": sum_, "text": '12\n"', "big": 2**64 - 1} for sum_ in (10, 20, 30)),
        *(None, None),
    ]
    assert all(isinstance(each[clock], int) for each in slices for clock in ("wall_ns", "cpu_ns"))
    assert not [each for each in slices if "around_ns" in each or "figures" in each]
    assert answer.stderr == "torn down\n"


def test_what_is_done_around_a_slice_and_the_first_calls(scripted: Scripted) -> None:
    _, *slices = lines(scripted.run(SCRIPT, cases="promised:3", cold="2", slices="1"))
    assert [each["kind"] for each in slices] == ["cold", "warmup", "timed", "empty"]
    assert [each.get("receipt") for each in slices] == [
        {"sum": 202, "limit": 7},
        {"sum": 303, "limit": 7},
        {"sum": 303, "limit": 7},
        None,
    ]
    assert [each.get("figures") for each in slices] == [{"first_ns": 5}] * 3 + [None]
    assert [isinstance(each.get("around_ns"), int) for each in slices] == [True] * 3 + [False]


def test_an_endpoint_is_reported(scripted: Scripted) -> None:
    ready, *_ = lines(scripted.run(SCRIPT, binding="waits"))
    assert ready == {"ready": {"library": '1.2 "x"', "endpoint": "tcp://127.0.0.1:1"}}


def test_it_waits_for_go_and_stays_until_its_input_closes(scripted: Scripted) -> None:
    command = [*scripted.command(SCRIPT), "binding=stub", "slices=1", "warmup=0", "cases=sum:3"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        assert "ready" in worker.stdout.readline()
        worker.stdin.write(GO)
        worker.stdin.flush()
        assert '"timed"' in worker.stdout.readline()
        assert '"empty"' in worker.stdout.readline()
        assert worker.poll() is None
        _, errors = worker.communicate(timeout=60)
        assert (worker.returncode, errors) == (0, "torn down\n")


@pytest.mark.parametrize(
    ("cases", "told"),
    [
        ("never:5", {"case": "never", "unsupported": "it has no such call"}),
        ("other:5", {"case": "other", "unsupported": "stub has no case other"}),
        ("toString:5", {"case": "toString", "unsupported": "stub has no case toString"}),
    ],
)
def test_a_case_that_it_cannot_run_is_told_once(scripted: Scripted, cases: str, told: dict[str, str]) -> None:
    assert lines(scripted.run(SCRIPT, cases=cases))[1:] == [told]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"told": "stop\n"}, "ffibench worker: expected go on standard input"),
        ({"told": ""}, "ffibench worker: expected go on standard input"),
        ({"cases": "sum:ten"}, "ffibench worker: not a number: ten"),
        ({"cases": "sum"}, "ffibench worker: not of the form NAME:ITERATIONS: sum"),
        ({"slices": "-1"}, "ffibench worker: not a number: -1"),
        ({"slices": "9007199254740993"}, "ffibench worker: not a number: 9007199254740993"),
        ({"cases": "dies:1"}, "add: it went wrong"),
        ({"cases": "silent:1"}, "ffibench worker: a loop returned no receipt, an object"),
        ({"shim": 'throw new Error("cannot load the library");'}, "cannot load the library"),
        (
            {"script": "export default async (native, worker) => worker.option('message');"},
            "ffibench worker: missing argument: message",
        ),
    ],
)
def test_a_mistake_is_told_in_the_last_line_with_a_status(
    scripted: Scripted, changes: dict[str, str], said: str
) -> None:
    answer = scripted.run(**{"script": SCRIPT, **changes})
    assert answer.returncode != 0
    assert answer.stderr.splitlines()[-1] == said


def receipt_of(scripted: Scripted, value: str) -> subprocess.CompletedProcess[str]:
    loops = f"{{ run: () => ({{ value: {value} }}), empty() {{}} }}"
    script = f"export default (native, worker) => worker.serve({{ cases: {{ sum: {loops} }} }});"
    return scripted.run(script, slices="1", warmup="0")


@pytest.mark.parametrize("value", ["undefined", "null", "true", "1.5", "NaN", "2 ** 53", "-(2 ** 63)", "[1]"])
def test_a_receipt_is_made_of_strings_and_of_whole_numbers_that_are_exact(scripted: Scripted, value: str) -> None:
    answer = receipt_of(scripted, value)
    assert answer.returncode != 0
    assert "ffibench worker: a receipt with" in answer.stderr


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("2n ** 64n - 1n", 2**64 - 1),
        ("-(2n ** 63n)", -(2**63)),
        ("2 ** 53 - 1", 2**53 - 1),
        ("-0", 0),
        ("'0042'", "0042"),
        ("''", ""),
        (r"'a\"b\\\t\n'", 'a"b\\\t\n'),
        ("'\u00e4\u20ac'", "\u00e4\u20ac"),
    ],
)
def test_numbers_stay_numbers_and_strings_strings(scripted: Scripted, value: str, read: int | str) -> None:
    _, timed, _ = lines(receipt_of(scripted, value))
    assert timed["receipt"] == {"value": read}


def test_a_contestant_without_a_shim_has_the_runtime_s_own_clocks(scripted: Scripted) -> None:
    script = "let a = 0; const run = (n) => { while (n--) a += 1; return { a }; };"
    script += " export default (native, { serve }) => serve({ cases: { sum: { run, empty: run } } });"
    _, *slices = lines(scripted.run(script, shim=None, cases="sum:3000000"))
    assert all(isinstance(each["wall_ns"], int) and each["wall_ns"] > 100_000 for each in slices)
    assert all(isinstance(each["cpu_ns"], int) and each["cpu_ns"] > 0 for each in slices)


def test_arguments_are_text(scripted: Scripted) -> None:
    script = "export default (native, { option }) => console.log(option('message'));"
    assert scripted.run(script, message="\u00e4=\u20ac\n").stdout == "\u00e4=\u20ac\n\n"
