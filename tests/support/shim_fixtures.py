"""A small C library with functions over every kind and callbacks, and its shims by every binding of Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType

import pytest

from ffibench.builds.library import library_identity
from ffibench.builds.project import Project, build
from ffibench.builds.sources import sources_project
from ffibench.builds.toolchain import compiler
from ffibench.headers.reader import read_header
from ffibench.languages.python.language import LANGUAGE
from ffibench.model import LibraryIdentity, LibrarySources
from ffibench.model.runtime import Runtime
from ffibench.shims.render import check_kinds
from ffibench.shims.shim import shim_project
from ffibench.shims.technology import technologies
from ffibench.worker.load import import_file
from support.built import built
from support.calling import ALONE

DATA = Path(__file__).parents[1] / "shims" / "data"
HEADER = DATA / "kinds.h"
FUNCTIONS = tuple(function.name for function in read_header(HEADER).functions)
ALL = DATA / "shims.h"
CONSTRUCTS = DATA.parent / "constructs" / "constructs.h"
NEW_KINDS = {"array", "cell", "struct", "struct_pointer", "owned"}
CONSTRUCTS_KINDS = {
    "text_new.return": "owned:text_free",
    "text_of_c.return": "owned:free",
    "length_from.tail": "handle",
    "digest_of.return": "handle",
    "digest_first.digest": "handle",
    "digest_given.digest": "handle",
}
ALL_FUNCTIONS = tuple(function.name for function in read_header(ALL).functions)
BINDINGS = {
    name: (technology, binding)
    for technology in technologies()
    if technology.language == "python"
    for name, binding in technology.bindings.items()
    if not binding.asked
}
"""Those that promise to convert and to refuse; `ctypes~untyped`, which is a script's way, has to be asked for."""
COMPILED = sorted(name for name, (made, _) in BINDINGS.items() if made.compilers and not made.closures)
"""The bindings whose objects are the template's own, not those of ctypes or cffi."""
MakeProject = Callable[..., Project]


@pytest.fixture(scope="session")
def runtime() -> Runtime:
    """The interpreter that runs the tests."""
    (found,) = LANGUAGE.runtimes((), ())
    assert isinstance(found, Runtime)
    return found


@pytest.fixture(scope="session")
def kinds_library(private_folders: None) -> LibraryIdentity:
    """The library of kinds.c and callbacks.c, built as that of an experiment is."""
    return library_identity(build(sources_project(LibrarySources(sources=("kinds.c", "callbacks.c")), DATA)))


@pytest.fixture(scope="session")
def make_project(runtime: Runtime, kinds_library: LibraryIdentity) -> MakeProject:
    """Return the project of a binding's shim for kinds.h; keywords replace what it is made from."""

    def make(name: str, **changes: object) -> Project:
        technology, binding = BINDINGS[name]
        usual: dict[str, object] = {
            "technology": technology,
            "binding": binding,
            "contestant": f"python/{name}",
            "source": DATA / "kinds.c",
            "runtime": runtime,
            "header": HEADER,
            "functions": FUNCTIONS,
            "kinds": {},
            "library": kinds_library,
        }
        return shim_project(**{**usual, **changes})  # type: ignore[arg-type]

    return make


@pytest.fixture
def fresh_toolchain() -> Iterator[None]:
    """Forget the compilers that were found, before a test changes the environment and after it."""
    compiler.cache_clear()
    yield
    compiler.cache_clear()


@pytest.fixture(scope="session")
def artifacts(make_project: MakeProject) -> Mapping[str, Path]:
    """Every binding's shim of all functions that it can render, built once: 40 CPU seconds from nothing."""

    def functions(name: str) -> list[str]:
        closes = BINDINGS[name][0].closures
        return [function for function in ALL_FUNCTIONS if closes or function not in ALONE]

    return built({name: make_project(name, header=ALL, functions=functions(name)) for name in BINDINGS})


@pytest.fixture(scope="session")
def modules(artifacts: Mapping[str, Path]) -> Mapping[str, ModuleType]:
    """Every binding's shim, loaded as a worker loads it."""
    return {name: import_file(str(path)) for name, path in artifacts.items()}


@pytest.fixture(scope="session")
def constructs_modules(make_project: MakeProject) -> Mapping[str, ModuleType]:
    """Every binding's shim of those functions of constructs.h whose kinds it renders, loaded as a worker loads it."""
    sources = tuple(sorted(path.name for path in CONSTRUCTS.parent.glob("*.c")))
    library = library_identity(build(sources_project(LibrarySources(sources=sources), CONSTRUCTS.parent)))
    declared = read_header(CONSTRUCTS, kinds=CONSTRUCTS_KINDS).functions
    projects = {
        name: make_project(
            name,
            header=CONSTRUCTS,
            functions=[each.name for each in declared if check_kinds(technology, [each]) is None],
            kinds=CONSTRUCTS_KINDS,
            library=library,
        )
        for name, (technology, _) in BINDINGS.items()
        if NEW_KINDS & set(technology.kinds)
    }
    return {name: import_file(str(path)) for name, path in built(projects).items()}


@pytest.fixture(scope="session", params=sorted(BINDINGS))
def name(request: pytest.FixtureRequest) -> str:
    """Each binding's name in turn: `capi`, `capi~nogil`, `cffi-abi` ..."""
    return str(request.param)


@pytest.fixture(scope="session")
def native(name: str, modules: Mapping[str, ModuleType]) -> ModuleType:
    """The binding's shim, with the functions of kinds.h and callbacks.h."""
    return modules[name]


@pytest.fixture(scope="session")
def lock(name: str) -> str:
    """What the binding's `technology.toml` says of the language's lock."""
    return str(BINDINGS[name][1].lock)
