"""Known answers: contestants of known cost, measured by the real harness and compared with that cost."""
