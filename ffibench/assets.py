"""Where the files that are not Python modules lie: `experiments/` and `native/`.

A wheel carries both inside the package; in a checkout, installed as editable or not at all, they lie beside it.
"""

from __future__ import annotations

from pathlib import Path

import ffibench
from ffibench.errors import FfibenchError

PACKAGE = Path(ffibench.__file__).parent


def asset(name: str) -> Path:
    """Return the folder `experiments` or `native`, or a path below one of them.

    Raises FfibenchError where the installation lacks it.
    """
    for home in (PACKAGE, PACKAGE.parent):
        if (home / name).exists():
            return home / name
    raise FfibenchError(
        f"this installation of ffibench lacks {name}, beside or inside {PACKAGE}; "
        "pip install --force-reinstall ffibench puts it back"
    )
