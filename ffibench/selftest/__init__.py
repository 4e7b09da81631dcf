"""Known answers: contestants whose cost is known, measured by the real harness and held against what they cost."""
