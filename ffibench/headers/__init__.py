"""A C header read into functions, and the kind of each parameter."""
