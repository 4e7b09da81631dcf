"""The README cannot rot: its commands run, its table is one that ffibench prints, its example is the tested one."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from support.command import Cli

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [line.removeprefix("$ ") for line in README.splitlines() if line.startswith("$ ")]
FFIBENCH = [command for command in COMMANDS if command.startswith("ffibench ")]
SMALL = {
    "xsub": ["--rounds", "1", "--iterations", "1k"],
    "weather": ["--rounds", "1", "--set", "matches=10", "-c", "python/capi"],
    "fanout": ["--rounds", "1", "--set", "per_thread=50", "-c", "python/capi"],
}


def table(experiment: str = "xsub") -> list[str]:
    found = re.search(rf"<!-- table: ffibench run {experiment} -->\n```text\n(.*?)```", README, re.DOTALL)
    assert found is not None
    return found[1].splitlines()


def test_two_commands_do_all_the_set_up() -> None:
    # CI runs the second on a fresh clone; the first differs from it by what is installed and run.
    assert COMMANDS[:2] == [
        "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/ffibench run xsub",
        "python3 -m venv .venv && .venv/bin/pip install -q nox && .venv/bin/nox",
    ]
    assert COMMANDS[2:] == FFIBENCH
    assert len(FFIBENCH) >= 10


def test_every_command_runs(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    program = re.search(r"With this `app.py`\n\n```python\n(.*?)```", README, re.DOTALL)
    assert program is not None
    (tmp_path / "app.py").write_text(program[1], encoding="utf-8")
    for command in FFIBENCH:
        words = shlex.split(command, comments=True)[1:]
        answer = cli(*words, *(SMALL[words[1]] if words[0] == "run" else []))
        # What a selftest finds on a host that other programs use is for its user to judge, not for this test.
        told = words[0] == "selftest" and re.search(r"\d contradicted$", answer.stdout, re.MULTILINE) is not None
        assert answer.returncode == int(told), f"{command}: {answer.stderr}"
        assert answer.stdout.strip(), command


@pytest.mark.parametrize("experiment", SMALL)
def test_the_table_is_one_that_is_printed_today(cli: Cli, experiment: str) -> None:
    small = [word for word in SMALL[experiment] if word not in {"-c", "python/capi"}]
    shown = cli("run", experiment, *small).stdout.splitlines()
    printed = table(experiment)
    assert printed[0] == shown[0]
    assert (
        printed[1].partition(";")[0].partition("Wall time")[0] == shown[1].partition(";")[0].partition("Wall time")[0]
    )
    rows = {line.split()[0] for line in printed if re.match(r"(c|control|(python|perl)/\S+) ", line)}
    today = {line.split()[0] for line in shown if re.match(r"(c|control|python/\S+) ", line)}
    perl = {name for name in rows if name.startswith("perl/")}
    assert rows == today | perl
    assert bool(perl) == (experiment != "fanout")
    labels = {line.split()[0] for line in shown if re.match(r"[a-z0-9]+  +\S", line)} - rows
    missing = {
        label for label in labels - {"warning", "disturbed"} if not any(line.startswith(label) for line in printed)
    }
    assert not missing


def test_the_figures_of_the_table_agree_with_each_other() -> None:
    found = [re.match(r"(c|\S+/\S+) +[\d.]+ +([\d.,]+) +[\d.,]+ +(-?[\d.,]+)? +([\d.]+) ", line) for line in table()]
    rows = {match[1]: (float(match[2]), float(match[4])) for match in found if match is not None}
    assert len(rows) >= 17
    baseline, _ = rows["c"]
    for name, (nanoseconds, ratio) in rows.items():
        # The ratio is paired inside rounds, so that it may differ a little from the ratio of the medians.
        assert nanoseconds / baseline == pytest.approx(ratio, rel=0.05), name


def test_the_example_is_the_tested_one() -> None:
    found = re.search(r"Its `experiment.py`.*?```python\n(.*?)```", README, re.DOTALL)
    assert found is not None
    assert found[1] == (ROOT / "tests/cli/data/tally/experiment.py").read_text(encoding="utf-8")
