"""Perl is found with its modules and its headers, or told what it lacks."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.anywhere import runtime_or_skip

from ffibench.catalog import candidates, find_experiment
from ffibench.catalog.selection import select
from ffibench.errors import FfibenchError
from ffibench.languages.perl import ASKED, LANGUAGE, _facts, _version
from ffibench.model.runtime import Missing, Runtime

ALL = "apt-get install perl libffi-platypus-perl"


def found(*requested: str) -> Runtime | Missing:
    (only,) = LANGUAGE.runtimes(requested, ())
    return only


@pytest.fixture
def perl() -> Runtime:
    return runtime_or_skip("perl")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that is the whole of PATH. What was found of other perls is forgotten before and after."""
    monkeypatch.setenv("PATH", str(tmp_path))
    _facts.cache_clear()
    _version.cache_clear()
    yield tmp_path
    _facts.cache_clear()
    _version.cache_clear()


def fake_perl(folder: Path, *, version: str = "5.36.0", then: str = "", **facts: str) -> Path:
    """A shell script that answers what perl is asked about itself."""
    told = {
        "archname": "x86_64-linux",
        "include": str(folder / "CORE"),
        "ccflags": "-DDEBIAN",
        "xsubpp": "/usr/share/perl/5.36/ExtUtils/xsubpp",
        "clocks": "0.01",
        **facts,
    }
    text = "".join(f"{name}={value}\\000" for name, value in told.items())
    script = folder / "perl"
    first = f'[ "$2" = {shlex.quote(ASKED[1])} ] && {{ echo "perl {version} {script}"; exit; }}'
    script.write_text(f"#!/bin/sh\n{first}\n{then}\nprintf '{text}'\n", encoding="ascii")
    script.chmod(0o755)
    return script


def test_another_perl_may_be_asked_for(path: Path) -> None:
    (path / "other").mkdir()
    fake_perl(path)
    script = fake_perl(path / "other", version="5.99.1")
    runtime = found(str(script))
    assert isinstance(runtime, Runtime)
    assert (runtime.label, runtime.version, runtime.executable) == ("perl 5.99.1", "5.99.1", str(script))
    assert LANGUAGE.command(runtime, Path("/x/perl.pl"), None)[0] == str(script)


def test_what_changes_a_build_is_in_the_identity(path: Path) -> None:
    fake_perl(path)
    one = found()
    _facts.cache_clear()
    fake_perl(path, ccflags="-DDEBIAN -DDEBUGGING")
    other = found()
    assert isinstance(one, Runtime)
    assert isinstance(other, Runtime)
    assert one.identity != other.identity


def test_perl_base_alone_cannot_read_the_clocks(path: Path) -> None:
    fake_perl(path, clocks="")
    missing = found()
    assert isinstance(missing, Missing)
    assert missing.fix == ALL
    assert "perl 5.36.0 has no Time::HiRes" in missing.reason


@pytest.mark.parametrize("then", ["echo broken >&2; exit 3", "exit 0"])
def test_what_does_not_answer_as_perl_does_is_missing(path: Path, then: str) -> None:
    fake_perl(path, then=then)
    missing = found()
    assert isinstance(missing, Missing)
    assert "does not run as perl" in missing.reason
    assert ("broken" in missing.reason) == ("broken" in then)
    with pytest.raises(FfibenchError, match=r"--with perl: .* does not run as perl"):
        found(str(path / "perl"))


def test_xs_needs_the_header_and_the_translator(path: Path) -> None:
    fake_perl(path)
    runtime = found()
    assert isinstance(runtime, Runtime)
    without_header = LANGUAGE.build_needs(runtime)
    assert without_header == Missing(reason=f"perl 5.36.0 has no perl.h in {path / 'CORE'}", fix="apt-get install perl")
    (path / "CORE").mkdir()
    (path / "CORE" / "perl.h").touch()
    assert LANGUAGE.build_needs(runtime) is None
    without_translator = LANGUAGE.build_needs(replace(runtime, context={**runtime.context, "xsubpp": ""}))
    assert without_translator is not None
    assert "ExtUtils::ParseXS" in without_translator.reason


def test_only_flags_that_its_headers_ask_for_are_kept(path: Path) -> None:
    fake_perl(path, ccflags="-D_REENTRANT -fwrapv -O2 -g -pipe -I/usr/local/include -m64 -D_FORTIFY_SOURCE=2 -Wall")
    runtime = found()
    assert isinstance(runtime, Runtime)
    assert runtime.context["flags"].split("\n") == ["-D_REENTRANT", "-fwrapv", "-m64"]


def missing_module(folder: Path, name: str, said: str, ccflags: str = "-DDEBIAN") -> Missing:
    fake_perl(folder, then=f'[ "$3" = -- ] && {{ echo "{said}" >&2; exit 2; }}', ccflags=ccflags)
    runtime = found()
    assert isinstance(runtime, Runtime)
    missing = LANGUAGE.package(runtime, name)
    assert isinstance(missing, Missing)
    return missing


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("FFI::Platypus", "libffi-platypus-perl"),
        ("CBOR::XS", "libcbor-xs-perl"),
        ("ExtUtils::ParseXS", "perl"),
        ("Inline", "libinline-perl"),
    ],
)
def test_a_missing_module_names_its_debian_package(path: Path, name: str, package: str) -> None:
    missing = missing_module(path, name, f"Can't locate {name.replace('::', '/')}.pm in @INC (you may need to ...)")
    assert missing == Missing(reason=f"the Perl module {name} is not installed", fix=f"apt-get install {package}")


@pytest.mark.parametrize(
    ("ccflags", "fix"),
    [("-DDEBIAN", "apt-get install libcbor-xs-perl"), ("-fwrapv", "{}/perl -MCPAN -e 'install CBOR::XS'")],
)
def test_who_needs_a_module_that_is_not_here_is_told_what_installs_it(
    path: Path, monkeypatch: pytest.MonkeyPatch, ccflags: str, fix: str
) -> None:
    monkeypatch.setenv("PATH", f"{path}{os.pathsep}{os.defpath}")
    said = "Can't locate CBOR/XS.pm in @INC (you may need to ...)"
    fake_perl(
        path,
        then=f'[ "$4" = CBOR::XS ] && {{ echo "{said}" >&2; exit 2; }}; [ "$3" = -- ] && {{ echo 1; exit; }}',
        ccflags=ccflags,
    )
    (path / "CORE").mkdir()
    (path / "CORE" / "perl.h").touch()
    contestants = candidates(find_experiment("codec"), patterns=["perl/*"])
    mine = {each.contestant.name: each.missing for each in contestants if each.contestant.language == "perl"}
    reason = "the Perl module CBOR::XS is not installed"
    assert {"perl/xs", "perl/platypus"} <= mine.keys()
    assert set(mine.values()) == {Missing(reason=reason, fix=fix.format(path))}
    with pytest.raises(FfibenchError, match=rf"perl/xs cannot run here: {reason}; "):
        select(contestants, ["perl/xs"])


def test_a_perl_of_ones_own_is_sent_to_cpan(path: Path) -> None:
    missing = missing_module(path, "FFI::Platypus", "Can't locate FFI/Platypus.pm in @INC", ccflags="-fwrapv")
    assert missing.fix == f"{path / 'perl'} -MCPAN -e 'install FFI::Platypus'"


def test_a_module_that_does_not_load_says_why(path: Path) -> None:
    missing = missing_module(path, "FFI::Platypus", "loadable object and perl binaries are mismatched")
    assert missing.reason.endswith("FFI::Platypus does not load: loadable object and perl binaries are mismatched")


@pytest.mark.parametrize("name", ["", "; touch {}", "$(touch {})", "`touch {}`", "FFI::", "../x", "-e print", "1a"])
def test_what_is_no_module_name_is_not_asked_for(perl: Runtime, tmp_path: Path, name: str) -> None:
    trace = tmp_path / "trace"
    answer = LANGUAGE.package(perl, name.format(trace))
    assert isinstance(answer, Missing)
    assert "is not the name of a Perl module" in answer.reason
    assert not trace.exists()


def test_the_version_of_a_module_is_the_one_that_loads(perl: Runtime) -> None:
    version = LANGUAGE.package(perl, "Time::HiRes")
    assert isinstance(version, str)
    assert version[0].isdigit()
    assert isinstance(LANGUAGE.package(perl, "No::Such::Module"), Missing)


def test_who_asks_for_perl_alone_is_told_that_it_is_missing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{path}{os.pathsep}{os.defpath}")
    fake_perl(path, clocks="")
    contestants = candidates(find_experiment("xsub"), patterns=["perl/*"])
    names = {each.contestant.name for each in contestants if each.contestant.language == "perl"}
    assert "perl/xs" in names
    told = select(contestants, ["perl/*"])
    assert {each.contestant.name for each in told.unavailable} == names
    reason = "perl 5.36.0 has no Time::HiRes, as where perl-base is installed alone"
    assert {each.reason for each in told.unavailable} == {f"{reason}; {ALL}"}
    assert not names & {each.contestant.name for each in told.present}
    with pytest.raises(FfibenchError, match=rf"perl/xs cannot run here: {reason}; {ALL}$"):
        select(contestants, ["perl/xs"])


@pytest.mark.parametrize("patterns", [[], ["*"]])
def test_who_asks_for_all_or_nobody_is_told_nothing_of_perl(
    path: Path, monkeypatch: pytest.MonkeyPatch, patterns: list[str]
) -> None:
    monkeypatch.setenv("PATH", f"{path}{os.pathsep}{os.defpath}")
    fake_perl(path, clocks="")
    contestants = candidates(find_experiment("xsub"))
    assert "perl" in {each.contestant.language for each in contestants}
    told = select(contestants, patterns)
    assert "perl" not in {each.contestant.language for each in told.present}
    assert "perl" not in {each.contestant.language for each in told.unavailable}


def test_a_keyword_calls_no_sub_of_that_name_and_other_words_do(perl: Runtime, tmp_path: Path) -> None:
    code = """
    package Own;
    sub import { no strict 'refs'; *{"main::$_"} = \\&{"Own::$_"} for @names }
    1;
    """
    words = {*LANGUAGE.keywords, "None", "die", "index", "length", "send", "OTHER"}
    callable_ = set()
    for word in words:
        (tmp_path / "Own.pm").write_text(f"our @names = qw({word});\n{code}sub {word} () {{ 42 }}\n1;\n")
        (tmp_path / "main.pl").write_text(f"use Own; my $value = {word}; print $value;\n")
        command = [perl.executable, f"-I{tmp_path}", str(tmp_path / "main.pl")]
        answer = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if answer.stdout == "42":
            callable_.add(word)
    assert callable_ == words - LANGUAGE.keywords
