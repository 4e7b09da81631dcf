"""codec's workers, of C and of one Python binding: every slice of every case gives the oracle's receipt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from support.codec import FOLDER, PACKAGE, PAYLOAD, cases
from support.teams import Part, Player, let_go, player

from ffibench.errors import FfibenchError
from ffibench.languages import languages
from ffibench.plan.options import ContestantOptions
from ffibench.plan.parameters import read_parameters
from ffibench.worker.load import import_file
from ffibench.workflow.prepare import Prepared, prepare

NAMES = ("c", "python/ctypes")
SLICES, WARMUP = 2, 2
KEYS = [case.key for case in cases()]

Work = Callable[..., Player]


@pytest.fixture(scope="session")
def codec(private_folders: None) -> Prepared:
    return prepare("codec", ContestantOptions(contestants=NAMES))


@pytest.fixture
def work(codec: Prepared) -> Work:
    """Run a contestant over cases, so many iterations each, to its end."""

    def run(name: str, size: int, iterations: int, keys: list[str], **changes: object) -> Player:
        (command,) = (
            languages()[each.contestant.language].command(each.runtime, each.source.path, artifact)
            for each, artifact in codec.chosen
            if each.contestant.name == name and each.runtime is not None
        )
        options = {
            "experiment": "codec",
            "binding": name.rpartition("/")[2],
            "role": "worker",
            "cases": ",".join(f"{key}:{iterations}" for key in keys),
            "slices": SLICES,
            "warmup": WARMUP,
            "library": codec.library.path,
            "size": size,
            **changes,
        }
        with player(Part(command=command, options=options)) as one:
            let_go(one, lines=len(keys) * (("cold" in changes) + WARMUP + 2 * SLICES))
            one.end()
        return one

    return run


def assert_receipts(one: Player, size: int, iterations: int, keys: list[str]) -> None:
    """It ended well, and each slice said what the oracle says."""
    assert (one.status, one.errors) == (0, "")
    assert one.ready["library"].startswith("zcbor 0.")
    asked = {case.key: case for case in cases(size=size)}
    for key in keys:
        lines = [line for line in one.lines if line["case"] == key]
        assert [line["kind"] for line in lines] == ["warmup"] * WARMUP + ["timed"] * SLICES + ["empty"] * SLICES
        receipts = [line["receipt"] for line in lines if line["kind"] != "empty"]
        assert receipts == [asked[key].receipt(iterations)] * (WARMUP + SLICES), key


@pytest.mark.parametrize("iterations", [1, 11, 260])
@pytest.mark.parametrize("size", [1, 100, 65_537])
@pytest.mark.parametrize("name", NAMES)
def test_every_slice_of_every_case_gives_the_oracles_receipt(work: Work, name: str, size: int, iterations: int) -> None:
    keys = KEYS if size == 1 else [key for key in KEYS if key.startswith(PAYLOAD)]  # the others have no size
    assert_receipts(work(name, size, iterations, keys), size, iterations, keys)


@pytest.mark.parametrize("name", NAMES)
def test_cases_may_be_planned_in_any_number(work: Work, name: str) -> None:
    for keys in (["request_cbor_total"], ["payload_struct_total_default_heap", "complex_struct_decode"]):
        assert_receipts(work(name, 10, 5, keys), 10, 5, keys)


@pytest.mark.parametrize("name", NAMES)
def test_a_slice_before_the_warm_up_is_one_too(work: Work, name: str) -> None:
    one = work(name, 10, 5, ["response_struct_total"], cold=7)
    (case,) = (each for each in cases(size=10) if each.key == "response_struct_total")
    assert one.lines[0]["kind"] == "cold"
    assert one.lines[0]["receipt"] == case.receipt(7)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_case_works_on_is_made_within_the_times_that_are_reported(work: Work, name: str) -> None:
    """Undeclared work between slices made rows of large payloads invalid."""
    one = work(name, 4 << 20, 1, ["payload_struct_total"])
    first, second = one.slices("warmup")
    assert first["around_ns"] > 1_000_000
    assert second["around_ns"] > 1_000_000
    assert all("around_ns" not in line or line["around_ns"] < 1_000_000 for line in one.slices("empty"))


# --- the loops of Python ----------------------------------------------------------------------------


@pytest.fixture(scope="session")
def bench(codec: Prepared) -> Callable[[str], Any]:
    """A case's loops through ctypes, in this process."""
    (artifact,) = (artifact for each, artifact in codec.chosen if each.contestant.name == "python/ctypes")
    native = import_file(str(artifact))
    made = import_module(f"{PACKAGE}.python").Bench

    def of(case: str) -> Any:  # noqa: ANN401 (of the experiment's folder)
        return made(native, case, 5)

    return of


@pytest.mark.parametrize("loop", ["run", "empty"])
@pytest.mark.parametrize("way", ["cbor", "struct"])
@pytest.mark.parametrize(("step", "made"), [("encode", 9), ("call", 0), ("decode", 0), ("total", 9)])
def test_the_empty_loop_makes_what_the_loop_makes(
    bench: Callable[[str], Any], loop: str, way: str, step: str, made: int
) -> None:
    """Else it takes longer than a loop of little else: the rows of such were invalid."""
    one = bench(f"payload_{way}_{step}")
    one.before(9)
    loops, messages, blocks = one.loops(), one.shape.messages, one.shape.blocks
    found = {"messages": 0, "blocks": 0}

    def counted(name: str, turns: Iterable[Any]) -> Iterator[Any]:
        for each in turns:
            found[name] += 1
            yield each

    one.shape.messages = lambda count: counted("messages", messages(count))
    one.shape.blocks = lambda answers, count: counted("blocks", blocks(answers, count))
    getattr(loops, loop)(9)
    assert found == {"messages": made, "blocks": 9 * (step == "decode")}


def test_an_owned_value_is_not_what_was_overwritten(bench: Callable[[str], Any]) -> None:
    for step in ("decode", "total"):
        one = bench(f"payload_struct_{step}")
        one.before(3)
        one.loops().run(3)
        one.after(3)
        assert bytes(one.value[0])[0] == 3
        memory = one.view[:5] if step == "total" else one.ready[0]
        assert not any(memory), "what it was decoded from is"


def test_an_answer_that_the_library_refuses_ends_the_loop(bench: Callable[[str], Any]) -> None:
    one = bench("request_struct_total")
    one.before(1)
    one.room = 3
    with pytest.raises(ValueError, match="the library refuses a message: -2"):
        one.totals(1)


# --- the size ---------------------------------------------------------------------------------------


def test_sizes_that_can_be_measured() -> None:
    assert read_parameters(FOLDER.experiment, "codec", {"size": "1M"}).values["size"] == 10**6
    assert read_parameters(FOLDER.experiment, "codec", {"size": str(16 << 20)}).values["size"] == 16 << 20
    for size in ("0", "-1", str((16 << 20) + 1)):
        with pytest.raises(FfibenchError) as caught:
            read_parameters(FOLDER.experiment, "codec", {"size": size})
        told = "--set size: a payload has between 1 and 16,777,216 bytes; leave it out to use the default, 65536"
        assert str(caught.value) == told


def test_a_sweep_is_over_payloads_alone() -> None:
    assert {case.key.partition("_")[0] for case in cases() if case.parameters} == {PAYLOAD}
    assert {case.bytes for case in cases(size=77)} == {0, 77}


def test_the_header_has_what_every_language_needs() -> None:
    text = Path(FOLDER.header).read_text(encoding="utf-8")
    assert all(f" {name}(" in text or f"*{name}(" in text for name in FOLDER.experiment.functions)
