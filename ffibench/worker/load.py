"""Imports a module from a file: an experiment's loop or a shim, in Python or as an extension module.

By public parts of the import system that are there at the start of every interpreter: `importlib.util` takes a third of
the time in which Python itself starts.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    ModuleSpec,
    SourceFileLoader,
)
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

EXPERIMENT = "ffibench_experiment"


class _NamedFiles:
    """Finds modules in files that were named, wherever these are."""

    def __init__(self) -> None:
        self.specs: dict[str, ModuleSpec] = {}

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return what the import system asks of a finder."""
        return self.specs.get(name)


_files = _NamedFiles()
sys.meta_path.insert(0, _files)


def import_file(path: str) -> ModuleType:
    """Import the module in the file at `path`, under the name before its first dot.

    An extension module must be imported under the name that its init function carries. Raises ImportError where the
    file is no module, or has the name of one that is loaded.
    """
    return import_module(register_file(path))


def register_file(path: str, source: type[SourceFileLoader] = SourceFileLoader) -> str:
    """Return the name under which `import_module` finds the file, through `source` where it is Python's own."""
    name = _stem(path)
    if name in sys.modules:
        raise ImportError(f"{path} has the name of a module that is loaded already")
    return _register(name, path, source)


def import_contestant(path: str) -> ModuleType:
    """Import a file of an experiment's folder as a module of a package, which the folder is.

    So it imports a helper beside it as `from ._name import ...`, and nothing in the folder hides a module of that name
    from anybody. A process has one contestant. Raises ImportError where the file is no module.
    """
    return import_module(register_contestant(path))


def register_contestant(path: str, source: type[SourceFileLoader] = SourceFileLoader) -> str:
    """Return the name under which `import_module` finds the file, as `register_file` does."""
    add_package(EXPERIMENT, path.rpartition("/")[0] or ".")
    return _register(f"{EXPERIMENT}.{_stem(path)}", path, source)


def add_package(name: str, folder: str) -> None:
    """Make a folder importable as a package of that name."""
    spec = ModuleSpec(name, None, is_package=True)
    spec.submodule_search_locations = [folder]
    package = ModuleType(name)
    package.__spec__ = spec
    package.__path__ = [folder]
    sys.modules[name] = package


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _register(name: str, path: str, source: type[SourceFileLoader]) -> str:
    for suffixes, loader in ((EXTENSION_SUFFIXES, ExtensionFileLoader), (SOURCE_SUFFIXES, source)):
        if path.endswith(tuple(suffixes)):
            spec = ModuleSpec(name, loader(name, path), origin=path)
            spec.has_location = True
            _files.specs[name] = spec
            return name
    raise ImportError(f"{path} is no Python module")
