"""The rules of the house: who may import whom, and that adding one thing is adding one file."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import ffibench

PACKAGE = Path(ffibench.__file__).parent
CARRIED = {"experiments", "native"}
"""Folders beside the package that a wheel carries inside it."""
FILES = sorted(path for path in PACKAGE.rglob("*.py") if not CARRIED & set(path.relative_to(PACKAGE).parts))

# What each package or file may import of ours, besides itself; `cli` may import all.
ALLOWED = {
    "errors": set(),
    "extras": set(),
    "interrupts": set(),
    "units": set(),
    "paths": {"errors"},
    "temporary": {"errors", "paths"},
    "model": set(),
    "stats": {"model"},
    "noise": {"model", "stats"},
    "proof": {"model"},
    "worker": set(),
    "headers": {"errors"},
    "builds": {"errors", "extras", "interrupts", "model", "paths"},
    "languages": {"builds", "errors", "extras", "model", "paths", "worker"},
    "shims": {"builds", "errors", "extras", "headers", "languages", "model", "paths"},
    # From a .proto to a codec and its header; what is done with them is left to others.
    "schema": {"builds", "errors", "extras", "headers", "languages", "paths"},
    "calls": {"errors", "headers", "model"},
    "loops": {"builds", "calls", "errors", "headers", "languages", "model", "paths", "shims"},
    "catalog": {"builds", "calls", "errors", "languages", "model", "paths", "shims", "units"},
    "host": {"builds", "model"},
    # What a crossing is made of is arithmetic on operations, kinds and samples; `workflow` measures for it.
    "explain": {"calls", "errors", "headers", "model", "stats"},
    "plan": {"catalog", "errors", "host", "languages", "model", "units"},
    "harness": {"errors", "host", "interrupts", "model", "noise", "proof", "stats", "temporary"},
    "audit": {
        *("builds", "errors", "harness", "host", "interrupts", "model", "paths", "proof", "stats", "temporary"),
    },
    "selftest": {"builds", "model", "stats", "units"},
    "results": {"errors", "model", "noise", "paths", "proof", "stats", "units"},
    "report": {
        *("audit", "builds", "catalog", "errors", "model", "noise", "proof", "results", "selftest", "stats", "units"),
    },
    "workflow": {
        *("audit", "builds", "calls", "catalog", "errors", "explain", "harness", "headers", "host", "interrupts"),
        *("languages", "loops", "model", "noise", "paths", "plan", "report", "results", "selftest", "shims", "stats"),
        *("temporary", "units"),
    },
}


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the parts of ffibench that a file imports, anywhere in it, with the line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            first, _, rest = name.partition(".")
            if first == "ffibench":
                yield (rest.partition(".")[0] or "__init__"), node.lineno


def test_every_part_says_what_it_imports() -> None:
    assert {part_of(path) for path in FILES} == set(ALLOWED) | {"cli", "__init__", "__main__"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_part_imports_what_lies_before_it(path: Path) -> None:
    part = part_of(path)
    for imported, line in imports_of(path):
        assert imported != "cli" or part in {"cli", "__main__"}, f"{path}:{line} imports cli"
        if part not in {"cli", "__main__", "__init__"} and imported not in {part, "__version__", "__init__"}:
            assert imported in ALLOWED[part], f"{path}:{line}: {part} imports {imported}"


def test_the_worker_needs_the_standard_library_alone() -> None:
    for path in (PACKAGE / "worker").glob("*.py"):
        foreign = modules_of(path) - {"ffibench"} - sys.stdlib_module_names
        assert not foreign, f"{path} imports {', '.join(foreign)}"


def test_a_report_is_values_and_only_the_terminal_draws() -> None:
    for path in (PACKAGE / "report").rglob("*.py"):
        if "terminal" not in path.relative_to(PACKAGE).parts:
            drawing = modules_of(path) & {"rich", "plotext", "click"}
            assert not drawing, f"{path} imports {', '.join(drawing)}"


def modules_of(path: Path) -> set[str]:
    """The top names of all that a file imports, anywhere in it."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    imported = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    imported += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.partition(".")[0] for name in imported}


def test_help_imports_nothing_heavy() -> None:
    listing = "import sys; from ffibench.cli import cli; cli(['--help'], standalone_mode=False); print(*sys.modules)"
    answer = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True)
    loaded = set(answer.stdout.split())
    assert not loaded & {"rich", "jinja2", "pycparser", "cffi", "mesonbuild", "zmq", "Cython", "platformdirs"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_every_error_says_what_to_do(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "FfibenchError":
            has_fix = len(node.args) > 1 or any(keyword.arg == "fix" for keyword in node.keywords)
            assert has_fix, f"{path}:{node.lineno}: an error without a fix"


def test_the_workflow_knows_no_terminal() -> None:
    modules = [f"ffibench.workflow.{path.stem}" for path in (PACKAGE / "workflow").glob("*.py")]
    listing = f"import sys, importlib; [importlib.import_module(name) for name in {modules}]; print(*sys.modules)"
    answer = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True)
    loaded = set(answer.stdout.split())
    assert not {name for name in loaded if name.partition(".")[0] in {"click", "rich"}}
    assert not {name for name in loaded if name.startswith(("ffibench.cli", "ffibench.report.terminal"))}


def test_there_is_no_circle_among_the_packages() -> None:
    graph: dict[str, set[str]] = {}
    for path in FILES:
        imported = {part for part, _ in imports_of(path)} - {part_of(path), "__init__", "__version__"}
        graph.setdefault(part_of(path), set()).update(imported)
    assert_no_circle(graph)


def test_there_is_no_circle_among_the_files() -> None:
    graph: dict[str, set[str]] = {}
    for path in FILES:
        name = ".".join(("ffibench", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = {
            f"{node.module}.{alias.name}"
            for node in tree.body
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ffibench")
            for alias in node.names
        }
        graph[name] = {each for target in imported for each in (target, target.rpartition(".")[0])} - {name}
    assert_no_circle(graph)


def assert_no_circle(graph: Mapping[str, set[str]]) -> None:
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, f"circle: {' -> '.join((*trail, name))}"
        if name not in done:
            for each in graph.get(name, ()):
                # A package names its own modules in its __init__; that is no circle.
                if not name.startswith(f"{each}.") and not each.startswith(f"{name}."):
                    visit(each, (*trail, name))
            done.add(name)

    for name in graph:
        visit(name, ())


def test_a_circle_is_found() -> None:
    with pytest.raises(AssertionError, match="circle: a -> b -> c -> a"):
        assert_no_circle({"a": {"b"}, "b": {"c"}, "c": {"a"}})
