"""XS and FFI::Platypus: every kind crosses the boundary, nothing is copied, and no compiler has a word to say."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.anywhere import runtime_or_skip, skip_if_missing

from ffibench.builds.library import library_identity
from ffibench.builds.project import LOG, build
from ffibench.languages.perl import LANGUAGE
from ffibench.model.runtime import Runtime
from ffibench.shims.shim import shim_project
from ffibench.shims.technology import technologies

DATA = Path(__file__).with_name("data")
FUNCTIONS = re.findall(r"(\w+)\(.*\);", (DATA / "kinds.h").read_text(encoding="ascii"))

CALLS = {
    "negated(1) ? 1 : 0": "0",
    "negated(!1) ? 1 : 0": "1",
    "next_char(64)": "65",
    "next_signed_char(-3)": "-2",
    "next_short(-32768)": "-32767",
    "next_int(-2147483648)": "-2147483647",
    "next_long(-9223372036854775808)": "-9223372036854775807",
    "next_long_long(9223372036854775806)": "9223372036854775807",
    "next_uint8(254)": "255",
    "next_ushort(65534)": "65535",
    "next_uint(4294967294)": "4294967295",
    "next_ulong(18446744073709551614)": "18446744073709551615",
    "next_uint64(9223372036854775807)": "9223372036854775808",
    "next_size('41')": "42",
    "masked(41)": "42",
    "next_size(41.0)": "42",
    "half_float(0.5)": "0.25",
    "half_double(-3)": "-1.5",
    "half_long_double(5)": "2.5",
    "paint(RED)": "7",
    "LOWEST": "-5",
    "HIGHEST": "9223372036854775807",
    "sum(qq(\\x00\\xff\\x01), 3)": "256",
    "sum('', 0)": "0",
    "count('ä')": "2",
    "count('')": "0",
    # One scalar, its own memory both times: nothing is copied.
    "my $text = 'same'; address($text, $text, 4)": "1",
    "my $memory = FFIBench::buffer(3); fill($memory, 3, ord 'x'); $memory": "xxx",
    "join '|', map { my $m = FFIBench::buffer(2); my $was = unpack 'H*', $m; fill($m, 2, 65); qq($was $m) } 1 .. 2": (
        "0000 AA|0000 AA"
    ),
    "my $m = FFIBench::buffer(3); my $size = pack 'J', 3; shrink($m, $size); $m . unpack 'J', $size": "zzz2",
    "length FFIBench::buffer(0)": "0",
    "thing_value(thing_of(42))": "42",
    "thing_value(undef)": "-1",
    "no_thing() ? 1 : 0": "0",
    "name_of(1)": "näme",
    "defined name_of(0) ? 1 : 0": "0",
    "touch(); touch(); touched()": "2",
    "hostile(1, 2, 3, 4, 5, 6, 7)": "28",
}


@pytest.fixture
def perl() -> Runtime:
    return runtime_or_skip("perl")


@pytest.fixture(scope="module")
def header(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The header, with its library beside it, in a folder whose name needs quoting."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler; apt-get install gcc g++")
    folder = Path(shutil.copytree(DATA, tmp_path_factory.mktemp("kinds") / "it's a folder"))
    subprocess.run([compiler, "-shared", "-fPIC", "-o", "libkinds.so", "kinds.c"], cwd=folder, check=True)
    return folder / "kinds.h"


def made(name: str, perl: Runtime, header: Path) -> Path:
    """The rendered module of one binding, with what it needs built."""
    (technology,) = (each for each in technologies() if name in each.bindings)
    if technology.package is not None:
        skip_if_missing(LANGUAGE.package(perl, technology.package))
    if technology.is_built:
        skip_if_missing(LANGUAGE.build_needs(perl))
    project = shim_project(
        technology=technology,
        binding=technology.bindings[name],
        contestant=f"perl/{name}",
        source=header,
        runtime=perl,
        header=header,
        functions=FUNCTIONS,
        kinds={},
        library=library_identity(header.with_name("libkinds.so")),
    )
    return build(project)


@pytest.fixture(params=["xs", "platypus", "platypus-method"])
def shim(request: pytest.FixtureRequest, perl: Runtime, header: Path) -> Path:
    return made(request.param, perl, header)


@pytest.fixture
def xs(perl: Runtime, header: Path) -> Path:
    return made("xs", perl, header)


def run_text(perl: Runtime, shim: Path, text: str) -> subprocess.CompletedProcess[str]:
    source = shim.parent / "test.pl"
    source.write_text(f"use strict; use warnings; use FFIBench;\n{text}", encoding="utf-8")
    command = LANGUAGE.command(perl, source, shim)
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_every_kind_crosses_the_boundary(perl: Runtime, shim: Path) -> None:
    text = "".join(f"print do {{ {call} }}, qq(\\n);\n" for call in CALLS)
    answer = run_text(perl, shim, text)
    assert answer.stderr == ""
    assert dict(zip(CALLS, answer.stdout.splitlines(), strict=True)) == CALLS
    assert answer.returncode == 0


def test_the_module_is_clean(perl: Runtime, shim: Path) -> None:
    # Without -w, which would also speak of what FFI::Platypus itself does; the module says `use warnings`.
    answer = subprocess.run([perl.executable, "-c", str(shim)], capture_output=True, text=True, check=False)
    assert answer.stderr == f"{shim} syntax OK\n"


def test_the_compiler_has_nothing_to_warn_of(xs: Path) -> None:
    log = (xs.parent / LOG).read_text(encoding="utf-8")
    assert "-Wextra" in log
    assert "warning:" not in log


def test_xs_takes_its_arguments_all_or_dies(perl: Runtime, xs: Path) -> None:
    answer = run_text(perl, xs, "next_int(1, 2);")
    assert answer.returncode != 0
    assert answer.stderr.startswith("Usage: kinds_xs::next_int(value_)")


def test_xs_writes_into_memory_of_the_scalar_s_own(perl: Runtime, xs: Path) -> None:
    text = "my $one = qq(\\0) x 3; my $copy = $one; fill($one, 3, 65); print unpack('H*', $copy), $one;"
    assert run_text(perl, xs, text).stdout == "000000AAA"
    answer = run_text(perl, xs, "fill('constant', 3, 65);")
    assert "read-only" in answer.stderr
    assert answer.returncode != 0


def test_xs_takes_characters_as_bytes_or_not_at_all(perl: Runtime, xs: Path) -> None:
    text = "my $text = qq(\\xe4); utf8::upgrade($text); print sum($text, 1); sum(qq(\\x{20ac}), 1);"
    answer = run_text(perl, xs, text)
    assert answer.stdout == "228"
    assert "Wide character" in answer.stderr


@pytest.mark.parametrize("message", ["ohhai", "", "ä"])
def test_xsub_runs_in_perl(perl: Runtime, message: str) -> None:
    arguments = ["run", "xsub", "-c", "perl/*", "--rounds", "1", "--iterations", "50", "--set", f"message={message}"]
    answer = subprocess.run(
        [sys.executable, "-m", "ffibench", *arguments], capture_output=True, text=True, check=False, timeout=300
    )
    needs = LANGUAGE.build_needs(perl)
    assert ("perl/xs" in answer.stdout) == (needs is None)
    assert "invalid" not in answer.stdout
    assert re.search(r"^verified +all \d+ slices .*match", answer.stdout, re.MULTILINE)
