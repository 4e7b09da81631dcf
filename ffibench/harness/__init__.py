"""Starts workers, round by round, and watches them and the host from outside."""
