"""Imports a module from a file: an experiment's loop, or a shim, be it Python or an extension module."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType


def import_file(path: str) -> ModuleType:
    """Import the module in the file at `path`, under the name before its first dot.

    An extension module must be imported under the name that its init function carries, and the
    name must not be one that the module itself means to import: `pyzmq.py` imports `zmq`.
    Raises ImportError where the file is no module.
    """
    name = path.rpartition("/")[2].partition(".")[0]
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python module")
    module = module_from_spec(spec)
    sys.modules.setdefault(name, module)
    spec.loader.exec_module(module)
    return module
