"""A role whose other does not come, stops, or says too much: each ends with a sentence that says what it waited for."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import zmq
from support.teams import let_go, player
from support.weather import ONE_OF_A_FILE, Play, cases, names

MATCH = b"10001 30 40"


@pytest.fixture
def station() -> Iterator[zmq.Socket[bytes]]:
    """A publisher of ours."""
    with zmq.Context() as context, context.socket(zmq.XPUB) as station:
        station.setsockopt(zmq.RCVTIMEO, 20_000)
        station.setsockopt(zmq.LINGER, 0)
        station.bind("tcp://127.0.0.1:*")
        yield station


def endpoint(station: zmq.Socket[bytes]) -> str:
    return station.getsockopt_string(zmq.LAST_ENDPOINT)


@pytest.mark.parametrize("name", ONE_OF_A_FILE)
def test_a_publisher_to_whom_nobody_comes(part: Play, name: str) -> None:
    publish, _ = cases()
    with player(part(name, publish, patience=0.3)) as one:
        let_go(one, lines=1)
        one.end()
    assert one.lines == []
    assert one.errors == "publisher: no subscriber came within 0.3 s\n"
    assert one.status not in {0, None}


@pytest.mark.parametrize("name", names())
def test_a_subscriber_whose_publisher_stops(part: Play, station: zmq.Socket[bytes], name: str) -> None:
    _, receive = cases()
    with player(part(name, receive, patience=0.3, endpoint=endpoint(station))) as one:
        one.go()
        assert station.recv() == b"\x0110001 "
        for _ in range(3):
            station.send(MATCH)
        one.read(1)
        one.end()
    assert one.lines == []
    assert one.errors == "subscriber: 3 of 10 updates came within 0.3 s of each other; waiting for the publisher\n"
    assert one.status not in {0, None}


@pytest.mark.parametrize("name", ONE_OF_A_FILE)
def test_a_subscriber_whose_publisher_says_nothing(part: Play, station: zmq.Socket[bytes], name: str) -> None:
    _, receive = cases()
    with player(part(name, receive, patience=0.3, endpoint=endpoint(station))) as one:
        let_go(one, lines=1)
        one.end()
    assert one.errors == "subscriber: 0 of 10 updates came within 0.3 s of each other; waiting for the publisher\n"


@contextmanager
def published_at_once(server: socket.socket, updates: list[bytes]) -> Iterator[None]:
    """Be a publisher that sends its one subscriber all updates in one piece, by ZMTP 3.0.

    A library sends from a thread of its own, and may do so in two pieces, of which the subscriber sees the first alone.
    """
    server.settimeout(20)
    connection, _ = server.accept()
    connection.settimeout(20)
    with connection, connection.makefile("rb") as incoming:
        connection.sendall(bytes([0xFF, *[0] * 8, 0x7F, 3, 0]) + b"NULL".ljust(52, b"\0"))
        assert incoming.read(64)[12:16] == b"NULL"
        ready = b"\x05READY\x0bSocket-Type\0\0\0\x04XPUB"
        connection.sendall(bytes([4, len(ready)]) + ready)
        _, length = incoming.read(2)
        assert incoming.read(length).startswith(b"\x05READY")
        assert incoming.read(9) == b"\0\x07\x0110001 "
        connection.sendall(b"".join(bytes([0, len(update)]) + update for update in updates))
        yield


@pytest.mark.parametrize("name", ONE_OF_A_FILE)
def test_a_subscriber_that_gets_more(part: Play, name: str) -> None:
    _, receive = cases()
    with socket.create_server(("127.0.0.1", 0)) as server:
        station = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with player(part(name, receive, slices=1, warmup=0, endpoint=station)) as one:
            one.go()
            with published_at_once(server, [MATCH] * 11):
                one.read(2)
                one.end()
    assert one.receipts() == [{"matches": 10, "temperature": 300}]
    assert one.errors == "subscriber: more than 10 updates came\n"
    assert one.status not in {0, None}


@pytest.mark.parametrize("name", ONE_OF_A_FILE)
def test_a_publisher_at_a_port_that_is_in_use(part: Play, name: str) -> None:
    publish, _ = cases()
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with player(part(name, publish, port=port)) as one:
            one.end()
    assert one.ready == {}
    assert one.errors == f"publisher: tcp://127.0.0.1:{port}: Address already in use\n"
    assert one.status not in {0, None}


@pytest.mark.parametrize("name", ONE_OF_A_FILE)
def test_a_publisher_at_the_port_that_the_user_named(part: Play, name: str) -> None:
    publish, _ = cases()
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with player(part(name, publish, port=port)) as one:
        assert one.ready["endpoint"] == f"tcp://127.0.0.1:{port}"
