"""How to install a Python package that only some need: by the extra of ffibench that brings it, where one does."""

from __future__ import annotations

import re
from importlib import metadata

REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)[^;]*;\s*extra\s*==\s*[\"'](?P<extra>[^\"']+)")


def install_command(distribution: str, pip: str = "pip") -> str:
    """Return the command that installs a distribution: `pip install 'ffibench[codec]'`, or with its own name."""
    wanted = distribution.lower()
    for requirement in metadata.requires("ffibench") or ():
        found = REQUIREMENT.match(requirement)
        if found is not None and found["name"].lower() == wanted:
            return f"{pip} install 'ffibench[{found['extra']}]'"
    return f"{pip} install {distribution}"
