"""From an experiment and the options of a run to a plan."""
