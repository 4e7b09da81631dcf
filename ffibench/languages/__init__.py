"""The languages that ffibench knows: one file in this folder each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ffibench.languages.base import Language

__all__ = ["Language", "languages"]


@cache
def languages() -> Mapping[str, Language]:
    """Return every language by its name."""
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    found = [module.LANGUAGE for module in modules if hasattr(module, "LANGUAGE")]
    return {language.name: language for language in found}
