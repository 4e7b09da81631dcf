"""A program that the loader could not start while counting is told what helps, and no other program is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from support.compiled import compiled

from ffibench.audit.command import CommandAudit, audit_command
from ffibench.audit.environment import THREAD_LOCAL_BYTES
from ffibench.audit.loading import STATIC_TLS_ADVICE
from ffibench.audit.support import unsupported

if (_reason := unsupported(Path(sys.executable))) is not None:
    pytest.skip(str(_reason), allow_module_level=True)

LOCAL = f"""
__thread char local[{10 * THREAD_LOCAL_BYTES}] __attribute__((tls_model("initial-exec")));
char *of_thread(void) {{ return local; }}
"""
PROGRAM = """
#include <stdio.h>
char *of_thread(void);
int main(int count, char **words) { (void)words; puts("started"); return of_thread()[7] + count - 1; }
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program whose library has more thread-local data than the loader has memory for while counting."""
    folder = tmp_path_factory.mktemp("local")
    compiled(folder / "liblocal.so", LOCAL, "-shared", "-fPIC")
    return compiled(folder / "app", PROGRAM, f"-L{folder}", "-llocal", f"-Wl,-rpath,{folder}")


def audit(*command: str | Path) -> CommandAudit:
    return audit_command([str(word) for word in command], ["liblocal*"])


def test_what_helps_is_said_where_the_program_did_not_start(
    program: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = audit(program)
    assert found.exit_status == 127
    (trouble,) = found.troubles
    assert trouble.startswith(f"{program} did not start: the loader had too little memory for thread-local data")
    assert STATIC_TLS_ADVICE in trouble
    out, err = capfd.readouterr()
    assert out == ""  # nor does asking the loader run the program
    assert err.count("cannot allocate memory in static TLS block") == 1
    name, _, value = STATIC_TLS_ADVICE.partition(" ")[0].partition("=")
    monkeypatch.setenv(name, value)
    found = audit(program)
    assert (found.exit_status, found.troubles) == (0, ())
    assert capfd.readouterr().out == "started\n"


def test_of_a_program_that_another_one_started_it_is_said_what_may_help(program: Path) -> None:
    (trouble,) = audit("sh", "-c", f"{program}; exit $?").troubles
    assert trouble.startswith('if a loader said "cannot allocate memory in static TLS block", ')
    assert STATIC_TLS_ADVICE in trouble


@pytest.mark.parametrize("script", ["exit 127", "no-such-program-anywhere", "exit 1"])
def test_another_end_with_that_status_is_left_alone(script: str) -> None:
    assert audit("sh", "-c", script).troubles == ()


def test_a_program_that_ends_otherwise_is_not_asked_about(program: Path) -> None:
    """It needs more memory too; but it was started by a shell that did not mind."""
    assert audit("sh", "-c", f"{program}; exit 3").troubles == ()


def test_a_program_that_ends_with_that_status_itself_is_not_run_again(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    source = f'#include <stdio.h>\nint main(void) {{ fputs("run\\n", fopen("{runs}", "a")); return 127; }}\n'
    found = audit(compiled(tmp_path / "app", source))
    assert (found.exit_status, found.troubles) == (127, ())
    assert runs.read_text(encoding="utf-8") == "run\n"
