"""The Python side of the worker contract. Imports only the standard library and itself."""
