"""The command `ffibench`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line."""
    try:
        from ffibench.cli import cli

        cli()
    except KeyboardInterrupt:  # before the command line was there to tell it
        sys.exit(130)


if __name__ == "__main__":
    main()
