"""Statistics of samples: ratios, intervals, ties, stopping. Pure functions of numbers."""

from ffibench.stats.intervals import Estimate, Interval, median_bounds, order_rank, paired_ratio
from ffibench.stats.letters import letters
from ffibench.stats.samples import Measured, Sample, extra_figures, measured, sample
from ffibench.stats.speeds import two_groups
from ffibench.stats.stability import disturbed, settled
from ffibench.stats.stopping import Limits, Stop, stop
from ffibench.stats.ties import holm, resolution, rounds_needed, sign_test, ties

__all__ = [
    "Estimate",
    "Interval",
    "Limits",
    "Measured",
    "Sample",
    "Stop",
    "disturbed",
    "extra_figures",
    "holm",
    "letters",
    "measured",
    "median_bounds",
    "order_rank",
    "paired_ratio",
    "resolution",
    "rounds_needed",
    "sample",
    "settled",
    "sign_test",
    "stop",
    "ties",
    "two_groups",
]
