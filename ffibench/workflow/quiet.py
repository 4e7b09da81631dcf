"""`--require-quiet`: a noisy host is an error, before the first round and after the last."""

from __future__ import annotations

from collections.abc import Sequence

from ffibench.errors import FfibenchError
from ffibench.host.machine import describe_host, worker_cpu
from ffibench.host.sampler import look
from ffibench.model import HostSample, Plan, RunWarning
from ffibench.noise.warnings import gravest_noise, sample_warnings

NOISY = 3
"""The exit status where the host was to be quiet and is not."""


def sample_of_quiet_host(plan: Plan) -> HostSample:
    """Look at the host while nothing of ours runs. Raises FfibenchError where it is noisy."""
    host = describe_host(worker_cpu() if plan.pinned else None)
    sample = look(host.siblings)
    require_quiet(tuple(sample_warnings(sample, host, "before the first round")))
    return sample


def require_quiet(warnings: Sequence[RunWarning], status: int = NOISY) -> None:
    """Raise FfibenchError, with this exit status, that has the gravest noise among the warnings."""
    warning = gravest_noise(warnings)
    if warning is not None:
        text = f"{warning.text[0].lower()}{warning.text[1:].rstrip('.')}"
        fix = f"{warning.fix[0].lower()}{warning.fix[1:].rstrip('.')}"
        raise FfibenchError(f"the host is not quiet, as --require-quiet asks: {text}", fix=fix, status=status)
