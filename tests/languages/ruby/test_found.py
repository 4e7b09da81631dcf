"""Ruby is found with its gems, its headers and its own compiler, or told what it lacks."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.anywhere import runtime_or_skip

from ffibench.catalog import candidates, find_experiment
from ffibench.catalog.selection import select
from ffibench.errors import FfibenchError
from ffibench.languages import programs
from ffibench.languages.ruby import LANGUAGE, _facts, _gem, _starts
from ffibench.model.runtime import Missing, Runtime

SAID = "ruby 3.1.2p20 (2022-04-12 revision 4491bb740a) [x86_64-linux-gnu]"


def found(*requested: str) -> Runtime | Missing:
    (only,) = LANGUAGE.runtimes(requested, ())
    return only


def forget() -> None:
    for each in (_facts, _gem, _starts, programs._runtime):
        each.cache_clear()


@pytest.fixture
def ruby() -> Runtime:
    return runtime_or_skip("ruby")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that is the whole of PATH. What was found of other rubies is forgotten before and after."""
    monkeypatch.setenv("PATH", str(tmp_path))
    forget()
    yield tmp_path
    forget()


def fake_ruby(folder: Path, *, then: str = "", said: str = SAID, **facts: str) -> Path:
    """A shell script that answers what ruby is asked about itself."""
    told = {"include": str(folder / "include"), "arch_include": "", "vendor": "/usr/lib/ruby/vendor_ruby", **facts}
    text = "".join(f"{name}={value}\\000" for name, value in told.items())
    script = folder / "ruby"
    script.write_text(
        f"#!/bin/sh\n[ \"$1\" = --version ] && {{ echo '{said}'; exit; }}\n{then}\nprintf '{text}'\n", encoding="ascii"
    )
    script.chmod(0o755)
    return script


def fake(folder: Path, **changes: str) -> Runtime:
    fake_ruby(folder, **changes)
    runtime = found()
    assert isinstance(runtime, Runtime)
    return runtime


def test_what_changes_a_build_is_in_the_identity(path: Path) -> None:
    one = fake(path)
    forget()
    assert fake(path, arch_include="/elsewhere").identity != one.identity


@pytest.mark.parametrize("then", ["echo broken >&2; exit 3", "exit 0"])
def test_what_does_not_answer_as_ruby_does_is_missing(path: Path, then: str) -> None:
    script = fake_ruby(path, then=then)
    missing = found()
    assert isinstance(missing, Missing)
    assert "does not run as ruby" in missing.reason
    assert ("broken" in missing.reason) == ("broken" in then)
    with pytest.raises(FfibenchError, match=r"--with ruby: .* does not run as ruby"):
        found(str(script))


def test_a_c_extension_needs_the_header(path: Path) -> None:
    runtime = fake(path)
    missing = Missing(reason=f"ruby 3.1.2 has no ruby.h in {path / 'include'}", fix="apt-get install ruby-dev")
    assert LANGUAGE.build_needs(runtime) == missing
    (path / "include").mkdir()
    (path / "include" / "ruby.h").touch()
    assert LANGUAGE.build_needs(runtime) is None


@pytest.mark.parametrize(
    ("vendor", "fix"),
    [("/usr/lib/ruby/vendor_ruby", "apt-get install ruby-ffi"), ("/opt/lib/vendor", "{}/gem install ffi")],
)
def test_a_missing_gem_is_told_with_the_command(path: Path, vendor: str, fix: str) -> None:
    runtime = fake(path, then='[ "$4" = -- ] && exit 3', vendor=vendor)
    assert LANGUAGE.package(runtime, "ffi") == Missing(reason="the gem ffi is not installed", fix=fix.format(path))


def test_who_needs_a_gem_that_is_not_here_is_told_what_installs_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{path}{os.pathsep}{os.defpath}")
    fake_ruby(path, then='[ "$5" = cbor ] && exit 3; [ "$4" = -- ] && { echo 1; exit; }')
    (path / "include").mkdir()
    (path / "include" / "ruby.h").touch()
    contestants = candidates(find_experiment("codec"), patterns=["ruby/*"])
    mine = {each.contestant.name: each.missing for each in contestants if each.contestant.language == "ruby"}
    reason = "the gem cbor is not installed"
    assert {mine[name] for name in ("ruby/cext", "ruby/ffi", "ruby/fiddle")} == {
        Missing(reason=reason, fix="apt-get install ruby-cbor")
    }
    with pytest.raises(FfibenchError, match=rf"ruby/fiddle cannot run here: {reason}; apt-get install ruby-cbor$"):
        select(contestants, ["ruby/fiddle"])


def test_a_ruby_without_rubygems_says_so(path: Path) -> None:
    runtime = fake(path, then='[ "$4" = -- ] && { echo "uninitialized constant Gem" >&2; exit 1; }')
    missing = LANGUAGE.package(runtime, "ffi")
    assert isinstance(missing, Missing)
    assert missing.reason == "the gem ffi cannot be asked for: uninitialized constant Gem"


@pytest.mark.parametrize("name", ["", "; touch {}", "$(touch {})", "../x", "-e", "1a", "a b"])
def test_what_is_no_gem_is_not_asked_for(ruby: Runtime, tmp_path: Path, name: str) -> None:
    trace = tmp_path / "trace"
    answer = LANGUAGE.package(ruby, name.format(trace))
    assert isinstance(answer, Missing)
    assert "is not the name of a gem" in answer.reason
    assert not trace.exists()


def test_the_version_of_a_gem_is_the_one_that_loads(ruby: Runtime) -> None:
    code = "require 'json'; print JSON::VERSION"
    loaded = subprocess.run([ruby.executable, "-e", code], capture_output=True, text=True, check=True).stdout
    assert LANGUAGE.package(ruby, "json") == loaded
    assert isinstance(LANGUAGE.package(ruby, "no-such-gem"), Missing)


def test_a_ruby_without_yjit_says_so_for_bindings_that_ask_for_it(path: Path) -> None:
    runtime = fake(path, then='[ "$3" = --yjit ] && { echo "invalid option --yjit" >&2; exit 1; }')
    missing = LANGUAGE.run_needs(runtime, {"yjit": "yes"})
    assert isinstance(missing, Missing)
    assert missing.reason == "ruby 3.1.2 was built without YJIT"
    assert LANGUAGE.run_needs(runtime, {}) is None


def test_each_binding_has_the_compiler_that_it_asks_for_whatever_the_user_set(
    ruby: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "source.rb"
    source.write_text("print JSON.generate([!!(defined?(RubyVM::YJIT) && RubyVM::YJIT.enabled?), $VERBOSE])\n")
    monkeypatch.setenv("RUBYOPT", "-w")
    for options, compiled in (({}, False), ({"yjit": "yes"}, True)):
        if compiled and LANGUAGE.run_needs(ruby, options) is not None:
            pytest.skip("this ruby was built without YJIT")
        command = [*LANGUAGE.command(ruby, source, None, options)[:-1], "-rffibench", str(source)]
        answer = subprocess.run(command, capture_output=True, text=True, check=True)
        assert json.loads(answer.stdout) == [compiled, False]


def test_a_keyword_names_nothing_and_other_words_do(ruby: Runtime) -> None:
    others = {"none", "raise", "require", "puts", "loop", "lambda", "defined", "CAPITAL"}
    named = set()
    for word in LANGUAGE.keywords | others:
        code = f"{word} = 42\nprint {word}"
        answer = subprocess.run([ruby.executable, "-e", code], capture_output=True, text=True, check=False)
        if answer.stdout == "42":
            named.add(word)
    assert named == others
