"""What it costs to cross from one language into native code, measured on equal work and proved."""

__version__ = "0.1.0"
