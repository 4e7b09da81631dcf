"""The command `ffibench`."""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable

ADDRESSES_MIN = 96 * 1024 * 1024
"""Bytes to load the tool in. With less any module may fail: Python reports a syntax error where it lacks memory."""


def main() -> None:
    """Run the command line."""
    try:
        _load()()
    except KeyboardInterrupt:  # before the command line was there to tell it
        sys.exit(130)


def _load() -> Callable[[], object]:
    """Return the command line, with its streams in place; end with a sentence where not even that can be loaded."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    if allowed != resource.RLIM_INFINITY and allowed < ADDRESSES_MIN:
        needed = f"{allowed:,} bytes of address space are allowed, {ADDRESSES_MIN:,} needed"
        sys.exit(f"Error: ffibench cannot be loaded: {needed}; ulimit -v unlimited allows more")
    try:
        from ffibench.cli import cli
        from ffibench.cli._streams import install

        install()
    except (ImportError, MemoryError, OSError) as error:
        fix = "`ulimit -a` shows what this shell limits, pip install --force-reinstall ffibench repairs an installation"
        sys.exit(f"Error: ffibench cannot be loaded: {str(error) or 'out of memory'}; {fix}")
    return cli


if __name__ == "__main__":
    main()
