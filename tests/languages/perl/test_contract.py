"""The worker contract in Perl: the kit in a process of its own, with a stub in place of a shim."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from support.perl import perl_or_skip

from ffibench.languages.perl import LANGUAGE
from ffibench.model.runtime import Runtime
from ffibench.paths import asset

KITS = asset("native/kits/perl")
STUB = """\
package stub;
our @EXPORT = qw(add LIMIT);
sub add { $_[0] + $_[1] }
sub LIMIT () { 7 }
1;
"""
SCRIPT = """\
use strict;
use warnings;
use FFIBench;
my $sum = 0;
FFIBench::serve(
    library => '1.2 "x"',
    cases => {
        sum => {
            run => sub {
                my ($n) = @_;
                $sum = add($sum, 1) for 1 .. $n;
                return { sum => $sum, text => "12\\n", big => 1e15 };
            },
            empty => sub { my ($n) = @_; for (1 .. $n) {} return },
        },
        dies    => { run => sub { die "add: it went wrong\\n" }, empty => sub { } },
        silent  => { run => sub { return }, empty => sub { } },
        never   => 'it has no such call',
    },
);
print STDERR "torn down\\n";
"""
GO = "go\n"


class Scripted:
    """A worker in Perl, from a text and a stub of a shim."""

    def __init__(self, perl: Runtime, folder: Path) -> None:
        self.perl, self.folder = perl, folder

    def run(
        self, script: str = SCRIPT, *, told: str = GO, shim: str | None = STUB, **changes: str
    ) -> subprocess.CompletedProcess[str]:
        source = self.folder / "perl.pl"
        source.write_text(script, encoding="utf-8")
        artifact = None if shim is None else self.folder / "stub.pm"
        if artifact is not None:
            artifact.write_text(shim or "", encoding="utf-8")
        options = {"binding": "stub", "slices": "2", "warmup": "1", "cases": "sum:10", **changes}
        arguments = [f"{name}={value}" for name, value in options.items()]
        command = [*LANGUAGE.command(self.perl, source, artifact), *arguments]
        return subprocess.run(command, input=told, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def perl() -> Runtime:
    return perl_or_skip()


@pytest.fixture
def scripted(perl: Runtime, tmp_path: Path) -> Scripted:
    return Scripted(perl, tmp_path)


SLEEPING = "select undef, undef, undef, 0.2;"


def costs(answer: subprocess.CompletedProcess[str]) -> dict[str, int]:
    assert answer.returncode == 0, answer.stderr
    found: dict[str, int] = json.loads(answer.stdout.splitlines()[0])["ready"]["costs"]
    return found


def test_the_start_of_a_binding_is_measured_where_it_is_asked_for(scripted: Scripted) -> None:
    slow = STUB.replace("1;\n", f"{SLEEPING} our $big = 'x' x (32 << 20); 1;\n")
    found = costs(scripted.run(shim=slow, costs="call"))
    assert found["import_ns"] >= 190e6  # a sleep is measured by another clock
    assert found["first_call_ns"] > found["import_ns"]
    assert found["rss_bytes"] >= 24 << 20  # a kernel short of memory may take some of it back
    assert found["pss_bytes"] >= 24 << 20


def test_the_first_call_has_its_set_up_and_not_the_compilation_of_its_file(scripted: Scripted) -> None:
    compiling = SCRIPT.replace("use FFIBench;", "use FFIBench; BEGIN { select undef, undef, undef, 3 }")
    assert costs(scripted.run(compiling, costs="call"))["first_call_ns"] < 3e9
    setting_up = SCRIPT.replace("my $sum = 0;", f"my $sum = 0; {SLEEPING}")
    assert costs(scripted.run(setting_up, costs="call"))["first_call_ns"] >= 190e6


def test_no_first_call_where_none_can_be_made_alone(scripted: Scripted) -> None:
    waiting = SCRIPT.replace("            empty =>", "            before => sub { }, empty =>", 1)
    for script, cases, asked in (
        (SCRIPT, "sum:10", "import"),
        (waiting, "sum:10", "call"),
        (SCRIPT, "never:1", "call"),
    ):
        assert "first_call_ns" not in costs(scripted.run(script, cases=cases, costs=asked))


def test_a_contestant_with_its_own_binding_reports_no_costs(scripted: Scripted) -> None:
    own = SCRIPT.replace("add($sum, 1)", "$sum + 1")
    answer = scripted.run(own, shim=None, costs="call")
    assert json.loads(answer.stdout.splitlines()[0]) == {"ready": {"library": '1.2 "x"'}}


def test_ready_then_a_line_a_slice_then_the_end(scripted: Scripted) -> None:
    answer = scripted.run()
    ready, *slices = [json.loads(line) for line in answer.stdout.splitlines()]
    assert ready == {"ready": {"library": '1.2 "x"'}}
    assert [(each["case"], each["kind"], each["slice"]) for each in slices] == [
        ("sum", "warmup", 0),
        ("sum", "timed", 0),
        ("sum", "timed", 1),
        ("sum", "empty", 0),
        ("sum", "empty", 1),
    ]
    assert [each.get("receipt") for each in slices] == [
        {"sum": 10, "text": "12\n", "big": 10**15},
        {"sum": 20, "text": "12\n", "big": 10**15},
        {"sum": 30, "text": "12\n", "big": 10**15},
        None,
        None,
    ]
    assert all(type(each[clock]) is int and each[clock] > 0 for each in slices for clock in ("wall_ns", "cpu_ns"))
    assert (answer.returncode, answer.stderr) == (0, "torn down\n")


def test_it_waits_for_go_and_stays_until_its_input_closes(scripted: Scripted, tmp_path: Path) -> None:
    (tmp_path / "perl.pl").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "stub.pm").write_text(STUB, encoding="utf-8")
    command = LANGUAGE.command(scripted.perl, tmp_path / "perl.pl", tmp_path / "stub.pm")
    arguments = ["binding=stub", "slices=1", "warmup=0", "cases=sum:3"]
    pipe = subprocess.PIPE
    with subprocess.Popen([*command, *arguments], stdin=pipe, stdout=pipe, stderr=pipe, text=True) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        assert "ready" in worker.stdout.readline()
        worker.stdin.write(GO)
        worker.stdin.flush()
        assert '"timed"' in worker.stdout.readline()
        assert '"empty"' in worker.stdout.readline()
        assert worker.poll() is None
        _, errors = worker.communicate(timeout=60)
        assert (worker.returncode, errors) == (0, "torn down\n")


@pytest.mark.parametrize(
    ("cases", "lines"),
    [
        ("never:5", [{"case": "never", "unsupported": "it has no such call"}]),
        ("other:5", [{"case": "other", "unsupported": "stub has no case other"}]),
        ("a:b:5", [{"case": "a:b", "unsupported": "stub has no case a:b"}]),
    ],
)
def test_a_case_that_it_cannot_run_is_told_once(scripted: Scripted, cases: str, lines: list[dict[str, str]]) -> None:
    answer = scripted.run(cases=cases)
    assert [json.loads(line) for line in answer.stdout.splitlines()[1:]] == lines
    assert answer.returncode == 0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"told": "stop\n"}, "ffibench worker: expected go on standard input"),
        ({"told": ""}, "ffibench worker: expected go on standard input"),
        ({"cases": "sum:ten"}, "ffibench worker: not a number: ten"),
        ({"cases": "sum"}, "ffibench worker: not of the form NAME:ITERATIONS: sum"),
        ({"slices": "-1"}, "ffibench worker: not a number: -1"),
        ({"cases": "dies:1"}, "add: it went wrong"),
        ({"cases": "silent:1"}, "ffibench worker: a loop returned no receipt, a reference to a hash"),
        ({"shim": "die qq(cannot load the library\\n);"}, "cannot load the library"),
        ({"script": "use FFIBench; FFIBench::option('message');"}, "ffibench worker: missing argument: message"),
    ],
)
def test_a_mistake_is_told_with_a_status(scripted: Scripted, changes: dict[str, str], said: str) -> None:
    answer = scripted.run(**changes)
    assert answer.returncode != 0
    assert answer.stderr.startswith(said)


@pytest.mark.parametrize("receipt", ["undef", "1.5", "9**9**9 - 9**9**9"])
def test_a_receipt_is_made_of_whole_numbers_and_strings(scripted: Scripted, receipt: str) -> None:
    loop = f"sub {{ return {{ value => {receipt} }} }}"
    script = f"use FFIBench; FFIBench::serve(cases => {{ sum => {{ run => {loop}, empty => sub {{}} }} }});"
    answer = scripted.run(script)
    assert answer.returncode != 0
    assert "ffibench worker: a receipt with" in answer.stderr


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("9223372036854775807", 2**63 - 1),
        ("18446744073709551615", 2**64 - 1),
        ("-3", -3),
        ("2**60", 2**60),
        ("1e20", 10**20),
        ("'0042'", "0042"),
        ("'42'", "42"),
        ("''", ""),
        (r'"a\"b\\\t"', 'a"b\\\t'),
        (r'"\x{e4}\x{20ac}"', "ä€"),
        ('"\u00e4"', "ä"),  # the bytes of a file without `use utf8`
    ],
)
def test_numbers_stay_numbers_and_strings_strings(scripted: Scripted, value: str, read: int | str) -> None:
    loop = f"sub {{ return {{ value => {value} }} }}"
    script = f"use FFIBench; FFIBench::serve(cases => {{ sum => {{ run => {loop}, empty => sub {{}} }} }});"
    answer = scripted.run(script, slices="1", warmup="0")
    assert answer.stderr == ""
    assert json.loads(answer.stdout.splitlines()[1])["receipt"] == {"value": read}


def test_a_contestant_without_a_shim_imports_nothing(scripted: Scripted) -> None:
    script = "use strict; use FFIBench; print defined &main::add ? 1 : 0; print FFIBench::option('binding');"
    answer = scripted.run(script, shim=None)
    assert (answer.stdout, answer.stderr, answer.returncode) == ("0stub", "", 0)


def test_arguments_are_bytes_whatever_the_environment_says(scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERL_UNICODE", "SDA")
    answer = scripted.run("use FFIBench; print length FFIBench::option('message');", message="ä=€")
    assert answer.stdout == "6"


def test_functions_are_called_directly_and_constants_are_inlined(scripted: Scripted) -> None:
    ops = "use FFIBench; use B::Concise (); B::Concise::compile('-exec', 'work')->(); sub work { add(LIMIT, 1) }"
    listing = scripted.run(ops).stdout
    assert "gv[*add] " in listing or "gv(*add)" in listing or "gv[IV \\&stub::add]" in listing
    assert "const[IV 7]" in listing or "const(IV 7)" in listing


XSUB = asset("experiments/xsub/perl.pl")
XSUB_STUB = """\
package stub;
our @EXPORT = qw(
    zmq_ctx_new zmq_socket zmq_bind zmq_send zmq_recv zmq_close zmq_ctx_term zmq_errno ZMQ_PUB ZMQ_XPUB
);
eval "sub $_ { 1 }" for @EXPORT;
1;
"""


@pytest.mark.parametrize("file", [KITS / "FFIBench.pm", XSUB], ids=lambda file: file.name)
def test_perl_has_nothing_to_warn_of(perl: Runtime, tmp_path: Path, file: Path) -> None:
    (tmp_path / "stub.pm").write_text(XSUB_STUB, encoding="ascii")
    command = [perl.executable, "-wc", f"-I{KITS}", str(file), f"shim={tmp_path / 'stub.pm'}"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.stderr == f"{file} syntax OK\n"
