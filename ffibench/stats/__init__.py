"""Statistics of samples: ratios, intervals, ties, stopping. Pure functions of numbers."""

from ffibench.stats.families import Unbeaten, unbeaten
from ffibench.stats.intervals import CONFIDENCE, Estimate, Interval, median_bounds, order_rank, paired_ratio
from ffibench.stats.letters import letters
from ffibench.stats.lines import Bounded, Line, fitted, meeting
from ffibench.stats.samples import Measured, Sample, extra_figures, measured, sample
from ffibench.stats.speeds import two_groups
from ffibench.stats.stability import disturbed, settled, settled_processes
from ffibench.stats.stopping import Limits, Stop, stop
from ffibench.stats.ties import holm, resolution, rounds_for_pairs, rounds_needed, sign_test, ties

__all__ = [
    "CONFIDENCE",
    "Bounded",
    "Estimate",
    "Interval",
    "Limits",
    "Line",
    "Measured",
    "Sample",
    "Stop",
    "Unbeaten",
    "disturbed",
    "extra_figures",
    "fitted",
    "holm",
    "letters",
    "measured",
    "median_bounds",
    "meeting",
    "order_rank",
    "paired_ratio",
    "resolution",
    "rounds_for_pairs",
    "rounds_needed",
    "sample",
    "settled",
    "settled_processes",
    "sign_test",
    "stop",
    "ties",
    "two_groups",
    "unbeaten",
]
