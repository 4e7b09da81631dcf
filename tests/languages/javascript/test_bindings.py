"""The bindings of Node, Deno and Bun: every kind crosses the boundary, and integers of 64 bits are exact."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support.anywhere import runtime_or_skip

from ffibench.builds.library import library_identity
from ffibench.builds.project import LOG, BuildError, build
from ffibench.languages import languages
from ffibench.model.runtime import Missing, Runtime
from ffibench.shims.shim import shim_project
from ffibench.shims.technology import technologies
from ffibench.workflow import RunOptions, run

DATA = Path(__file__).with_name("data")
FUNCTIONS = re.findall(r"(\w+)\([^()]*(?:\([^()]*\)[^()]*\([^()]*\))?[^()]*\);", (DATA / "shapes.h").read_text())
BINDINGS = ["node/napi", "node/koffi", "node/node-ffi", "deno/ffi", "bun/ffi"]

# An expression of JavaScript, and its value as text.
CALLS = {
    "native.delete(5)": "4",
    "native.plus(1, 2, 3, 4, 5)": "15",
    "native.negated(false)": "true",
    "native.negated(true)": "false",
    "native.next_char(64)": "65",
    "native.next_signed_char(-128)": "-127",
    "native.next_uint8(254)": "255",
    "native.next_short(-32768)": "-32767",
    "native.next_ushort(65534)": "65535",
    "native.next_uint(4294967294)": "4294967295",
    "native.next_int64(argument(41))": "42",
    "native.next_int64(argument(41)) === answer(42, 'long')": "true",
    "native.next_int64(-(2n ** 63n))": "-9223372036854775807",
    "native.next_int64(-(2n ** 63n)) === answer(-9223372036854775807n, 'long')": "true",
    "native.next_int64(2n ** 63n - 2n)": "9223372036854775807",
    "native.next_uint64(2n ** 64n - 2n)": "18446744073709551615",
    "native.next_uint64(2n ** 53n)": "9007199254740993",
    # As each binding gives them, at the border of what a Number holds exactly.
    "native.next_int64(argument(2 ** 53 - 2)) === answer(2 ** 53 - 1, 'long')": "true",
    "native.next_int64(argument(2 ** 53 - 1)) === answer(2n ** 53n, 'long')": "true",
    "native.next_int64(-(2n ** 53n)) === answer(-(2 ** 53 - 1), 'long')": "true",
    "native.next_int64(-(2n ** 53n) - 1n) === answer(-(2n ** 53n), 'long')": "true",
    "native.next_uint64(argument(2 ** 53 - 2)) === answer(2 ** 53 - 1, 'unsigned long')": "true",
    "native.next_uint64(argument(2 ** 53 - 1)) === answer(2n ** 53n, 'unsigned long')": "true",
    "native.half_float(0.5)": "0.25",
    "native.half_double(-3)": "-1.5",
    "native.paint(native.RED ?? 1)": "7",
    "native.LOWEST": "-5",
    "native.HIGHEST": "9223372036854775807",
    "native.SAFE": "9007199254740991",
    "native.UNSAFE": "9007199254740993",
    "native.sum(bytes('\\x00\\xff\\x01'), argument(3))": "256",
    "native.sum(bytes(''), argument(0))": "0",
    "native.sum(counted(300), argument(300))": str(sum(range(256)) + sum(range(44))),
    "native.count(text('\u00e4b'))": "3",
    "native.count(text(''))": "0",
    "native.count(text('x'.repeat(5000)))": "5000",
    "[...Array(300).keys()].every((n) => Number(native.count(text('\u00e4'.repeat(n)))) === 2 * n)": "true",
    "native.count(string('\\xff\\xfe', text))": "2",
    "native.count(null)": "1000",
    "(() => { const m = buffer(3); native.fill(m, argument(3), 120); return m; })()": "120,120,120",
    "(() => { const m = buffer(3); native.fill(m, argument(2), 120); return memory(m); })()": "787800",
    "(() => { const s = cell('unsigned long'); s[0] = 3n; native.shrink(buffer(9), s); return s[0]; })()": "2",
    "native.total(Int16Array.of(1, -2, 300), argument(3))": "299",
    "(() => { const v = new BigUint64Array(2); native.count_up(v, argument(2)); return v[1]; })()": str(2**64 - 2),
    "native.name_of(1)": "n\u00e4me",
    "native.name_of(0)": "null",
    "native.uv_version_string()": "the library's own",
    "native.doubled(text('ab'))": "abab",
    "native.doubled(null)": "null",
    "native.thing_value(native.thing_of(42))": "42",
    "native.thing_value(null)": "-1",
    "address(native.thing_of(-1)) + address(native.thing_of(1))": "NULLnot NULL",
    "(() => { const c = cell('void *'); native.make_thing(c); return native.thing_value(handle(c)); })()": "42",
    "(() => { const c = cell('void *'); native.make_thing(c); native.free_thing(handle(c)); })()": "undefined",
    "(() => { const r = made(); return native.first(r); })()": "10",
    "(() => { const r = made(); native.bump(r); return [r.x, r.inner_.real, r.inner_.big, ...r.items, integer(r.flag), "
    "r.typeof_, ...r.wide]; })()": f"8,0.75,{2**53 + 1},3,2,1,1,10,{2**64 - 1},5",
    "native.call(callback('int (*)(void *, long long)', () => 7), null, 3)": "21",
    "(() => { let n; const c = callback('int (*)(void *, long long)', (_, v) => { n = v; return 1; }); "
    "native.call(c, null, 2); return n; })()": str(2**60 + 1),
}
SCRIPT = """\
export default async function (native, worker) {
    const { option, bytes, counted, buffer, memory, string, address, integer } = worker;
    const { text, argument, answer, cell, handle, callback } = worker;
    const made = () => {
        const r = native.record();
        [r.x, r.inner_.real, r.inner_.big, r.typeof_] = [7, 1.5, 2n ** 53n, 9];
        [r.items[0], r.items[1], r.items[2], r.wide[0]] = [1, 2, 3, 5n];
        return r;
    };
    const all = [EXPRESSIONS];
    console.log(JSON.stringify(all.map((each) => String(each()))));
}
"""


@pytest.fixture(scope="module")
def header(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The header, with its library beside it, in a folder whose name needs quoting."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler; apt-get install gcc g++")
    folder = Path(shutil.copytree(DATA, tmp_path_factory.mktemp("shapes") / "it's a #folder"))
    subprocess.run([compiler, "-shared", "-fPIC", "-o", "libshapes.so", "shapes.c"], cwd=folder, check=True)
    return folder / "shapes.h"


def built(name: str, header: Path) -> tuple[Runtime, Path]:
    """The module of one binding, with what it needs built."""
    language, _, binding = name.partition("/")
    runtime = runtime_or_skip(language)
    (technology,) = (each for each in technologies() if each.language == language and binding in each.bindings)
    options = technology.bindings[binding].options
    known = languages()[language]
    needs = [known.run_needs(runtime, options)]
    if technology.package is not None:
        needs.append(found if isinstance(found := known.package(runtime, technology.package), Missing) else None)
    if technology.compilers:
        needs.append(known.build_needs(runtime, options))
    for each in filter(None, needs):
        pytest.skip(f"{name}: {each.reason}; {each.fix}")
    project = shim_project(
        technology=technology,
        binding=technology.bindings[binding],
        contestant=name,
        source=header,
        runtime=runtime,
        header=header,
        functions=[each for each in FUNCTIONS if each != "half_long_double" or binding == "napi"],
        kinds={"doubled.return": "owned:free", "make_thing.made": "cell"},
        library=library_identity(header.with_name("libshapes.so")),
    )
    try:
        return runtime, build(project)
    except BuildError as error:
        if "could not fetch" in error.message:
            pytest.skip(error.message.partition("\n")[0])
        raise


@pytest.fixture(params=BINDINGS)
def binding(request: pytest.FixtureRequest, header: Path) -> tuple[str, Runtime, Path]:
    return (request.param, *built(request.param, header))


def run_text(runtime: Runtime, shim: Path, text: str, folder: Path, name: str) -> subprocess.CompletedProcess[str]:
    source = folder / "source.mjs"
    source.write_text(text, encoding="utf-8")
    (technology,) = (
        each for each in technologies() if each.language == runtime.language and name.partition("/")[2] in each.bindings
    )
    options = technology.bindings[name.partition("/")[2]].options
    command = languages()[runtime.language].command(runtime, source, shim, options)
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_every_kind_crosses_the_boundary(binding: tuple[str, Runtime, Path], tmp_path: Path) -> None:
    name, runtime, shim = binding
    text = SCRIPT.replace("EXPRESSIONS", ",\n".join(f"() => ({call})" for call in CALLS))
    answer = run_text(runtime, shim, text, tmp_path, name)
    assert answer.stderr == ""
    assert dict(zip(CALLS, json.loads(answer.stdout), strict=True)) == CALLS
    assert answer.returncode == 0


@pytest.mark.parametrize("number", ["2n ** 64n", "-1n", "-1", "2 ** 64", "1.5", "NaN", "'text'", "undefined"])
def test_node_api_takes_integers_of_64_bits_exactly_or_not_at_all(header: Path, tmp_path: Path, number: str) -> None:
    runtime, shim = built("node/napi", header)
    text = f"export default (native) => console.log(native.next_uint64({number}));"
    answer = run_text(runtime, shim, text, tmp_path, "node/napi")
    assert answer.returncode != 0
    assert answer.stderr.splitlines()[-1] == "next_uint64: value is no uint64_t"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("native.sum('text', 3)", "sum: data is no const void *"),
        ("native.total(Int32Array.of(1), 1)", "total: values is no const short *"),
        ("native.thing_value({})", "thing_value: thing is no const struct thing *"),
        ("native.count(5)", "count: text is no const char *"),
        ("native.call(worker.callback('', () => { throw new Error('mine'); }), null, 2)", "mine"),
        ("native.call(worker.callback('', () => 'seven'), null, 2)", "call: what a callback gave is no int"),
    ],
)
def test_node_api_refuses_what_it_cannot_hand_over(header: Path, tmp_path: Path, call: str, said: str) -> None:
    runtime, shim = built("node/napi", header)
    answer = run_text(runtime, shim, f"export default (native, worker) => {call};", tmp_path, "node/napi")
    assert answer.returncode != 0
    assert answer.stderr.splitlines()[-1] == said


def test_node_api_carries_long_double(header: Path, tmp_path: Path) -> None:
    runtime, shim = built("node/napi", header)
    text = "export default (native) => console.log(native.half_long_double(5));"
    assert run_text(runtime, shim, text, tmp_path, "node/napi").stdout == "2.5\n"


def test_the_compiler_has_nothing_to_warn_of(header: Path) -> None:
    _, shim = built("node/napi", header)
    log = (shim.parent / LOG).read_text(encoding="utf-8")
    assert "-Wextra" in log
    assert "warning:" not in log


def test_calls_on_another_thread_cannot_be_counted_by_a_thread() -> None:
    runtime_or_skip("deno")
    options = RunOptions(contestants=("deno/*",), cases=("nothing",), iterations=20, rounds=1, slices=2, warmup=1)
    result = run("calls", options)
    rows = {row.contestant: row for row in result.comparison.rows}
    assert rows["deno/ffi"].valid
    assert "other threads make these calls" in str(rows["deno/ffi~nonblocking"].reason)


def test_each_binding_has_the_warm_up_that_it_needs() -> None:
    runtime_or_skip("deno")
    options = RunOptions(contestants=("deno/*",), iterations=20, rounds=1, slices=2, audit=False)
    plan = run("xsub", options).run.plan
    warmups = {each.contestant.name: plan.warmup_of(each) for each in plan.workers}
    assert warmups == {"c": 1, "control": 1, "deno/ffi": languages()["deno"].warmup, "deno/ffi~nonblocking": 1}
