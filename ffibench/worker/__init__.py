"""The Python side of the worker contract. Imports the standard library and itself, nothing else."""
