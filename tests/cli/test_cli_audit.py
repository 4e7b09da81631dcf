"""`ffibench audit -- COMMAND`: the command is run as a shell would run it, and its calls are told beside it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support.command import SCRIPT, Cli, assert_told, start_cli
from support.compiled import compiled

from ffibench.audit.support import unsupported

if (_reason := unsupported(Path(sys.executable))) is not None:
    pytest.skip(str(_reason), allow_module_level=True)

CALLS = 300
LIBRARY = ("--library", "libm.so*")

SIGNALLED = """
import signal, sys, time
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
print("ready", flush=True)
first = signal.sigwait({signal.SIGINT, signal.SIGTERM})
second = signal.sigtimedwait({signal.SIGINT, signal.SIGTERM}, 0.5)
print(f"{signal.Signals(first).name}, then {second}", flush=True)
sys.exit(7)
"""

ON_A_TERMINAL = """
import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
"""


def python(program: str) -> tuple[str, ...]:
    return "--", sys.executable, "-I", "-c", program


@pytest.fixture(scope="module")
def hypotenuse(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """A program that calls `hypot` of the mathematical library."""
    source = f"""
#include <math.h>
#include <stdio.h>
int main(int count, char **words) {{
    double sum = 0;
    for (int i = 0; i < {CALLS}; i++) sum += hypot(i, count);
    printf("%d\\n", sum > 0);
}}
"""
    return "--", str(compiled(tmp_path_factory.mktemp("app") / "app", source, "-fno-builtin", "-lm"))


def test_the_counts_stand_beside_what_the_program_says(cli: Cli, hypotenuse: tuple[str, ...]) -> None:
    answer = cli("audit", *LIBRARY, *hypotenuse)
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout == "1\n"
    text = " ".join(answer.stderr.split())
    assert f"hypot {CALLS} " in text
    assert "processes 1" in text
    assert max(map(len, answer.stderr.splitlines())) <= 100
    assert "\x1b" not in answer.stderr


def test_json_has_all_of_it_in_a_file_or_on_standard_output(
    cli: Cli, hypotenuse: tuple[str, ...], tmp_path: Path
) -> None:
    assert cli("audit", *LIBRARY, "--json", str(tmp_path / "audit.json"), *hypotenuse).stdout == "1\n"
    said, _, text = cli("audit", *LIBRARY, "--json", "-", *hypotenuse).stdout.partition("\n")
    assert said == "1"
    for document in (json.loads((tmp_path / "audit.json").read_text(encoding="utf-8")), json.loads(text)):
        assert document["command"] == [hypotenuse[1]]
        assert document["seconds"] > 0
        assert document["processes"] == 1
        assert document["troubles"] == []
        (library,) = document["libraries"]
        assert "libm.so" in library["path"]
        assert {"name": "hypot", "calls": CALLS}.items() <= next(
            function for function in library["functions"] if function["calls"]
        ).items()


def test_input_output_and_errors_are_the_program_s(tmp_path: Path) -> None:
    copies = "import os, sys; sys.stdout.buffer.write(sys.stdin.buffer.read()); os.write(2, b'said\\n'); sys.exit(5)"
    data = bytes(range(256)) * 1000
    command = [str(SCRIPT), "audit", *LIBRARY, *python(copies)]
    answer = subprocess.run(command, input=data, capture_output=True, check=False)
    assert answer.stdout == data
    assert answer.stderr.startswith(b"said\n")
    assert answer.returncode == 5


def test_every_open_file_is_passed_on(tmp_path: Path) -> None:
    with (tmp_path / "third").open("wb") as third:
        copies = f"import os; os.write({third.fileno()}, b'kept')"
        subprocess.run(
            [str(SCRIPT), "audit", *LIBRARY, *python(copies)],
            pass_fds=[third.fileno()],
            capture_output=True,
            check=True,
        )
    assert (tmp_path / "third").read_bytes() == b"kept"


def test_a_pipe_that_closes_kills_the_program_as_it_would_alone(cli: Cli) -> None:
    answer = cli("audit", *LIBRARY, "--", "sh", "-c", "yes | head -n 1")
    assert answer.stdout == "y\n"
    assert answer.returncode == 0
    assert "Broken pipe" not in answer.stderr


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV])
def test_a_death_by_signal_ends_as_in_a_shell(cli: Cli, number: signal.Signals) -> None:
    answer = cli("audit", *LIBRARY, *python(f"import os; os.kill(os.getpid(), {int(number)})"))
    assert answer.returncode == 128 + number
    assert f"killed by {number.name}" in answer.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_sent_to_the_tool_reaches_the_program(number: signal.Signals) -> None:
    process = start_cli(("audit", *LIBRARY, "--compare", *python(SIGNALLED)), stdin=subprocess.DEVNULL)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert out == f"{number.name}, then None\n"
    assert process.returncode == 7
    assert "ended with status 7" in " ".join(err.split())
    assert "not run again to compare" in " ".join(err.split())


def test_ctrl_c_on_a_terminal_goes_to_the_program_once_and_the_counts_are_told() -> None:
    command = [sys.executable, "-I", "-c", ON_A_TERMINAL, str(SCRIPT), "audit", *LIBRARY, *python(SIGNALLED)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline().strip() == b"ready"
    text = process.communicate(b"\x03", timeout=60)[0].decode()
    assert process.returncode == 7
    assert "SIGINT, then None" in text
    assert "processes" in text
    assert "Interrupted." not in text


def test_compare_reads_a_file_on_standard_input_each_time(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("ohhai\n", encoding="utf-8")
    with (tmp_path / "text").open("rb") as text:
        text.seek(2)
        command = ["sh", "-c", f"cat | tee -a {tmp_path}/copies"]
        answer = subprocess.run(
            [str(SCRIPT), "audit", *LIBRARY, "--compare=2", "--", *command], stdin=text, capture_output=True, check=True
        )
    assert (tmp_path / "copies").read_bytes() == b"hai\n" * 5
    assert answer.stdout == b"hai\n"
    assert b") times as long as without" in answer.stderr
    assert b"2 pairs of runs" in answer.stderr


@pytest.mark.parametrize("pairs", ["0", "2.5", "many"])
def test_a_number_of_pairs_that_is_none(cli: Cli, pairs: str) -> None:
    assert_told(cli("audit", *LIBRARY, f"--compare={pairs}", "--", "true"), "'--compare'", pairs, status=2)


def test_compare_cannot_read_a_pipe_twice(cli: Cli) -> None:
    command = [str(SCRIPT), "audit", *LIBRARY, "--compare", "--", "cat"]
    answer = subprocess.run(command, input="ohhai", capture_output=True, text=True, check=False)
    assert_told(answer, "standard input cannot be read twice", "< FILE", "/dev/null")
    assert answer.stdout == ""


def test_several_libraries_each_with_its_table_or_a_sentence(cli: Cli, hypotenuse: tuple[str, ...]) -> None:
    answer = cli("audit", *LIBRARY, "--library", "libnone*", "--library", "libc.so.6", *hypotenuse)
    text = " ".join(answer.stderr.split())
    assert f"hypot {CALLS} " in text
    assert "printf " in text
    assert "Nothing was counted for libnone*" in text
    assert "ldd" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--library", "libz*"), "no command follows --"),
        (("--library", "libz*", "--"), "no command follows --"),
        (("--library", "libz*", "python", "app.py"), "no command follows --"),
        (("python", "--library", "libz*", "--", "app.py"), "'python' stands before --"),
        (("--", "true"), "--library is missing, which says what to count"),
    ],
)
def test_a_command_line_that_lacks_something_has_an_example(cli: Cli, arguments: tuple[str, ...], words: str) -> None:
    assert_told(cli("audit", *arguments), words, "ffibench audit --library 'libsqlite3*' -- python app.py", status=2)


@pytest.mark.parametrize(
    "option", [("--callers",), ("--compare",), ("--every", "1"), ("--follow",), ("--no-demangle",)]
)
def test_what_a_command_alone_has_is_refused_of_an_experiment(cli: Cli, option: tuple[str, ...]) -> None:
    assert_told(cli("audit", "xsub", *option), f"{option[0]} is for a command, not for an experiment", status=2)


def test_a_process_that_stays_behind_is_named_or_followed(
    cli: Cli, hypotenuse: tuple[str, ...], tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "go")
    later = f"({hypotenuse[1]}; echo $$; read line; exec {hypotenuse[1]}) <>{tmp_path}/go >/dev/null 2>&1 &"
    text = " ".join(cli("audit", *LIBRARY, "--", "sh", "-c", later).stderr.split())
    (pid,) = re.findall(r"process (\d+), was still running", text)
    os.kill(int(pid), signal.SIGKILL)
    assert "--follow waits" in text
    ends = f"(sleep 0.5; exec {hypotenuse[1]}) >/dev/null 2>&1 &"
    text = " ".join(cli("audit", *LIBRARY, "--follow", "--", "sh", "-c", ends).stderr.split())
    assert "still running" not in text
    assert f"hypot {CALLS} " in text


def test_callers_are_in_the_table_and_in_the_file(cli: Cli, hypotenuse: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "audit.json"
    answer = cli("audit", *LIBRARY, "--callers", "--json", str(file), *hypotenuse)
    assert f"hypot app {CALLS} " in " ".join(answer.stderr.split())
    ((function,),) = (each["functions"] for each in json.loads(file.read_bytes())["libraries"])
    assert function["callers"] == [[hypotenuse[1], CALLS]]


def test_calls_over_time_go_to_standard_error_and_into_the_file(cli: Cli, tmp_path: Path) -> None:
    sleeps = "import math, time; math.fmod(5, 3); time.sleep(0.5); print('done')"
    file = tmp_path / "audit.json"
    answer = cli("audit", "--library", "libm.so*", "--every", "0.1", "--json", str(file), *python(sleeps))
    assert answer.stdout == "done\n"
    lines = [line for line in answer.stderr.splitlines() if line.startswith("ffibench: ")]
    document = json.loads(file.read_bytes())
    assert len(lines) == len(document["intervals"]) > 1
    told = [calls["fmod"] for each in document["intervals"] for calls in each["calls"].values() if "fmod" in calls]
    assert told == [1]
    assert_told(cli("audit", *LIBRARY, "--every", "0", "--", "true"), "'--every'", status=2)


def test_options_after_the_dashes_are_the_program_s(cli: Cli) -> None:
    answer = cli("audit", *LIBRARY, "--", "echo", "--json", "--", "-h")
    assert answer.stdout == "--json -- -h\n"


def test_a_program_that_cannot_be_started_ends_as_in_a_shell(cli: Cli, tmp_path: Path) -> None:
    assert_told(cli("audit", *LIBRARY, "--", "no-such-program"), "no program no-such-program on PATH", status=127)
    (tmp_path / "app").write_text("", encoding="utf-8")
    assert_told(cli("audit", *LIBRARY, "--", str(tmp_path / "app")), "chmod +x", status=126)


def test_a_static_program_is_told_and_not_started(cli: Cli, tmp_path: Path) -> None:
    source = '#include <stdio.h>\nint main(void) { puts("started"); }'
    answer = cli("audit", *LIBRARY, "--", str(compiled(tmp_path / "app", source, "-static")))
    assert_told(answer, "is linked statically")
    assert answer.stdout == ""


def test_a_file_that_cannot_be_written_is_told_before_the_program_runs(cli: Cli, tmp_path: Path) -> None:
    answer = cli("audit", *LIBRARY, "--json", str(tmp_path / "none" / "file"), "--", "echo", "started")
    assert_told(answer, "no folder", "mkdir -p")
    assert answer.stdout == ""


def test_the_environment_differs_by_what_makes_the_loader_count(cli: Cli) -> None:
    names = "import os; print(*sorted(os.environ))"
    counted = set(cli("audit", *LIBRARY, *python(names)).stdout.split())
    # `env` is given since readline, where a test has imported it, sets variables that os.environ does not have.
    answer = subprocess.run(python(names)[1:], env=os.environ, capture_output=True, text=True, check=True)
    alone = set(answer.stdout.split())
    assert counted - alone == {"LD_AUDIT", "FFIBENCH_COUNT", "GLIBC_TUNABLES"}
    assert not alone - counted
