"""The promise: a file that is no run, or none that can be, is said to be none, with the place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from support.contestants import planned_case
from support.run_files import DOCUMENT, RUN, document_with, full
from support.runs import watched

from ffibench.errors import FfibenchError
from ffibench.model import SCHEMA_VERSION
from ffibench.results.store import load


class TestLoading:
    @pytest.fixture
    def told(self, tmp_path: Path) -> Callable[[bytes], str]:
        def load_it(data: bytes) -> str:
            path = tmp_path / "run.json"
            path.write_bytes(data)
            with pytest.raises(FfibenchError) as error:
                load(path)
            assert str(error.value).startswith(f"{path} ")
            return str(error.value).removeprefix(f"{path} ")

        return load_it

    def test_no_file(self, tmp_path: Path) -> None:
        path = tmp_path / "none.json"
        with pytest.raises(FfibenchError, match=rf"^cannot read {path}: No such file or directory; `ffibench show`"):
            load(path)

    def test_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(FfibenchError, match="it is a folder, and no file"):
            load(tmp_path)

    @pytest.mark.parametrize(
        "data",
        [
            pytest.param(b"", id="nothing"),
            pytest.param(b"\x7fELF\x02\x01\xff", id="a program"),
            pytest.param(b"contestant,ns\nc,22\n", id="a table"),
            pytest.param(b"[]", id="another document"),
            pytest.param(b"{}", id="an empty one"),
            pytest.param(b'{"benchmarks": [{"name": "send"}]}', id="a file of pytest-benchmark"),
            pytest.param(DOCUMENT[:-1], id="all but the last byte"),
            pytest.param(DOCUMENT[: len(DOCUMENT) // 2], id="half of it"),
            pytest.param(DOCUMENT + b"}", id="more than it"),
            pytest.param(DOCUMENT.replace(b"gcc", b"\xff\xfe\xfd"), id="not UTF-8"),
            pytest.param(b"[" * 200_000, id="nested without end"),
            pytest.param(b'{"schema": ' + b"9" * 5000 + b"}", id="a number without end"),
        ],
    )
    def test_no_run_file(self, data: bytes, told: Callable[[bytes], str]) -> None:
        sentence = told(data)
        assert sentence.startswith("is not a run file: ")
        assert sentence.endswith("; `ffibench run --json FILE` writes one")
        assert "\n" not in sentence

    @pytest.mark.parametrize(
        ("place", "value", "words"),
        [
            (("plan", "slices"), "three", "Expected `int`, got `str` - at `$.plan.slices`"),
            (("plan", "workers", 1, "contestant", "name"), 5, "at `$.plan.workers[1].contestant.name`"),
            (("plan", "mode"), "lazy", "Invalid enum value 'lazy' - at `$.plan.mode`"),
            (
                ("rounds", 2, "records", 0, "slices", 1, "wall_ns"),
                None,
                "at `$.rounds[2].records[0].slices[1].wall_ns`",
            ),
            (("ending",), "bored", "at `$.ending`"),
            (("rounds",), {}, "at `$.rounds`"),
        ],
    )
    def test_a_wrong_type_is_told_with_its_place(
        self, place: tuple[str | int, ...], value: object, words: str, told: Callable[[bytes], str]
    ) -> None:
        assert words in told(document_with(place, value))

    @pytest.mark.parametrize(
        ("place", "value", "words"),
        [
            (("plan", "cases", 0, "iterations"), 0, "Expected `int` >= 1 - at `$.plan.cases[0].iterations`"),
            (("plan", "cases", 0, "iterations"), 10**400, "<= 9223372036854775807 - at `$.plan.cases[0].iterations`"),
            (("plan", "cases", 0, "iterations"), -5, "Expected `int` >= 1 - at `$.plan.cases[0].iterations`"),
            (
                ("rounds", 2, "records", 1, "slices", 3, "wall_ns"),
                0,
                "0 ns - at `$.rounds[2].records[1].slices[3].wall_ns`",
            ),
            (
                ("rounds", 2, "records", 1, "slices", 3, "wall_ns"),
                -7,
                "-7 ns - at `$.rounds[2].records[1].slices[3].wall_ns`",
            ),
            (
                ("rounds", 0, "records", 0, "slices", 1, "wall_ns"),
                10**400,
                "at `$.rounds[0].records[0].slices[1].wall_ns`",
            ),
            (("rounds", 4, "records", 1, "usage"), None, "no usage and no failure - at `$.rounds[4].records[1]`"),
            (("plan", "workers"), [], "no baseline c - at `$.plan.workers`"),
            (("plan", "workers", 0, "contestant", "name"), "d", "no baseline c - at `$.plan.workers`"),
            (("plan", "precision"), -0.5, "Expected `float` >= 0.0 - at `$.plan.precision`"),
            (("audits", 1, "operations"), 0, "Expected `int` >= 1 - at `$.audits[1].operations`"),
            (("rounds", 3, "host", "suspended_s"), -1.0, "Expected `float` >= 0.0 - at `$.rounds[3].host.suspended_s`"),
            (
                ("rounds", 0, "records", 0, "slices", 1, "cpu_ns"),
                -(10**400),
                "A slice of a number of 401 digits ns - at `$.rounds[0].records[0].slices[1].cpu_ns`",
            ),
        ],
    )
    def test_a_value_that_cannot_be_is_told_with_its_place(
        self, place: tuple[str | int, ...], value: object, words: str, told: Callable[[bytes], str]
    ) -> None:
        """Each of these would end a comparison in the middle."""
        assert words in told(document_with(place, value))

    def test_two_workers_of_one_name(self, told: Callable[[bytes], str]) -> None:
        worker = msgspec.to_builtins(RUN.plan.workers[0])
        assert "c [gcc 12.2.0] twice - at `$.plan.workers`" in told(
            document_with(("plan", "workers"), [worker, worker])
        )

    @pytest.mark.parametrize("name", ["real_s", "user_s", "system_s"])
    def test_a_process_may_have_used_no_time_that_the_system_counts(self, name: str, tmp_path: Path) -> None:
        (tmp_path / "run.json").write_bytes(document_with(("rounds", 0, "records", 0, "usage", name), 0.0))
        assert load(tmp_path / "run.json").rounds[0].records[0].usage is not None

    @pytest.mark.parametrize("more", [{}, {"plan": None}, {"plan": {"cases": "elsewhere"}}])
    def test_a_newer_schema_is_told_before_anything_else(
        self, more: dict[str, object], told: Callable[[bytes], str]
    ) -> None:
        """What else is in it nobody here can know."""
        newer = msgspec.json.encode({**msgspec.json.decode(DOCUMENT), **more, "schema": 99})
        assert told(newer) == f"has schema 99, this ffibench reads {SCHEMA_VERSION}; pip install --upgrade ffibench"

    def test_a_schema_that_is_no_longer_known_asks_for_a_new_run(self, told: Callable[[bytes], str]) -> None:
        said = told(document_with(("schema",), 0))
        assert said == f"has schema 0, this ffibench reads {SCHEMA_VERSION}; run it again"

    def test_a_file_from_before_the_host_told_more(self, tmp_path: Path) -> None:
        document: Any = msgspec.json.decode(msgspec.json.encode(full()))
        del document["before"], document["after"], document["plan"]["interpreters"]
        old = ("system", "machine", "processor", "processors", "pinned_to", "governor", "virtualisation", "tool")
        document["host"] = {name: document["host"][name] for name in old}
        for each in document["rounds"]:
            each["host"] = {name: each["host"][name] for name in ("load1", "pressure", "steal")}
        path = tmp_path / "old.json"
        path.write_bytes(msgspec.json.encode(document))
        assert load(path) == full()

    def test_a_case_that_has_no_rows_needs_no_baseline(self, tmp_path: Path) -> None:
        """Its role is only played beside another."""
        workers = [replace(worker, cases=("send",)) for worker in RUN.plan.workers]
        plan = replace(RUN.plan, cases=(*RUN.plan.cases, planned_case("receive")), workers=tuple(workers))
        run = replace(RUN, plan=plan)
        (tmp_path / "run.json").write_bytes(msgspec.json.encode(run))
        assert load(tmp_path / "run.json") == run

    def test_further_fields_are_passed_over(self, tmp_path: Path) -> None:
        (tmp_path / "run.json").write_bytes(document_with(("note",), "by hand"))
        assert load(tmp_path / "run.json") == watched(RUN)
