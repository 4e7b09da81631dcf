"""Names of a header that a language, a technology or a template keeps for itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ffibench.builds.project import Project
from ffibench.headers.reader import parse
from ffibench.shims.render import local_names
from ffibench.shims.technology import read_technology, technologies

MakeProject = Callable[..., Project]


def test_local_names_clash_with_nothing() -> None:
    header = parse(
        '# 1 "a.h"\nint f(int class, int class_, int class__, int f, const char *x, int x_memory);\n', Path("a.h")
    )
    (function,) = local_names(header.functions, {"class", "*_memory"})
    assert [each.name for each in function.parameters] == ["class___", "class_", "class__", "f_", "x", "x_memory_"]


def test_a_length_that_is_renamed_is_still_the_length() -> None:
    text = '# 1 "a.h"\ntypedef unsigned long size_t;\nint f(const void *data, size_t class);\n'
    (function,) = local_names(parse(text, Path("a.h")).functions, {"class"})
    assert [(each.name, each.length) for each in function.parameters] == [("data", "class_"), ("class_", None)]


@pytest.mark.parametrize(("flag", "name"), [("-fsigned-char", "c_byte"), ("-funsigned-char", "c_ubyte")])
def test_plain_char_is_signed_as_the_compiler_has_it(
    make_project: MakeProject, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, flag: str, name: str
) -> None:
    header = tmp_path / "char.h"
    header.write_text("char same_char(char value);\n")
    monkeypatch.setenv("CPPFLAGS", flag)
    (text,) = make_project("ctypes", header=header, functions=("same_char",)).render().values()
    assert f"same_char.argtypes = [ctypes.{name}]" in text


@pytest.mark.parametrize(("language", "named"), [("python", {"END", "OTHER"}), ("perl", {"None", "OTHER"})])
def test_a_constant_that_a_language_cannot_name_is_left_out_of_its_shims_alone(
    make_project: MakeProject, tmp_path: Path, language: str, named: set[str]
) -> None:
    header = tmp_path / "constants.h"
    header.write_text("enum { None = 7001, END = 7002, OTHER = 7003 };\nint forty_two(void);\n")
    values = {"None": "7001", "END": "7002", "OTHER": "7003"}
    for technology in technologies():
        if technology.language == language and not technology.is_built:
            binding = next(iter(technology.bindings.values()))
            changes = {"technology": technology, "binding": binding, "header": header, "functions": ("forty_two",)}
            (text,) = make_project("capi", **changes).render().values()
            assert {name for name, value in values.items() if value in text} == named


def test_words_that_a_template_takes_for_itself_stand_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "python" / "own"
    folder.mkdir(parents=True)
    (folder / "technology.toml").write_text('artifact = "{module}.so"\n[bindings.mine]\n')
    (folder / "module.c.j2").write_text("{# reserved: result *_value #}\nint x;\n{# result is reserved: no note #}\n")
    (folder.parent / "shared.j2").write_text("{#- reserved: given\n   kept -#}\n")
    reserved = read_technology(folder).reserved
    assert reserved >= {"result", "*_value", "given", "kept"}  # and those of templates of ffibench that it may use
    assert not reserved & {"note", "no", "reserved"}


def test_a_parameter_is_renamed_where_its_own_technology_reserves_the_word(
    make_project: MakeProject, tmp_path: Path
) -> None:
    header = tmp_path / "words.h"
    header.write_text("int f(int template, int lambda, int cdef, int plain);\n")
    called = {
        "nanobind": "template_, lambda_, cdef",
        "cython": "template, lambda_, cdef_",
        "capi": "template, lambda_, cdef",
    }
    for name, arguments in called.items():
        text = "".join(make_project(name, header=header, functions=("f",)).render().values())
        assert f"f({arguments}, plain)" in text


def test_a_macro_that_hides_a_function_is_taken_away(make_project: MakeProject, tmp_path: Path) -> None:
    header = tmp_path / "macros.h"
    header.write_text("int forty_two(void);\nint state(void);\n#define forty_two() 41\n#define other() 1\n")
    for name in ("capi", "cffi-api", "cython", "nanobind", "pybind11"):
        text = "".join(make_project(name, header=header, functions=("forty_two", "state")).render().values())
        assert text.count("#undef forty_two\n") == 1
        assert not {"#undef state\n", "#undef other\n"} & set(text.splitlines(keepends=True))
