"""The promise: a suite is two files in a folder, and what is wrong with them is said by their names."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.schemas import SUITES

from ffibench.errors import FfibenchError
from ffibench.schema.suites import choose_suites, find_suites

SHIPPED = (
    *("array_float", "array_int", "array_sfixed", "array_string", "array_struct", "complex", "empty", "nested"),
    *("optional", "struct", "tags"),
)
JSON_BYTES_MAX = 200_000


def folder_of(path: Path, *names: str) -> Path:
    for name in names:
        (path / name).touch()
    return path


def refused(folder: Path) -> FfibenchError:
    with pytest.raises(FfibenchError) as error:
        find_suites(folder)
    return error.value


def test_the_suites_that_ship_are_found_by_their_files() -> None:
    assert tuple(each.name for each in find_suites(SUITES)) == SHIPPED


def test_no_message_that_ships_is_large() -> None:
    assert all(each.json.stat().st_size < JSON_BYTES_MAX for each in find_suites(SUITES))


def test_each_schema_that_ships_says_what_its_messages_are_like() -> None:
    assert all(each.proto.read_text(encoding="utf-8").startswith("// ") for each in find_suites(SUITES))


def test_suites_are_sorted_and_other_files_are_none(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, "b.proto", "b.json", "a.proto", "a.json", "notes.txt", ".hidden.proto")
    (folder / "parts").mkdir()
    (folder / "parts/shared.proto").touch()
    assert [each.name for each in find_suites(folder)] == ["a", "b"]


@pytest.mark.parametrize(("there", "missing"), [("a.proto", "a.json"), ("a.json", "a.proto")])
def test_half_a_suite_is_refused_by_both_names(tmp_path: Path, there: str, missing: str) -> None:
    error = refused(folder_of(tmp_path, there))
    assert error.reason == f"{tmp_path / there} has no {tmp_path / missing} beside it"
    assert error.fix == "a suite is both; a schema that others import lies in a folder below"


@pytest.mark.parametrize("name", ["1st", "with-dash", "dotted.name", "größe"])
def test_a_name_that_is_none_in_c_is_refused(tmp_path: Path, name: str) -> None:
    error = refused(folder_of(tmp_path, f"{name}.proto", f"{name}.json"))
    assert "functions of C are named after a suite" in error.reason
    assert error.fix == "name both files with letters, digits and _, a letter first"


def test_a_folder_without_suites_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path).reason == f"no suite in {tmp_path}"
    assert refused(tmp_path / "none").reason == f"no folder {tmp_path / 'none'}"


def test_globs_choose_in_the_order_of_names() -> None:
    chosen = choose_suites(find_suites(SUITES), ["tags", "array_s*"])
    assert [each.name for each in chosen] == ["array_sfixed", "array_string", "array_struct", "tags"]
    assert choose_suites(find_suites(SUITES), []) == find_suites(SUITES)


def test_a_glob_that_matches_none_says_which_there_are() -> None:
    with pytest.raises(FfibenchError) as error:
        choose_suites(find_suites(SUITES), ["array_*", "arrays_*"])
    assert error.value.reason == "--suite arrays_*: no suite has such a name"
    assert error.value.fix == f"there are {', '.join(SHIPPED)}"
