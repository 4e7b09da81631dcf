"""Calls that only look right: as many as there have to be, whose results nobody but the audit looks at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.cheats import run_cheats, write_cheats
from support.command import Cli

MESSAGE = (
    "zmq.zmq_msg_data.restype = ctypes.c_void_p; m = ctypes.create_string_buffer(64); "
    "zmq.zmq_msg_init_size(m, ctypes.c_size_t(size)); ctypes.memmove(zmq.zmq_msg_data(m), message, size); "
    "zmq.zmq_msg_send(m, ctypes.c_void_p(SOCKET), 0)"
)
SEND = "send(SOCKET, message, size, 0)"
OF_SENDS = "did not return the value of argument 2."
CHEATS: dict[str, tuple[str, str, str | None]] = {
    "message": (MESSAGE, "socket", None),
    "null": (SEND, "socket if peers else None", f"zmq_send 4,000 times, of which 4,000 {OF_SENDS}"),
    "null-in-warm-up": (
        SEND,
        "None if kind == 'warmup' and not peers else socket",
        f"zmq_send 4,000 times, of which 2,000 {OF_SENDS}",
    ),
    "null-once": (SEND, "socket if peers or _ else None", f"zmq_send 4,000 times, of which 2 {OF_SENDS}"),
    "no-socket": (
        SEND,
        "socket if peers else ctypes.create_string_buffer(4096)",
        f"zmq_send 4,000 times, of which 4,000 {OF_SENDS}",
    ),
    "message-to-null": (
        MESSAGE,
        "socket if peers else None",
        "zmq_msg_send 4,000 times, of which 4,000 returned a negative number.",
    ),
}
"""What each does, with which socket, and what is said of it. For its peer each sends what it has to."""


@pytest.fixture(scope="module")
def cheats(tmp_path_factory: pytest.TempPathFactory) -> Path:
    changes = {name: {"work": work.replace("SOCKET", socket)} for name, (work, socket, _) in CHEATS.items()}
    return write_cheats(tmp_path_factory.mktemp("results") / "results", changes)


@pytest.fixture(scope="module")
def found(cli: Cli, cheats: Path) -> dict[str, dict[str, object]]:
    return run_cheats(cli, cheats)


@pytest.mark.parametrize("name", CHEATS)
def test_who_sends_nothing_is_invalid(found: dict[str, dict[str, object]], name: str) -> None:
    row, (_, _, reason) = found[f"python/{name}"], CHEATS[name]
    if reason is None:
        assert (row["valid"], row["audit"]) == (True, "accepted")
    else:
        assert (row["valid"], row["audit"], row["rounds"]) == (False, "invalid", 0)
        assert row["reason"] == f"It called {reason}"


def test_the_wrong_calls_are_kept_by_slice(found: dict[str, dict[str, object]]) -> None:
    audit = found["python/null-in-warm-up"]["audited"]
    assert isinstance(audit, dict)
    assert [each["wrong"] for each in audit["functions"]] == [2_000]
    by_slice = [[each.get("wrong", 0) for each in one.get("functions", ())] for one in audit["slices"]]
    assert by_slice == [[2_000], [0], []]


def test_they_are_judged_again_when_a_file_is_read(cli: Cli, cheats: Path, found: dict[str, object]) -> None:
    """Whatever verdict the file has."""
    assert found
    document = json.loads((cheats.parent / "run.json").read_text(encoding="utf-8"))
    (audit,) = (each for each in document["audits"] if each["key"].startswith("python/message ["))
    assert audit["verdict"] == "accepted"
    (sent,) = (each for each in audit["functions"] if each["name"] == "zmq_msg_send")
    sent["wrong"] = 7
    edited = cheats.parent / "edited.json"
    edited.write_text(json.dumps(document), encoding="utf-8")
    answer = cli("show", str(edited), "--json", "-")
    assert answer.returncode == 1, answer.stderr
    (row,) = (each for each in json.loads(answer.stdout)["summary"] if each["contestant"] == "python/message")
    assert row["reason"] == "It called zmq_msg_send 4,000 times, of which 7 returned a negative number."
