"""xsub through every binding of PyPy: the loop is that of Python."""

from __future__ import annotations

from .python import contestant

__all__ = ["contestant"]
