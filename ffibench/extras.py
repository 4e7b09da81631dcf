"""How to install a Python package that only some need: by the extra of ffibench that brings it, where one does."""

from __future__ import annotations

import re
from importlib import metadata

REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)[^;]*;.*\bextra\s*==\s*[\"'](?P<extra>[^\"']+)")
SEPARATORS = re.compile(r"[-_.]+")
"""All the same in a distribution's name: https://packaging.python.org/en/latest/specifications/name-normalization/"""


def extra_of(distribution: str) -> str | None:
    """Return the extra of ffibench that brings a distribution, the first where several do; None where none does."""
    wanted = _normal(distribution)
    for requirement in metadata.requires("ffibench") or ():
        found = REQUIREMENT.match(requirement)
        if found is not None and _normal(found["name"]) == wanted:
            return found["extra"]
    return None


def install_command(distribution: str, pip: str = "pip") -> str:
    """Return the command that installs a distribution: `pip install 'ffibench[codec]'`, or with its own name."""
    extra = extra_of(distribution)
    return f"{pip} install {distribution}" if extra is None else f"{pip} install 'ffibench[{extra}]'"


def _normal(name: str) -> str:
    return SEPARATORS.sub("-", name).lower()
