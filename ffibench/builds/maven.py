"""Fetches the jars of a lock list from Maven's repository: `maven.py LIST GROUP:ARTIFACT:VERSION=SHA256 ...`.

It is run by a build, as a script of its own. A jar lies beside LIST as `ARTIFACT.jar`, and LIST names it with its
checksum when all are there. The ordinary client fetches it where there is one, `mvn`; else this script does, since a
user of a wheel has none. Then the repository is the mirror of the user's `settings.xml`, if that has one; a
password is not sent. What comes is kept only where it has the checksum.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import urllib.request
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError
from xml.etree import ElementTree

CENTRAL = "https://repo.maven.apache.org/maven2"
GOAL = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"
SECONDS_MAX = 60
CLIENT_SECONDS_MAX = 600


class FetchError(Exception):
    """Why a jar is not to be had, as the end of a sentence."""


class Jar(NamedTuple):
    """A jar by its coordinates, with its checksum."""

    group: str
    artifact: str
    version: str
    sha256: str

    @property
    def coordinates(self) -> str:
        """As Maven writes them."""
        return f"{self.group}:{self.artifact}:{self.version}"

    @property
    def path(self) -> str:
        """Where it lies in a repository."""
        return f"{self.group.replace('.', '/')}/{self.artifact}/{self.version}/{self.artifact}-{self.version}.jar"


def main(arguments: list[str]) -> int:
    """Fetch all jars; the status is that of the script."""
    listed = Path(arguments[0])
    jars = [_jar(each) for each in arguments[1:]]
    for jar in jars:
        try:
            content = fetch(jar)
        except FetchError as error:
            print(f"error: could not fetch {jar.coordinates} from Maven: {error}", file=sys.stderr)
            return 1
        (listed.parent / f"{jar.artifact}.jar").write_bytes(content)
    listed.write_text("".join(f"{jar.sha256}  {jar.artifact}.jar\n" for jar in jars), encoding="ascii")
    return 0


def fetch(jar: Jar) -> bytes:
    """Return the content of a jar: from the user's local repository, by `mvn`, or from the repository itself.

    Raises FetchError where it cannot be had, or is another one.
    """
    home = Path.home() / ".m2"
    local = home / "repository" / jar.path
    client = shutil.which("mvn")
    if local.is_file() and sha256(local.read_bytes()).hexdigest() == jar.sha256:
        return local.read_bytes()
    content = _downloaded(jar, repository(home / "settings.xml")) if client is None else _by_client(jar, client)
    found = sha256(content).hexdigest()
    if found != jar.sha256:
        raise FetchError(f"what came has the sha256 {found}, and not {jar.sha256}")
    return content


def repository(settings: Path) -> str:
    """Return the address of the repository that stands for Maven Central."""
    try:
        root = ElementTree.parse(settings).getroot()
    except (OSError, ElementTree.ParseError):
        return CENTRAL
    for mirror in root.iterfind("{*}mirrors/{*}mirror"):
        if mirror.findtext("{*}mirrorOf", "").strip() in {"central", "*", "external:*"}:
            return mirror.findtext("{*}url", CENTRAL).strip().rstrip("/")
    return CENTRAL


def _jar(text: str) -> Jar:
    coordinates, _, checksum = text.partition("=")
    group, artifact, version = coordinates.split(":")
    return Jar(group, artifact, version, checksum)


def _downloaded(jar: Jar, address: str) -> bytes:
    try:
        with urllib.request.urlopen(f"{address}/{jar.path}", timeout=SECONDS_MAX) as answer:
            content: bytes = answer.read()
    except HTTPError as error:
        raise FetchError(f"the repository answers with the status {error.code}") from None
    except OSError as error:
        raise FetchError(f"{getattr(error, 'reason', error)}; it needs the network once") from None
    return content


def _by_client(jar: Jar, client: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        command = [client, "-q", "-B", GOAL, f"-Dartifact={jar.coordinates}", f"-DoutputDirectory={folder}"]
        try:
            answer = subprocess.run(
                [*command, "-Dmdep.useBaseVersion=true"],
                cwd=folder,  # where no project is
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
                timeout=CLIENT_SECONDS_MAX,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise FetchError(str(error)) from None
        found = Path(folder) / f"{jar.artifact}-{jar.version}.jar"
        if answer.returncode != 0 or not found.is_file():
            said = next((line for line in answer.stdout.splitlines() if "ERROR" in line), answer.stderr.strip())
            raise FetchError(f"mvn says {said.partition(']')[2].strip() or said or 'nothing'}")
        return found.read_bytes()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
