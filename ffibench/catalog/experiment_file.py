"""Imports the `experiment.py` of a folder as a package, so that it can import a helper beside it.

`from ._oracle import receipt` finds `_oracle.py` in the folder. A folder that is read again is read anew, helpers and
all: a test or a session changes its files.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib import invalidate_caches
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import walk_tb
from types import ModuleType

from ffibench.errors import FfibenchError


def import_experiment(folder: Path) -> ModuleType:
    """Return the module that `experiment.py` of a folder is. Raises FfibenchError where it fails, or a helper of it."""
    path = folder / "experiment.py"
    name = f"ffibench_experiment_{sha256(str(folder).encode()).hexdigest()[:16]}"
    _forget(name)
    spec = spec_from_file_location(name, path, submodule_search_locations=[str(folder)])
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    try:
        with _unwritten_bytecode():
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # a user's own file may raise anything
        _forget(name)
        # A helper that is not there is known by its own name: `._oracle`.
        said = f"{type(error).__name__}: {error}".replace(f"{name}.", ".")
        raise FfibenchError(f"{_failed(error, path)} cannot be read: {said}", fix="correct this file") from error
    return module


def _forget(name: str) -> None:
    """Take a package and its modules away from those that are imported, and what is known of files in its folder."""
    for each in [each for each in sys.modules if each == name or each.startswith(f"{name}.")]:
        del sys.modules[each]
    invalidate_caches()


@contextmanager
def _unwritten_bytecode() -> Iterator[None]:
    """Leave no bytecode of what is imported: that of a file is used for one changed within a second to equal length."""
    before = sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


def _failed(error: BaseException, path: Path) -> Path:
    """Return the file of the folder that failed: a helper of `experiment.py`, or itself."""
    named = [frame.f_code.co_filename for frame, _ in walk_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename is not None:
        named.append(error.filename)
    return next((Path(each) for each in reversed(named) if Path(each).parent == path.parent), path)
