"""One int in and out through bindings written by hand, side by side with ours: what `reference.py` measures."""

from __future__ import annotations

from ffibench.catalog import find_experiment
from ffibench.model import Call, Experiment

CALLS = find_experiment("calls").experiment

EXPERIMENT = Experiment(
    title="bindings by hand, and ours",
    header=CALLS.header,
    functions=CALLS.functions,
    counter=CALLS.counter,
    library=CALLS.library,
    calls=(Call(expression="calls_int(1000)", name="int -> int", iterations=20_000),),
    variants=("python/ctypes~untyped",),
)
