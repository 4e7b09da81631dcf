"""The promise: an export is a file in a folder, and the JSON one is the run file itself."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from support.run_files import save_compared
from support.runs import run_of

from ffibench.model import SCHEMA_VERSION, Run
from ffibench.report import exports as package
from ffibench.report.exports import Export, exports
from ffibench.report.options import ReportOptions
from ffibench.report.report import make_report
from ffibench.results.compare import compare
from ffibench.results.store import load

RUN = run_of({"c": [20.0] * 6, "control": [20.0] * 6, "python/a": [50.0] * 6}, audited=False)
COMPARISON = compare(RUN)

FIELDS = (
    "contestant, role, interpreter, case, clock, iterations, rounds, gross_ns, net_ns, added_ns, "
    "ratio, ratio_low, ratio_high, tie, lock, valid"
).split(", ")


def test_every_file_of_the_folder_is_an_export() -> None:
    files = {path.stem for path in Path(str(package.__file__)).parent.glob("*.py")} - {"__init__"}
    assert set(exports()) == files
    assert files >= {"json", "markdown"}


@pytest.mark.parametrize("export", exports().values(), ids=lambda export: export.name)
def test_an_export_can_be_offered_on_the_command_line(export: Export) -> None:
    assert export.name == export.name.lower()
    assert export.help
    assert not export.help.endswith(".")  # it stands inside a sentence
    assert all(alias.startswith("--") for alias in export.aliases)


@pytest.mark.parametrize("export", exports().values(), ids=lambda export: export.name)
@pytest.mark.parametrize("rate", [None, 100_000])
@pytest.mark.parametrize("run", [RUN, replace(RUN, rounds=(), ending="interrupted")], ids=["run", "empty"])
def test_an_export_ends_with_one_newline(export: Export, rate: int | None, run: Run) -> None:
    text = export.text(make_report(run, compare(run), ReportOptions(rate=rate)))
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert "\x1b" not in text


def test_no_two_exports_share_an_option() -> None:
    options = [option for export in exports().values() for option in (f"--export-{export.name}", *export.aliases)]
    assert len(set(options)) == len(options)


class TestJson:
    def test_it_is_the_run_file(self, tmp_path: Path) -> None:
        text = exports()["json"].text(make_report(RUN, COMPARISON))
        (tmp_path / "exported.json").write_text(text, encoding="utf-8")
        save_compared(RUN, tmp_path / "kept.json")
        assert load(tmp_path / "exported.json") == load(tmp_path / "kept.json") == RUN
        assert text.encode() == (tmp_path / "kept.json").read_bytes() + b"\n"

    def test_its_rows_carry_what_is_promised(self) -> None:
        document = msgspec.json.decode(exports()["json"].text(make_report(RUN, COMPARISON)))
        assert document["schema"] == SCHEMA_VERSION
        assert len(document["summary"]) == 3
        for row in document["summary"]:
            assert set(FIELDS) <= row.keys()
        (row,) = [row for row in document["summary"] if row["contestant"] == "python/a"]
        assert {name: row[name] for name in FIELDS} == {
            "contestant": "python/a",
            "role": "worker",
            "interpreter": "CPython 3.11.7",
            "case": "send",
            "clock": "wall",
            "iterations": 1000,
            "rounds": 6,
            "gross_ns": 50.0,
            "net_ns": 49.0,
            "added_ns": 30.0,
            "ratio": pytest.approx(2.5),
            "ratio_low": pytest.approx(2.5),
            "ratio_high": pytest.approx(2.5),
            "tie": "",
            "lock": "held",
            "valid": True,
        }

    def test_every_slice_of_every_round_is_in_it(self) -> None:
        document = msgspec.json.decode(exports()["json"].text(make_report(RUN, COMPARISON)))
        slices = [each for part in document["rounds"] for record in part["records"] for each in record["slices"]]
        assert len(slices) == 6 * 3 * 5
        assert all({"case", "slice", "kind", "wall_ns", "cpu_ns"} <= each.keys() for each in slices)
        assert document["plan"]["library"]["sha256"] == "0" * 64
        assert document["rounds"][0]["records"][0]["usage"]["peak_rss_bytes"] == 10_000_000
