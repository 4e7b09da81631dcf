"""Python: the tool's own interpreter, or those of `--python`, each in a private environment."""

from ffibench.languages.python.language import LANGUAGE

__all__ = ["LANGUAGE"]
