"""What this machine can run of an experiment, why not the rest, and which of it a user means."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ffibench.builds.library import find_library
from ffibench.catalog import Candidate, candidates, experiment_names, find_experiment
from ffibench.catalog.candidates import contestant_names
from ffibench.catalog.selection import select
from ffibench.errors import FfibenchError
from ffibench.languages import languages
from ffibench.model import BASELINE, CONTROL
from ffibench.model.runtime import Missing
from ffibench.shims.technology import technologies

XSUB = find_experiment("xsub")
LACKING = Missing(reason="it is not here", fix="apt-get install it")


def found() -> list[Candidate]:
    return candidates(XSUB)


def lacking(name: str) -> list[Candidate]:
    return [replace(each, missing=LACKING) if each.contestant.name == name else each for each in found()]


def names(chosen: tuple[Candidate, ...]) -> list[str]:
    return [candidate.contestant.name for candidate in chosen]


def test_baseline_and_control_come_first_and_are_one_program() -> None:
    first, second, *others = found()
    assert (first.contestant.name, second.contestant.name) == (BASELINE, CONTROL)
    assert not {BASELINE, CONTROL} & {each.contestant.name for each in others}
    library = find_library(XSUB.experiment, XSUB.path, None)
    projects = [each.project(XSUB, library, {}) for each in (first, second)]
    assert projects[0] is not None
    assert projects[1] is not None
    assert projects[0].locate() == projects[1].locate()


def test_every_contestant_knows_its_binding_s_version() -> None:
    versions = {each.contestant.name: each.contestant.version for each in found() if each.missing is None}
    assert all(versions.values())
    assert versions["python/pybind11"] == versions["python/pybind11~nogil"] != versions["python/capi"]


def test_what_becomes_of_a_lock_is_told_by_the_name_that_the_language_has_for_it() -> None:
    told = {each.contestant.name: each.lock for each in found()}
    assert (told["python/pybind11"], told["python/pybind11~nogil"]) == ("GIL held", "GIL released")
    assert {told[name] for name in told if not name.startswith("python/")} == {""}


def test_who_says_what_becomes_of_a_lock_has_a_language_with_one() -> None:
    for each in (each for name in experiment_names() for each in candidates(find_experiment(name))):
        assert (each.contestant.lock is not None) == (languages()[each.contestant.language].lock is not None), each


def test_a_contestant_that_brings_its_library_says_so() -> None:
    own = {each.contestant.name for each in found() if each.contestant.own_library}
    assert own == {"python/pyzmq", "python/pyzmq-raw"}


def test_no_pattern_means_all_that_can_run() -> None:
    chosen = select(lacking("perl/xs"), ())
    assert "perl/xs" not in names(chosen.present)
    assert chosen.unavailable == ()  # Perl is optional: nothing else changes
    assert names(chosen.present)[:2] == [BASELINE, CONTROL]


def test_what_is_not_optional_is_missed() -> None:
    chosen = select(lacking("python/capi"), ())
    assert [(each.contestant.name, each.reason) for each in chosen.unavailable] == [
        ("python/capi", "it is not here; apt-get install it")
    ]


def test_what_is_optional_is_missed_where_a_pattern_can_mean_nothing_else() -> None:
    told = [("perl/xs", "it is not here; apt-get install it")]
    for patterns in (("perl/x*",), ("perl/x*", "python/*")):
        missed = select(lacking("perl/xs"), patterns).unavailable
        assert [(each.contestant.name, each.reason) for each in missed] == told
    assert select(lacking("perl/xs"), ("*",)).unavailable == ()
    another = replace(next(each for each in found() if each.contestant.name == "perl/platypus"), missing=None)
    assert select([*lacking("perl/xs"), another], ("perl/x*",)).unavailable
    assert select([*lacking("perl/xs"), another], ("perl/*",)).unavailable == ()


def test_globs_choose_and_the_baseline_always_takes_part() -> None:
    chosen = names(select(found(), ("python/*nogil",)).present)
    assert chosen[:2] == [BASELINE, CONTROL]
    assert {*chosen[2:]} == {f"python/{name}~nogil" for name in ("capi", "cython", "nanobind", "pybind11")}
    assert names(select(found(), ("c",)).present) == [BASELINE, CONTROL]


def test_a_binding_that_must_be_asked_for_is_asked_for_by_its_name() -> None:
    def chosen(*patterns: str) -> set[str]:
        everybody = contestant_names(XSUB)
        return {*names(select(candidates(XSUB, patterns=patterns), patterns, everybody).present)} - {BASELINE, CONTROL}

    assert chosen("c/no-plt", "python/ctypes~untyped") == {"c/no-plt", "python/ctypes~untyped"}
    assert not {"c/no-plt", "python/ctypes~untyped"} & (chosen() | chosen("*"))
    assert "c/static" not in contestant_names(XSUB)  # the library's sources are not here


def test_one_may_be_asked_for_by_a_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    capi = next(each for each in technologies() if each.name == "capi")
    monkeypatch.setitem(capi.bindings, "capi", replace(capi.bindings["capi"], asked="pattern"))

    def chosen(*patterns: str) -> bool:
        return "python/capi" in {each.contestant.name for each in candidates(XSUB, patterns=patterns)}

    assert [chosen(), chosen("python/*"), chosen("*"), chosen("perl/*")] == [False, True, True, False]


def test_a_pattern_that_names_none_is_a_mistake() -> None:
    with pytest.raises(FfibenchError, match=r"no contestant 'python/nanobid' \(did you mean python/nanobind"):
        select(found(), ("python/nanobid",))


def test_a_missing_contestant_asked_for_by_name_is_told_with_the_command() -> None:
    with pytest.raises(FfibenchError, match="perl/xs cannot run here: it is not here; apt-get install it"):
        select(lacking("perl/xs"), ("perl/xs",))
    assert names(select(lacking("perl/xs"), ("*",)).present)  # a glob asks for what there is


def test_without_a_baseline_there_is_no_run() -> None:
    with pytest.raises(FfibenchError, match="c cannot run here"):
        select(lacking(BASELINE), ())


def test_python_without_its_header_has_no_compiled_shims(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(languages()["python"], "build_needs", lambda *_: LACKING)
    missing = {each.contestant.name for each in found() if each.missing == LACKING}
    assert {"python/capi", "python/pybind11", "python/cffi-api"} <= missing
    assert not {"python/ctypes", "python/pyzmq", "python/cffi-abi", BASELINE} & missing
