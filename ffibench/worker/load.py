"""Imports a module from a file: an experiment's loop or a shim, in Python or as an extension module."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

EXPERIMENT = "ffibench_experiment"


def import_file(path: str) -> ModuleType:
    """Import the module in the file at `path`, under the name before its first dot.

    An extension module must be imported under the name that its init function carries, and the
    name must not be one that the module itself means to import: `json.py` imports `json`.
    Raises ImportError where the file is no module.
    """
    return _import(_stem(path), path)


def import_contestant(path: str) -> ModuleType:
    """Import a file of an experiment's folder as a module of a package, which the folder is.

    So it imports a helper beside it as `from ._name import ...`, and nothing in the folder hides a module of that name
    from anybody. A process has one contestant. Raises ImportError where the file is no module.
    """
    spec = ModuleSpec(EXPERIMENT, None, is_package=True)
    spec.submodule_search_locations = [path.rpartition("/")[0] or "."]
    sys.modules[EXPERIMENT] = module_from_spec(spec)
    return _import(f"{EXPERIMENT}.{_stem(path)}", path)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _import(name: str, path: str) -> ModuleType:
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python module")
    module = module_from_spec(spec)
    sys.modules.setdefault(name, module)
    spec.loader.exec_module(module)
    return module
