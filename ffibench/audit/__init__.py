"""The audit: how many native calls a process made, counted from outside it."""
