"""`ffibench run --require-quiet`: a noisy host is an error, said early where it can be, and nothing is lost by it.

In this process, so that the kernel's counters can be made up: no test may hang on the noise of its machine.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace
from support.runs import QUIET

from ffibench.cli import cli
from ffibench.host.sampler import HostWatch
from ffibench.model import HostSample

LOUD = replace(QUIET, pressure=0.5, steal=0.1)
Measure = Callable[..., Result]


@pytest.fixture
def measure(tally: Path, monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Run the tally experiment on a host of such noise before its rounds and in them."""

    def run(*options: str, before: HostSample = QUIET, during: HostSample = QUIET) -> Result:
        monkeypatch.setattr("ffibench.workflow.quiet.look", lambda siblings: before)
        monkeypatch.setattr(HostWatch, "sample", lambda self: during)
        # What the workers themselves met with on the machine of the test.
        monkeypatch.setattr("ffibench.noise.disturbances.OF_RECORDS", {})
        monkeypatch.setattr("ffibench.results.compare.disturbed", lambda wall_ns, cpu_ns: False)
        return CliRunner().invoke(cli, ["run", str(tally), "-c", "c", "--rounds", "2", *options])

    return run


def told(result: Result) -> str:
    return " ".join(result.stderr.split())


def test_a_quiet_host_is_no_error(measure: Measure, tmp_path: Path) -> None:
    result = measure("--require-quiet", "--json", str(tmp_path / "run.json"))
    assert result.exit_code == 0, result.output
    assert json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["before"]["pressure"] == 0.0
    assert "quiet, as --require-quiet asks" in " ".join(result.stdout.split())


def test_a_host_that_is_noisy_already_gets_no_round(measure: Measure, tmp_path: Path) -> None:
    result = measure("--require-quiet", "--json", str(tmp_path / "run.json"), before=LOUD)
    assert result.exit_code == 3
    assert told(result).endswith(
        "Error: the host is not quiet, as --require-quiet asks: other programs waited for a processor before the "
        "first round; run again when nothing else runs, or with --rigorous for more rounds"
    )
    assert result.stdout == ""
    assert not (tmp_path / "run.json").exists()


def test_a_host_that_became_noisy_costs_nothing_of_the_run(measure: Measure, tmp_path: Path) -> None:
    result = measure("--require-quiet", "--json", str(tmp_path / "run.json"), during=LOUD)
    assert result.exit_code == 3
    assert "other programs waited for a processor in 2 of 2 rounds; run again when nothing else runs" in told(result)
    assert "noisy: other programs waited for a processor in 2 of 2 rounds; the hypervisor took" in " ".join(
        result.stdout.split()
    )
    rounds = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["rounds"]
    assert [(each["host"]["pressure"], each["host"]["steal"]) for each in rounds] == [(0.5, 0.1)] * 2
    again = CliRunner().invoke(cli, ["show", str(tmp_path / "run.json")])
    assert (again.exit_code, again.stdout) == (0, result.stdout)


def test_a_row_that_is_not_valid_decides_the_status(measure: Measure, tally: Path) -> None:
    (tally / "quits.py").write_text("# ffibench: lock=held\nraise SystemExit('no such thing')\n", encoding="utf-8")
    result = measure("--require-quiet", "-c", "python/quits", during=LOUD)
    assert result.exit_code == 1
    assert "the host is not quiet" in told(result)


def test_noise_is_a_warning_where_nobody_asked_for_quiet(measure: Measure) -> None:
    result = measure(before=LOUD, during=LOUD)
    assert result.exit_code == 0
    assert "noisy: other programs waited for a processor in 2 of 2 rounds" in " ".join(result.stdout.split())
