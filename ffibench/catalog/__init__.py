"""Experiments on disk, and their contestants on this machine."""

from ffibench.catalog.candidates import Candidate, candidates
from ffibench.catalog.folders import Folder, experiment_names, find_experiment

__all__ = ["Candidate", "Folder", "candidates", "experiment_names", "find_experiment"]
