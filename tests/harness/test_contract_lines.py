"""The promise: each line of a worker is held against contract and oracle; what differs is said in a sentence."""

from __future__ import annotations

import msgspec
import pytest
from support.contestants import ITERATIONS
from support.measured import Measure, failure

from ffibench.model import WorkerCosts

NO_LINE = "printed a line that does not follow the contract: "


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        pytest.param("hello", NO_LINE + "'hello'", id="words"),
        pytest.param("", NO_LINE + "''", id="nothing"),
        pytest.param("{", NO_LINE + "'{'", id="half an object"),
        pytest.param("[1, 2]", NO_LINE + "'[1, 2]'", id="no object"),
        pytest.param("null", NO_LINE + "'null'", id="null"),
        pytest.param(
            r"\x00\x7fELF\xff\xfe", NO_LINE + r"'\x00\x7fELF" + "\N{REPLACEMENT CHARACTER}" * 2 + "'", id="binary"
        ),
        pytest.param(r'{"a": "\xff"}', NO_LINE + '\'{"a": "\N{REPLACEMENT CHARACTER}"}\'', id="not UTF-8"),
        pytest.param('{"a": ' + "[" * 50_000, NO_LINE + '\'{"a": ' + "[" * 154 + "'...", id="nested without end"),
        pytest.param(r'{"a": "\\ud800"}', NO_LINE + r"""'{"a": "\\ud800"}'""", id="half a character"),
    ],
)
@pytest.mark.parametrize("point", ["start", "slice"])
def test_what_is_not_json(line: str, sentence: str, point: str, measure: Measure) -> None:
    assert measure(trouble=rf"say:{line}\n@{point}").failure == sentence


@pytest.mark.parametrize("line", ["{}", '{"ready": null}', '{"ready": "yes"}', '{"ready": [1]}', '{"case": "send"}'])
def test_what_is_not_ready(line: str, measure: Measure) -> None:
    assert measure(trouble=rf"say:{line}\n@start").failure == f"did not report ready, but printed {line!r}"


@pytest.mark.parametrize("version", ["1" * 4000, "[" * 50 + "]" * 50, "1e300", "null"])
def test_a_version_may_be_anything(version: str, measure: Measure) -> None:
    """It is text for the table; an integer of any length must not upset its making."""
    plain = measure(trouble=rf'say:{{"ready": {{"library": {version}}}}}\n@start')
    assert "library" in plain.versions
    # The worker's own ready then stands where the first slice was due.
    assert failure(plain).startswith('printed a line that does not follow the contract: \'{"ready"')


@pytest.mark.parametrize(
    ("costs", "sentence"),
    [
        ('{"import_ns": 0}', "Expected `int` >= 1 - at `$.import_ns`"),
        ('{"import_ns": -1}', "Expected `int` >= 1 - at `$.import_ns`"),
        ('{"first_call_ns": 5}', "Object missing required field `import_ns`"),
        ('{"import_ns": 5, "rss_bytes": "much"}', "Expected `int | null`, got `str` - at `$.rss_bytes`"),
        ("[1]", "Expected `object`, got `array`"),
    ],
)
def test_costs_that_no_binding_has(costs: str, sentence: str, measure: Measure) -> None:
    said = measure(trouble=rf'say:{{"ready": {{"costs": {costs}}}}}\n@start')
    assert said.failure == f"reported invalid costs of its binding: {sentence}"


def test_costs_are_kept_and_are_no_version(measure: Measure) -> None:
    line = r'{"ready": {"costs": {"import_ns": 5, "pss_bytes": -4096}}}'
    kept = measure(trouble=rf"say:{line}\n@start")
    assert kept.costs == WorkerCosts(import_ns=5, pss_bytes=-4096)
    assert kept.versions == {}


def line_of(**changes: object) -> str:
    right: dict[str, object] = {
        "case": "send",
        "slice": 0,
        "kind": "timed",
        "wall_ns": 27_000,
        "cpu_ns": 27_000,
        "receipt": {"sends": ITERATIONS},
    }
    return msgspec.json.encode({**right, **changes}).decode()


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(line_of(wall_ns="27"), id="a time in words"),
        pytest.param(line_of(wall_ns=1.5), id="a broken time"),
        pytest.param(line_of(wall_ns=None), id="no time"),
        pytest.param(line_of(wall_ns=True), id="yes for a time"),
        pytest.param(line_of().replace("27000", "NaN"), id="NaN"),
        pytest.param(line_of().replace("27000", "Infinity"), id="infinity"),
        pytest.param(line_of().replace("27000", "1e999"), id="too large for a number"),
        pytest.param(line_of(kind="lukewarm"), id="an unknown kind"),
        pytest.param(line_of(receipt=[1]), id="a list for a receipt"),
        pytest.param(line_of(receipt={"sends": 1.5}), id="a fraction in a receipt"),
        pytest.param(line_of(figures={"first": "soon"}), id="a figure in words"),
        pytest.param('{"case": "send"}', id="nearly nothing"),
        pytest.param("{}", id="nothing"),
        pytest.param('{"case": "other", "unsupported": "no"}', id="a case that is not its turn"),
    ],
)
def test_a_line_of_a_wrong_shape(line: str, measure: Measure) -> None:
    said = failure(measure(trouble=rf"say:{line}\n@slice"))
    assert said == f"printed a line that does not follow the contract: {line!r}"


@pytest.mark.parametrize(
    ("changes", "times"),
    [
        ({"wall_ns": 0}, "wall 0 ns, CPU 27,000 ns"),
        ({"wall_ns": -5}, "wall -5 ns, CPU 27,000 ns"),
        ({"cpu_ns": -1}, "wall 27,000 ns, CPU -1 ns"),
        ({"wall_ns": 10**400}, f"wall '1{'0' * 159}'... ns, CPU 27,000 ns"),
        ({"cpu_ns": 2**63}, "wall 27,000 ns, CPU 9,223,372,036,854,775,808 ns"),
    ],
)
def test_a_time_that_cannot_be(changes: dict[str, int], times: str, measure: Measure) -> None:
    """Zero has no logarithm, and a time beyond 64 bits does not fit into any figure made of it."""
    said = failure(measure(trouble=rf"say:{line_of(**changes)}\n@slice"))
    assert said == f"reported an invalid time: {times}"


@pytest.mark.parametrize(
    ("changes", "printed"),
    [
        ({"slice": 1}, "slice 1 of 'send' timed"),
        ({"kind": "empty"}, "slice 0 of 'send' empty"),
        ({"case": "receive"}, "slice 0 of 'receive' timed"),
        ({"case": "x" * 1000}, f"slice 0 of '{'x' * 160}'... timed"),
    ],
)
def test_a_slice_out_of_order(changes: dict[str, object], printed: str, measure: Measure) -> None:
    said = failure(measure(trouble=rf"say:{line_of(**changes)}\n@slice"))
    assert said == f"printed {printed}, expected slice 0 of send timed"


def test_a_slice_too_many(measure: Measure) -> None:
    said = failure(measure(trouble=rf"say:{line_of(kind='empty', slice=2)}\n@end"))
    assert said.startswith('printed more than the contract allows: \'{"case":"send","slice":2')


def test_half_a_line(measure: Measure) -> None:
    assert measure(trouble='say:{"case": "se@closed').failure == (
        'printed more than the contract allows: \'{"case": "se\''
    )


@pytest.mark.parametrize("point", ["start", "slice"])
def test_a_line_without_end(point: str, measure: Measure) -> None:
    assert measure(trouble=f"flood@{point}").failure == "printed a line of more than 65,536 bytes"


@pytest.mark.parametrize("point", ["end", "closed"])
def test_output_without_end(point: str, measure: Measure) -> None:
    assert failure(measure(trouble=f"flood@{point}")).startswith("printed more than the contract allows: 'xxx")


@pytest.mark.parametrize(
    ("receipt", "sentence"),
    [
        ({"sends": 999}, "reported sends = 999 in warmup slice 0 of send, expected 1,000"),
        ({"sends": 10**30}, f"reported sends = {10**30:,} in warmup slice 0 of send, expected 1,000"),
        ({"sends": "1000"}, "reported sends = '1000' in warmup slice 0 of send, expected 1,000"),
        ({"sends": "\x1b[2J"}, r"reported sends = '\x1b[2J' in warmup slice 0 of send, expected 1,000"),
        ({"sends": "y" * 900}, f"reported sends = '{'y' * 160}'... in warmup slice 0 of send, expected 1,000"),
        ({}, "reported sends = nothing in warmup slice 0 of send, expected 1,000"),
        ({"sent": 1000}, "reported sends = nothing in warmup slice 0 of send, expected 1,000"),
        ({"sends": 1000, "lost": 3}, "reported unexpected fields in send: 'lost'"),
    ],
)
def test_another_receipt_than_the_oracles(receipt: dict[str, object], sentence: str, measure: Measure) -> None:
    record = measure(receipt=msgspec.json.encode(receipt).decode())
    assert record.failure == sentence
    assert len(record.slices) == 5


def test_one_wrong_receipt_is_one_too_many(measure: Measure) -> None:
    record = measure(receipt='{"sends": 0}', receipt_of="timed:1")
    assert failure(record) == "reported sends = 0 in timed slice 1 of send, expected 1,000"
    assert measure(receipt='{"sends": 0}', receipt_of="empty:1").failure is None  # an empty loop does nothing
