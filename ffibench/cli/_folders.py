"""What commands say of the folders that they have written."""

from __future__ import annotations

import shlex


def run_command(folder: str) -> str:
    """Return the command that measures the experiment in a folder; a name without a slash is one of ffibench's."""
    return f"ffibench run {shlex.quote(folder if '/' in folder else f'./{folder}')}"
