"""`ffibench run weather`: two processes a contestant, and whoever plays either role."""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli, assert_told

SMALL = ("--rounds", "1", "--slices", "1", "--set", "matches=20", "--set", "zipcodes=5")
FEW = ("-c", "python/capi", "-c", "python/pyzmq")


def run_of(cli: Cli, file: Path, *arguments: str) -> dict[str, Any]:
    answer = cli("run", "weather", *SMALL, *arguments, "--json", str(file))
    assert answer.returncode == 0, answer.stdout + answer.stderr
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def rows(run: dict[str, Any], role: str) -> list[str]:
    return sorted(row["contestant"] for row in run["summary"] if row["role"] == role)


@pytest.fixture(scope="module")
def everybody(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return run_of(cli, tmp_path_factory.mktemp("weather") / "run.json")


def test_every_contestant_plays_both_roles_and_is_valid(everybody: dict[str, Any]) -> None:
    assert rows(everybody, "publisher") == rows(everybody, "subscriber")
    assert {"c", "control", "python/pyzmq-asyncio", "python/ctypes"} <= set(rows(everybody, "publisher"))
    assert all(row["valid"] and row["reason"] is None for row in everybody["summary"])
    assert len({row["contestant"] for row in everybody["summary"]}) >= 16  # and Perl's, where it is found


def test_both_hit_their_numbers(everybody: dict[str, Any]) -> None:
    publish, receive = everybody["plan"]["cases"]
    assert receive["receipt"]["matches"] == receive["iterations"] == 20
    assert publish["receipt"]["updates"] == publish["iterations"] > 20
    slices = [one for each in everybody["rounds"] for record in each["records"] for one in record["slices"]]
    for case in (publish, receive):
        told = [one["receipt"] for one in slices if one["case"] == case["name"] and one["kind"] != "empty"]
        assert len(told) >= 2 * 16
        assert all(receipt == case["receipt"] for receipt in told)


def test_the_audit_and_a_listener_accept_all(everybody: dict[str, Any]) -> None:
    assert {audit["verdict"] for audit in everybody["audits"]} == {"accepted"}
    delivered = [audit["delivered"] for audit in everybody["audits"] if audit["case"] == "publish"]
    assert len(delivered) >= 16
    assert all(receipt == delivered[0] for receipt in delivered)
    assert "crc32" in delivered[0]


def test_a_subscriber_has_further_figures(everybody: dict[str, Any]) -> None:
    for row in everybody["summary"]:
        if row["role"] == "subscriber":
            assert row["clock"] == "cpu"
            assert 0 < row["extra_figures"]["first_match_ns"] <= row["extra_figures"]["wall"]


@pytest.mark.parametrize(
    ("arguments", "role", "assigned"),
    [
        (("--vary", "publisher"), "publisher", {"c"}),
        (("--publisher", "python/pyzmq"), "subscriber", {"python/pyzmq"}),
    ],
)
def test_one_role_is_varied_and_the_other_is_the_same_for_all(
    cli: Cli, tmp_path: Path, arguments: tuple[str, ...], role: str, assigned: set[str]
) -> None:
    run = run_of(cli, tmp_path / "run.json", *FEW, *arguments)
    assert {row["role"] for row in run["summary"]} == {role}
    assert rows(run, role) == ["c", "control", "python/capi", "python/pyzmq"]
    supporting = [worker for worker in run["plan"]["workers"] if worker.get("supporting")]
    assert {worker["contestant"]["name"] for worker in supporting} == assigned


def test_anybody_plays_against_anybody(cli: Cli, tmp_path: Path) -> None:
    run = run_of(cli, tmp_path / "run.json", "--publisher", "c", "--subscriber", "python/pyzmq")
    for role in ("publisher", "subscriber"):
        assert rows(run, role) == ["c", "c > python/pyzmq", "control"]
    assert all(row["valid"] for row in run["summary"])


def test_the_average_is_printed_where_more_is_asked_for(cli: Cli) -> None:
    arguments = ("run", "weather", *SMALL, *FEW)
    said = cli(*arguments, "--verbose").stderr
    averages = re.findall(
        r"^(\S+), subscriber: Average temperature for zipcode '10001 ' was (-?\d+)F$", said, re.MULTILINE
    )
    assert sorted(name for name, _ in averages) == ["c", "control", "python/capi", "python/pyzmq"]
    assert len({degrees for _, degrees in averages}) == 1
    assert "Average" not in cli(*arguments).stderr


def test_a_port_that_was_named_is_not_chosen_anew(cli: Cli, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert_told(
            cli("run", "weather", *SMALL, "--set", f"port={port}"), f"port {port} is in use; 0 takes a free one"
        )
    run = run_of(cli, tmp_path / "run.json", "-c", "python/capi", "--set", f"port={port}")
    assert all(row["valid"] for row in run["summary"])


@pytest.mark.parametrize(
    ("arguments", "words", "status"),
    [
        (("--vary", "reader"), "weather has no such role; use one of publisher, subscriber, both", 1),
        (
            ("--publisher", "python/capy"),
            "--publisher python/capy: there is no such contestant here (did you mean python/capi",
            1,
        ),
        (("--publsher", "c"), "'--publisher'", 2),
        (("--publisher",), "Option '--publisher' requires a contestant.", 2),
        (("--iterations", "5"), "--iterations: those of weather follow from its parameters", 1),
        (("--set", "zipcodes=0"), "--set zipcodes: it takes 1 to 100,000", 1),
        (("--set", "patience=0"), "--set patience: it takes 0.001 to 86,400 seconds", 1),
    ],
)
def test_mistakes_are_told(cli: Cli, arguments: tuple[str, ...], words: str, status: int) -> None:
    assert_told(cli("run", "weather", *arguments), words, status=status)
