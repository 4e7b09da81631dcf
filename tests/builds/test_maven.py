"""Jars come from the user's own repository, by mvn, or from a repository of the network; a wrong one never."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ffibench.builds import maven
from ffibench.builds.maven import CENTRAL, FetchError, Jar, fetch, repository

CONTENT = b"PK of a jar"
JAR = Jar("org.example", "thing", "1.2", sha256(CONTENT).hexdigest())
LOCKED = f"{JAR.coordinates}={JAR.sha256}"
SETTINGS = """\
<settings xmlns="http://maven.apache.org/SETTINGS/1.0.0"><mirrors><mirror>
<id>own</id><mirrorOf>{of}</mirrorOf><url>{url}/</url></mirror></mirrors></settings>
"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder, and says nothing on standard error."""

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without mvn."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / ".m2").mkdir()
    (tmp_path / "bin").mkdir()
    return tmp_path


@pytest.fixture
def server(home: Path) -> Iterator[str]:
    """A repository on this machine, which is the mirror of the user's settings."""
    place = home / "served" / JAR.path
    place.parent.mkdir(parents=True)
    place.write_bytes(CONTENT)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(home / "served"))) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{served.server_port}"
        (home / ".m2" / "settings.xml").write_text(SETTINGS.format(of="*", url=address), encoding="utf-8")
        yield address
        served.shutdown()


def test_it_comes_from_the_repository_where_there_is_no_mvn(server: str) -> None:
    assert fetch(JAR) == CONTENT


def test_another_jar_is_refused(server: str) -> None:
    with pytest.raises(FetchError, match=f"what came has the sha256 {JAR.sha256}, and not 00"):
        fetch(JAR._replace(sha256="00"))


def test_one_that_is_not_there_is_told(server: str) -> None:
    with pytest.raises(FetchError, match="the repository answers with the status 404"):
        fetch(JAR._replace(version="9"))


def test_without_network_it_is_told(home: Path) -> None:
    (home / ".m2" / "settings.xml").write_text(SETTINGS.format(of="central", url="http://127.0.0.1:9"))
    with pytest.raises(FetchError, match="Connection refused; it needs the network once"):
        fetch(JAR)


@pytest.mark.parametrize(("text", "found"), [("", CENTRAL), ("<a", CENTRAL), (SETTINGS, CENTRAL)])
def test_what_is_no_mirror_of_central_is_none(home: Path, text: str, found: str) -> None:
    settings = home / ".m2" / "settings.xml"
    if text:
        settings.write_text(text.format(of="another", url="http://x"), encoding="utf-8")
    assert repository(settings) == found
    settings.write_text(SETTINGS.format(of="external:*", url="http://x/"), encoding="utf-8")
    assert repository(settings) == "http://x"


def test_the_user_s_own_repository_comes_first(home: Path) -> None:
    own = home / ".m2" / "repository" / JAR.path
    own.parent.mkdir(parents=True)
    own.write_bytes(CONTENT)
    assert fetch(JAR) == CONTENT
    own.write_bytes(b"another")
    (home / ".m2" / "settings.xml").write_text(SETTINGS.format(of="*", url="http://127.0.0.1:9"))
    with pytest.raises(FetchError, match="refused"):
        fetch(JAR)


FETCHING = """\
for each; do case $each in -DoutputDirectory=*) place=${each#*=};; esac; done
printf 'PK of a jar' > "$place/thing-1.2.jar"
"""


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (FETCHING, ""),
        ("echo '[ERROR] no such artifact'; exit 1", "mvn says no such artifact"),
        ("exit 0", "mvn says nothing"),
    ],
)
def test_mvn_fetches_where_it_is_on_path(home: Path, script: str, said: str) -> None:
    (home / "bin" / "mvn").write_text(f"#!/bin/sh\n{script}\n")
    (home / "bin" / "mvn").chmod(0o755)
    if not said:
        assert fetch(JAR) == CONTENT
    else:
        with pytest.raises(FetchError, match=said):
            fetch(JAR)


def test_the_script_lists_what_it_fetched(server: str, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    listed = tmp_path / "out" / "jars.txt"
    command = [sys.executable, "-I", maven.__file__, str(listed)]
    assert subprocess.run(command, check=False).returncode == 0
    assert listed.read_text() == ""
    assert subprocess.run([*command, LOCKED], check=False).returncode == 0
    assert listed.read_text() == f"{JAR.sha256}  thing.jar\n"
    assert (tmp_path / "out" / "thing.jar").read_bytes() == CONTENT


def test_its_failure_is_one_sentence(server: str, tmp_path: Path) -> None:
    command = [sys.executable, "-I", maven.__file__, str(tmp_path / "jars.txt"), "org.example:thing:9=00"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 1
    assert answer.stderr.startswith("error: could not fetch org.example:thing:9 from Maven: ")
    assert answer.stderr.count("\n") == 1
    assert not (tmp_path / "jars.txt").exists()
