"""The worker contract in Perl: the kit in a process of its own, with a stub in place of a shim."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from support.anywhere import runtime_or_skip
from support.contract import Contract, Worker

from ffibench.languages.perl import LANGUAGE
from ffibench.model.runtime import Runtime
from ffibench.paths import asset

STUB = """\
package stub;
our @EXPORT = qw(add LIMIT);
sub add { $_[0] + $_[1] }
sub LIMIT () { 7 }
1;
"""
PROGRAM = r"""
use strict;
use warnings;
use FFIBench;

my $total = 0;

sub counted {
    my ($n) = @_;
    $total = add($total, 1) for 1 .. $n;
    return { calls => $n };
}

sub empty {
    my ($n) = @_;
    for (1 .. $n) { }
    return;
}

sub says {
    my ($value) = @_;
    return { run => sub { return { value => $value } }, empty => \&empty };
}

FFIBench::serve(
    library  => '1.2 "x"',
    endpoint => FFIBench::option('binding') eq 'waiting' ? 'tcp://here' : undef,
    cases    => {
        sum    => { run => sub { my $did = counted(@_); return { %{$did}, total => $total } }, empty => \&empty },
        around => {
            before  => sub { $total = 100; return },
            run     => \&counted,
            after   => sub { return { total => ++$total } },
            figures => sub { return { first_ns => 7 } },
            empty   => \&empty,
        },
        lowest  => says(-9223372036854775808),
        highest => says(18446744073709551615),
        odd     => says(9007199254740993),
        text    => says("a\"b\\c\n\t\x01ä😀"),
        dies    => { run => sub { die "it went wrong\n" }, empty => \&empty },
        silent  => { run => sub { return }, empty => \&empty },
        never   => 'it has no such call',
    },
);
print STDERR "torn down\n";
"""
SAYS = """\
use FFIBench;
FFIBench::serve(cases => {{ sum => {{ run => sub {{ return {{ value => {} }} }}, empty => sub {{ }} }} }});
print STDERR "torn down\\n";
"""
SLEEPING = "select undef, undef, undef, 0.2;"
Script = Callable[..., Worker]


@pytest.fixture
def perl() -> Runtime:
    return runtime_or_skip("perl")


@pytest.fixture
def script(perl: Runtime, tmp_path: Path) -> Script:
    """A worker from a text, with a stub of a shim or without one."""

    def worker(text: str = PROGRAM, shim: str | None = STUB) -> Worker:
        source, stub = tmp_path / "perl.pl", tmp_path / "stub.pm"
        source.write_text(text, encoding="utf-8")
        stub.write_text(shim or "", encoding="utf-8")
        return Worker(*LANGUAGE.command(perl, source, stub if shim else None))

    return worker


@pytest.fixture
def worker(script: Script) -> Worker:
    return script()


class TestContract(Contract):
    def test_a_loop_returns_a_receipt(self, worker: Worker) -> None:
        said = "ffibench worker: a loop returned no receipt, a reference to a hash"
        assert worker.complaint(cases="silent:1") == said

    @pytest.mark.parametrize("value", ["undef", "1.5", "9**9**9 - 9**9**9"])
    def test_a_receipt_is_made_of_whole_numbers_and_strings(self, script: Script, value: str) -> None:
        assert script(SAYS.format(value)).complaint().startswith("ffibench worker: a receipt with")

    @pytest.mark.parametrize(
        ("value", "read"),
        [
            ("9223372036854775807", 2**63 - 1),
            ("-3", -3),
            ("2**60", 2**60),
            ("1e15", 10**15),
            ("1e20", 10**20),
            ("'0042'", "0042"),
            ("'42'", "42"),
            ("''", ""),
            (r'"\x{e4}\x{20ac}"', "ä€"),
        ],
    )
    def test_numbers_stay_numbers_and_strings_strings(self, script: Script, value: str, read: int | str) -> None:
        assert script(SAYS.format(value)).receipt("sum") == {"value": read}


class TestCosts:
    """What the start of a binding costs, told where it is asked for."""

    def costs(self, worker: Worker, *, asked: str = "call", cases: str = "sum:10") -> dict[str, int]:
        found: dict[str, int] = worker.lines(costs=asked, cases=cases)[0]["ready"]["costs"]
        return found

    def test_the_start_of_a_binding_is_measured(self, script: Script) -> None:
        slow = STUB.replace("1;\n", f"{SLEEPING} our $big = 'x' x (32 << 20); 1;\n")
        found = self.costs(script(shim=slow))
        assert found["import_ns"] >= 190e6  # a sleep is measured by another clock
        assert found["first_call_ns"] > found["import_ns"]
        assert found["rss_bytes"] >= 24 << 20  # a kernel short of memory may take some of it back
        assert found["pss_bytes"] >= 24 << 20

    def test_the_first_call_has_its_set_up_and_not_the_compilation_of_its_file(self, script: Script) -> None:
        compiling = PROGRAM.replace("use FFIBench;", "use FFIBench; BEGIN { select undef, undef, undef, 3 }")
        assert self.costs(script(compiling))["first_call_ns"] < 3e9
        setting_up = PROGRAM.replace("my $total = 0;", f"my $total = 0; {SLEEPING}")
        assert self.costs(script(setting_up))["first_call_ns"] >= 190e6

    @pytest.mark.parametrize(("cases", "asked"), [("sum:10", "import"), ("around:10", "call"), ("never:1", "call")])
    def test_no_first_call_where_none_can_be_made_alone(self, script: Script, cases: str, asked: str) -> None:
        assert "first_call_ns" not in self.costs(script(), cases=cases, asked=asked)

    def test_a_contestant_with_its_own_binding_reports_none(self, script: Script) -> None:
        own = script(PROGRAM.replace("add($total, 1)", "$total + 1"), None)
        assert own.lines(costs="call")[0] == {"ready": {"library": '1.2 "x"'}}


def test_a_shim_that_cannot_be_loaded_is_told(script: Script) -> None:
    assert script(shim="die qq(cannot load the library\\n);").run().stderr.startswith("cannot load the library")


def test_a_contestant_without_a_shim_imports_nothing(script: Script) -> None:
    text = "use strict; use FFIBench; print defined &main::add ? 1 : 0; print FFIBench::option('binding');"
    answer = script(text, None).run()
    assert (answer.stdout, answer.stderr, answer.returncode) == ("0stub", "", 0)


def test_arguments_are_bytes_whatever_the_environment_says(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERL_UNICODE", "SDA")
    worker = script("use FFIBench; print length FFIBench::option('message');")
    assert worker.run(message="ä=€").stdout == "6"


def test_functions_are_called_directly_and_constants_are_inlined(script: Script) -> None:
    ops = "use FFIBench; use B::Concise (); B::Concise::compile('-exec', 'work')->(); sub work { add(LIMIT, 1) }"
    listing = script(ops).run().stdout
    assert "gv[*add] " in listing or "gv(*add)" in listing or "gv[IV \\&stub::add]" in listing
    assert "const[IV 7]" in listing or "const(IV 7)" in listing


KITS = asset("native/kits/perl")
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
