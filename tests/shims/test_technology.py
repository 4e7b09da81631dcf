"""A technology is a folder: what its `technology.toml` says, and which functions its templates serve."""

from __future__ import annotations

import re
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.trees import plant

from ffibench.builds.project import Project
from ffibench.errors import FfibenchError
from ffibench.headers.reader import parse, read_header
from ffibench.headers.types import KINDS
from ffibench.languages import languages
from ffibench.model.runtime import Runtime
from ffibench.shims.render import check_kinds
from ffibench.shims.shim import core_project
from ffibench.shims.technology import Technology, read_technology, technologies

MakeProject = Callable[..., Project]
HEADER = Path(__file__).parent / "data" / "kinds.h"
GOOD = 'artifact = "{module}.so"\n[bindings.mine]\nlock = "held"\n'


def written(home: Path, text: str) -> Path:
    folder = home / "python" / "own"
    folder.mkdir(parents=True)
    (folder / "technology.toml").write_text(text)
    return folder


# --- technology.toml ------------------------------------------------------------------------------


@pytest.fixture(params=technologies(), ids=lambda each: each.name)
def technology(request: pytest.FixtureRequest) -> Technology:
    found: Technology = request.param
    return found


def test_every_technology_names_a_language_and_kinds_that_there_are(technology: Technology) -> None:
    assert technology.language in languages()
    assert set(technology.kinds) <= set(KINDS)
    assert technology.bindings


def test_every_technology_that_meson_compiles_says_with_which_compilers(technology: Technology) -> None:
    template = technology.folder / "meson.build.j2"
    uses = re.compile(r"\b(shared_module|executable|get_compiler)\(")
    compiles = template.exists() and bool(uses.search(template.read_text()))
    if (technology.program or technology.programs) and not compiles:
        # A compiler of its own links through that of C, or needs none.
        assert technology.compilers in {(), ("c",)}
    else:
        assert bool(technology.compilers) == compiles


def test_no_two_bindings_have_one_name() -> None:
    names = [(each.language, name) for each in technologies() for name in each.bindings]
    assert len(set(names)) == len(names)


def test_a_variant_is_named_after_its_binding_and_differs_from_it(technology: Technology) -> None:
    for name, binding in technology.bindings.items():
        plain, variant, _ = name.partition("~")
        assert plain in technology.bindings
        if variant:
            assert binding != technology.bindings[plain]


def test_a_folder_in_its_core_is_no_part_of_it(tmp_path: Path, runtime: Runtime) -> None:
    folder = written(tmp_path, f'core = "libown.a"\n{GOOD}')
    plant(folder / "core", {"meson.build.j2": "# {{ module }}\n", "own.c": "int own;\n", "__pycache__/own.pyc": ""})
    project = core_project(read_technology(folder), runtime, {})
    assert project is not None
    assert project.render() == {"meson.build": "# own-core\n", "own.c": "int own;\n"}


def test_a_folder_is_a_technology(tmp_path: Path) -> None:
    found = read_technology(written(tmp_path, GOOD))
    assert (found.language, found.name, found.folder) == ("python", "own", tmp_path / "python" / "own")
    assert found.bindings["mine"].lock == "held"
    assert not found.is_built
    assert found.templates == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("artifact = ", "Invalid value"),
        ('artifact = "own"\n', "missing required field"),
        (GOOD + "colour = 1\n", "unknown field `colour`"),
        (GOOD.replace("held", "free"), "Invalid enum value 'free'"),
        ('compilers = ["fortran"]\n' + GOOD, "Invalid enum value 'fortran'"),
    ],
)
def test_a_mistake_in_it_is_told_with_its_path(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(FfibenchError) as caught:
        read_technology(written(tmp_path, text))
    message = str(caught.value)
    assert message.startswith(f"{tmp_path / 'python' / 'own' / 'technology.toml'}: ")
    assert reason in message
    assert message.endswith("; compare it with another technology.toml beside it")


# --- kinds ----------------------------------------------------------------------------------------


def test_a_kind_that_the_templates_lack_is_told_with_function_and_line() -> None:
    functions = read_header(HEADER).select(["forty_two", "fill"])
    plain = Technology(bindings={}, artifact="", kinds=("scalar", "void"), folder=Path("/x/python/plain"))
    line = next(each.line for each in functions if each.name == "fill")
    assert check_kinds(plain, functions[:1]) is None
    expected = f"plain renders no buffer: fill.memory ({HEADER.name}:{line})"
    assert check_kinds(plain, functions) == expected
    results = read_header(HEADER).select(["own_text"])
    assert str(check_kinds(plain, results)).startswith(f"plain renders no string: own_text.result ({HEADER.name}:")
    assert check_kinds(replace(plain, kinds=KINDS), functions) is None
    several = parse('# 1 "/x/a.h"\nint f(char *a, int n, char *b);\n', Path("a.h"), {"f.a": "buffer", "f.b": "buffer"})
    assert check_kinds(plain, several.functions) == "plain renders no buffer: f.a, .b (a.h:1)"


def test_every_technology_of_python_renders_every_kind_of_the_test_header() -> None:
    functions = read_header(HEADER).functions
    rendered = [each for each in technologies() if each.language == "python"]
    assert len(rendered) >= 7
    for technology in rendered:
        known = [each for each in functions if each.result.type.base not in technology.without]
        assert len(known) >= len(functions) - len(technology.without)
        assert check_kinds(technology, known) is None


def test_a_function_that_no_template_serves_stops_the_build_with_the_fix(
    make_project: MakeProject, tmp_path: Path
) -> None:
    header = tmp_path / "calls.h"
    header.write_text("int each(int (*visit)(int), int count);\n")
    project = make_project("capi", header=header, functions=("each",))
    with pytest.raises(FfibenchError) as caught:
        project.render()
    fix = "--kind FUNCTION.PARAMETER=KIND gives it another kind"
    reason = "capi renders no callback without user data beside it: each.visit (calls.h:1)"
    assert str(caught.value) == f"{reason}; {fix}"
    overridden = make_project("capi", header=header, functions=("each",), kinds={"each.visit": "handle"})
    assert "meson.build" in overridden.render()


@pytest.mark.parametrize("language", ["perl", "python"])
def test_callbacks_are_rendered_for_python_alone(language: str) -> None:
    functions = parse('# 1 "a.h"\nint each(int (*visit)(int, void *), void *data);\n', Path("a.h")).functions
    for technology in technologies():
        if technology.language == language:
            refused = f"{technology.name} renders no callback: each.visit (a.h:1)"
            assert check_kinds(technology, functions) == (None if language == "python" else refused)


# --- free-threading -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nanobind", "'-DNB_FREE_THREADED'"),
        ("cffi-api", "'-D_CFFI_NO_LIMITED_API='"),
        ("pybind11", "py::mod_gil_not_used()"),
        ("cython", "freethreading_compatible=True"),
        ("capi", "{Py_mod_gil, Py_MOD_GIL_NOT_USED}"),
    ],
)
def test_a_shim_tells_a_free_threaded_interpreter_that_it_needs_no_gil(
    make_project: MakeProject, runtime: Runtime, name: str, says: str
) -> None:
    context = {**runtime.context, "free_threaded": "yes"}
    free = make_project(name, runtime=replace(runtime, context=context), functions=("forty_two",)).render()
    assert any(says in text for text in free.values())


@pytest.mark.skipif(bool(sysconfig.get_config_var("Py_GIL_DISABLED")), reason="this interpreter is free-threaded")
@pytest.mark.parametrize("name", ["nanobind", "cffi-api"])
def test_what_only_a_free_threaded_interpreter_takes_is_not_told_to_others(
    make_project: MakeProject, name: str
) -> None:
    text = make_project(name, functions=("forty_two",)).render()["meson.build"]
    assert "FREE_THREADED" not in text
    assert "LIMITED" not in text
