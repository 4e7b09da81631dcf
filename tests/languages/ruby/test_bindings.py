"""Every kind crosses the boundary in each binding of Ruby, nothing is copied, and no compiler has a word to say."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support.anywhere import runtime_or_skip, skip_if_missing

from ffibench.builds.library import library_identity
from ffibench.builds.project import LOG, build
from ffibench.languages.ruby import LANGUAGE
from ffibench.model.runtime import Runtime
from ffibench.shims.shim import shim_project
from ffibench.shims.technology import technologies

HERE = Path(__file__)
VALUES, STRUCTS = HERE.parents[1] / "perl" / "data", HERE.with_name("data")
BINDINGS = ("ffi", "ffi~blocking", "fiddle", "fiddle~gvl", "cext", "cext~nogvl")

CALLS = {
    "Native.negated(false)": True,
    "Native.negated(true)": False,
    "Native.next_char(64)": 65,
    "Native.next_signed_char(-3)": -2,
    "Native.next_short(-32768)": -32767,
    "Native.next_int(-2147483648)": -2147483647,
    "Native.next_long(-9223372036854775808)": -9223372036854775807,
    "Native.next_long_long(9223372036854775806)": 9223372036854775807,
    "Native.next_uint8(254)": 255,
    "Native.next_ushort(65534)": 65535,
    "Native.next_uint(4294967294)": 4294967295,
    "Native.next_ulong(18446744073709551614)": 18446744073709551615,
    "Native.next_uint64(9223372036854775807)": 9223372036854775808,
    "Native.next_size(41)": 42,
    "Native.masked(41)": 42,
    "Native.half_float(0.5)": 0.25,
    "Native.half_double(-3)": -1.5,
    "Native.paint(Native::RED)": 7,
    "[Native::LOWEST, Native::HIGHEST]": [-5, 9223372036854775807],
    'Native.sum("\\x00\\xff\\x01", 3)': 256,
    "Native.sum('', 0)": 0,
    "Native.count('ä')": 2,
    # One String, its own memory both times: nothing is copied.
    "text = 'same'; Native.address(text, text, 4)": 1,
    "memory = FFIBench.buffer(3); Native.fill(memory, 3, 120); memory": "xxx",
    "size = Native.cell('unsigned long'); size.value = 3; Native.shrink(FFIBench.buffer(3), size); size.value": 2,
    "Native.thing_value(Native.thing_of(42))": 42,
    "Native.thing_value(nil)": -1,
    "[Native.no_thing == Native::NULL, Native.thing_of(1) == Native::NULL]": [True, False],
    "Native.name_of(1).force_encoding('utf-8')": "näme",
    "Native.name_of(0)": None,
    "Native.touch; Native.touch; Native.touched": 2,
    "Native.hostile(1, 2, 3, 4, 5, 6, 7)": 28,
}

ROWS = {
    "Native.sum_of([0.5, 1.5].pack('d*'), 2)": 2.0,
    "row = [3, -4].pack('i*'); Native.double_all(row, 2); row.unpack('i*')": [6, -8],
    "Native.visit(lambda { |_data, number, _text| 10 * number }, nil, 4)": 60,
    "Native.visit(nil, nil, 4)": 0,
    "Native.copied('text')": "text",
    "Native.copied('none')": None,
    "Native.ensure(1, 2, 3)": 321,
    "Native.seventeen(*1..17)": 1836,
    "[Native.other(Native::Red), Native::Green]": [-2, -2],
    "Native.lower_case": 5,
    "flag, large, address = %w[_Bool unsigned\\ long\\ long void\\ *].map { |type| Native.cell(type) };"
    "flag.value = true; large.value = 2**64 - 1; Native.flip(flag, large, address);"
    "[flag.value, large.value, address.value == Native::NULL]": [False, 2**64 - 2, False],
    "made = Native::Outer.new; made.set('number', 5); made.set('deep.low', -2); made.set('items[1]', 200);"
    "Native.set_number(made, 7); [Native.total(made), made.get('number'), made.get('deep.high')]": [205, 7, 0.0],
}

BY_VALUE = {
    "one = Native::Outer.new; one.set('deep.high', 1.25); one.set('flag', true); other = Native.changed(one);"
    "%w[number deep.low deep.high items[2] flag].map { |path| [one, other].map { |each| each.get(path) } }": [
        *([0, 1], [0, 1], [1.25, 2.5], [0, 1], [True, False])
    ],
}


@pytest.fixture
def ruby() -> Runtime:
    return runtime_or_skip("ruby")


@pytest.fixture(scope="module")
def headers(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Path]:
    """The headers, each with its library beside it, in folders whose names need quoting."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler; apt-get install gcc g++")
    found = {}
    for data in (VALUES, STRUCTS):
        folder = Path(shutil.copytree(data, tmp_path_factory.mktemp("kinds") / "it's a folder"))
        subprocess.run([compiler, "-shared", "-fPIC", "-o", "libkinds.so", "kinds.c"], cwd=folder, check=True)
        found[data] = folder / "kinds.h"
    return found


def made(name: str, ruby: Runtime, header: Path) -> Path:
    """The rendered module of one binding; functions that it has no templates for are left out."""
    (technology,) = (each for each in technologies() if each.language == "ruby" and name in each.bindings)
    if technology.package is not None:
        skip_if_missing(LANGUAGE.package(ruby, technology.package))
    if technology.is_built:
        skip_if_missing(LANGUAGE.build_needs(ruby))
    project = shim_project(
        technology=technology.narrowed(name),
        binding=technology.bindings[name],
        contestant=f"ruby/{name}",
        source=header,
        runtime=ruby,
        header=header,
        functions=re.findall(r"(\w+)\([^()]*\);", header.read_text(encoding="ascii")),
        kinds={},
        library=library_identity(header.with_name("libkinds.so")),
        partly=True,
    )
    return build(project)


def run_text(ruby: Runtime, shim: Path, text: str) -> subprocess.CompletedProcess[str]:
    source = shim.parent / "test.rb"
    source.write_text(f"$VERBOSE = true\nrequire 'ffibench'\n{text}", encoding="utf-8")
    command = LANGUAGE.command(ruby, source, shim)
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def answered(ruby: Runtime, shim: Path, calls: dict[str, object]) -> None:
    """Each call answers what it should, and nothing is said on standard error."""
    text = "".join(f"def call{number} = begin {call} end\n" for number, call in enumerate(calls))
    asked = ", ".join(f"call{number}" for number in range(len(calls)))
    answer = run_text(ruby, shim, f"{text}puts JSON.generate([{asked}])\n")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert dict(zip(calls, json.loads(answer.stdout), strict=True)) == calls


@pytest.mark.parametrize("name", BINDINGS)
def test_every_kind_crosses_the_boundary(ruby: Runtime, headers: dict[Path, Path], name: str) -> None:
    answered(ruby, made(name, ruby, headers[VALUES]), CALLS)
    rows = ROWS if name.startswith("fiddle") else {**ROWS, **BY_VALUE}  # Fiddle knows structs by their address alone
    answered(ruby, made(name, ruby, headers[STRUCTS]), rows)


@pytest.mark.parametrize("name", ["cext", "cext~nogvl"])
def test_the_compiler_has_nothing_to_warn_of(ruby: Runtime, headers: dict[Path, Path], name: str) -> None:
    for header in headers.values():
        log = (made(name, ruby, header).parent / LOG).read_text(encoding="utf-8")
        assert "-Wextra" in log
        assert "warning:" not in log


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("Native.next_int(2**31)", "too big to convert to `int'"),
        ("Native.next_ulong(2**64)", "too big to convert"),
        ("Native.next_int", "wrong number of arguments"),
        ("Native.next_int(nil)", "no implicit conversion"),
        ("Native.cell('wchar_t')", "key not found"),
        (r'Native.count("a\0b")', "string contains null byte"),
    ],
)
@pytest.mark.parametrize("name", ["ffi", "fiddle", "cext"])
def test_what_c_cannot_take_is_refused(
    ruby: Runtime, headers: dict[Path, Path], name: str, call: str, said: str
) -> None:
    answer = run_text(ruby, made(name, ruby, headers[VALUES]), call)
    assert answer.returncode != 0
    assert said in answer.stderr.splitlines()[-1]


def test_a_c_extension_writes_into_memory_of_the_string_s_own(ruby: Runtime, headers: dict[Path, Path]) -> None:
    shim = made("cext", ruby, headers[VALUES])
    text = "one = '.' * 99; copy = one.dup; Native.fill(one, 99, 65); print copy[0], one[98]"
    assert run_text(ruby, shim, text).stdout == ".A"
    assert "can't modify frozen String" in run_text(ruby, shim, "Native.fill('text'.freeze, 3, 65)").stderr
    short = run_text(ruby, shim, "Native.shrink(FFIBench.buffer(1), 'short')")
    assert "8 bytes are needed, not 5" in short.stderr


@pytest.mark.parametrize("name", ["ffi", "cext", "cext~nogvl"])
def test_what_a_callback_raises_comes_out_of_the_call(ruby: Runtime, headers: dict[Path, Path], name: str) -> None:
    shim = made(name, ruby, headers[STRUCTS])
    text = """
    calls = 0
    begin
      Native.visit(lambda { |_data, number, _text| calls += 1; number == 2 ? raise('too much') : 1 }, nil, 3)
    rescue RuntimeError => error
      print error.message, calls, Native.visit(lambda { |*| 1 }, nil, 3)
    end
    """
    assert run_text(ruby, shim, text).stdout == "too much33"


def test_a_callback_of_a_c_extension_gets_back_the_object_beside_it(ruby: Runtime, headers: dict[Path, Path]) -> None:
    text = (
        "seen = []; Native.visit(lambda { |data, number, _text| seen << data[number]; 0 }, %w[a b], 2); print seen.join"
    )
    assert run_text(ruby, made("cext", ruby, headers[STRUCTS]), text).stdout == "ab"


@pytest.mark.parametrize(
    ("name", "free"), [("cext", False), ("cext~nogvl", True), ("fiddle~gvl", False), ("fiddle", True)]
)
def test_other_threads_run_where_the_lock_is_released(
    ruby: Runtime, headers: dict[Path, Path], tmp_path: Path, name: str, free: bool
) -> None:
    library = tmp_path / "libwait.so"
    (tmp_path / "wait.h").write_text("int waiting(int milliseconds);\n")
    (tmp_path / "wait.c").write_text(
        '#include <unistd.h>\n#include "wait.h"\nint waiting(int each) { return usleep(1000 * each); }\n'
    )
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, tmp_path / "wait.c"], check=True)
    shutil.copy(library, tmp_path / "libkinds.so")
    text = """
    ticks = 0
    Thread.new { loop { sleep 0.01; ticks += 1 } }
    sleep 0.05
    before = ticks
    Native.waiting(500)
    print ticks - before > 3
    """
    answer = run_text(ruby, made(name, ruby, tmp_path / "wait.h"), text)
    assert (answer.stdout, answer.stderr) == ("true" if free else "false", "")
