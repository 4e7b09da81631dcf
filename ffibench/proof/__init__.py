"""Whether what was measured is what was asked for: pure functions, used while measuring and at each later reading."""
