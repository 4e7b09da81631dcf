"""The rules of the house: who may import whom, and that adding one thing is adding one file."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ffibench

PACKAGE = Path(ffibench.__file__).parent
FILES = sorted(path for path in PACKAGE.rglob("*.py") if "experiments" not in path.parts)

# What each part may import of ours, besides itself. What is not listed may import anything but `cli`.
ALLOWED = {
    "errors": set(),
    "interrupts": set(),
    "units": set(),
    "model": set(),
    "stats": {"model"},
    "noise": {"model", "stats"},
    "worker": set(),
    "assets": {"errors"},
    "cache": {"errors"},
    "machine": set(),
    "toolchain": {"errors", "machine"},
    "languages": {"assets", "cache", "errors", "machine", "toolchain", "worker"},
    "shims": {"assets", "cache", "errors", "interrupts", "machine", "model", "toolchain"},
    "audit": {"assets", "errors", "harness", "interrupts", "model", "shims", "toolchain"},
    "catalog": {"assets", "errors", "languages", "machine", "model", "shims", "toolchain"},
    "harness": {"catalog", "errors", "interrupts", "languages", "machine", "model", "noise", "shims", "stats", "units"},
    "selftest": {"model", "shims", "stats", "units"},
    "results": {"cache", "errors", "model", "noise", "report", "stats", "units"},
    "report": {"audit", "catalog", "checks", "model", "noise", "results", "selftest", "shims", "stats", "units"},
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


def test_there_are_files_to_look_at() -> None:
    assert {part_of(path) for path in FILES} >= set(ALLOWED) | {"cli"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_part_imports_what_lies_before_it(path: Path) -> None:
    part = part_of(path)
    for imported, line in imports_of(path):
        assert imported != "cli" or part in {"cli", "__main__"}, f"{path}:{line} imports cli"
        if part in ALLOWED and imported not in {part, "__version__", "__init__"}:
            assert imported in ALLOWED[part], f"{path}:{line}: {part} imports {imported}"


def test_the_worker_needs_the_standard_library_alone() -> None:
    for path in (PACKAGE / "worker").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                modules = [node.module or ""]
            else:
                continue
            for module in modules:
                top = module.partition(".")[0]
                assert top == "ffibench" or top in sys.stdlib_module_names, f"{path} imports {module}"


def test_help_imports_nothing_heavy() -> None:
    listing = "import sys; from ffibench.cli import cli; cli(['--help'], standalone_mode=False); print(*sys.modules)"
    answer = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True)
    loaded = set(answer.stdout.split())
    assert not loaded & {"rich", "jinja2", "pycparser", "cffi", "mesonbuild", "zmq", "Cython", "platformdirs"}


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
