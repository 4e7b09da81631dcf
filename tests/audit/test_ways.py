"""However a caller binds to a library, each of its calls is counted, once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import textwrap
from pathlib import Path

import pybind11
import pytest
from support.counted import TIMES, Machine

from ffibench.audit.counting import Watch

DATA = Path(__file__).parent / "data"
FLAGS = {
    "lazy PLT": ["-Wl,-z,lazy"],
    "PLT bound at once": ["-Wl,-z,now"],
    "GOT without PLT": ["-fno-plt"],
    "a program at a fixed address": ["-no-pie", "-fno-pie"],
}


@pytest.mark.parametrize("flags", FLAGS.values(), ids=FLAGS)
def test_a_linked_call(machine: Machine, subject: Path, tmp_path: Path, flags: list[str]) -> None:
    program = machine.build("program", *flags, DATA / "program.c", subject, "-pthread", "-ldl", folder=tmp_path)
    assert machine.count(program, "add").calls == {"subject_add": TIMES}


@pytest.mark.parametrize("flags", FLAGS.values(), ids=FLAGS)
def test_a_pointer_in_static_data(machine: Machine, subject: Path, tmp_path: Path, flags: list[str]) -> None:
    program = machine.build("program", *flags, DATA / "program.c", subject, "-pthread", "-ldl", folder=tmp_path)
    assert machine.count(program, "pointer").calls == {"subject_add": TIMES}


def test_binding_at_once_by_the_environment(machine: Machine, program: Path) -> None:
    assert machine.count(program, "add", LD_BIND_NOW="1").calls == {"subject_add": TIMES}


def test_dlopen_and_dlsym(machine: Machine, loader: Path, subject: Path) -> None:
    assert machine.count(loader, "late", subject).calls == {"subject_add": TIMES}


def test_dlmopen_has_instances_whose_calls_add_up(machine: Machine, loader: Path, subject: Path) -> None:
    counted = machine.count(loader, "namespaces", subject)
    assert counted.out.splitlines()[-1] == "43 43 44 43 44 45 "
    assert counted.calls == {"subject_add": 3 * TIMES, "subject_next": 6}


# --- from Python ----------------------------------------------------------------------------------


def python(native: Machine, folder: Path, script: str) -> dict[str, int]:
    """Run a script beside the subject, bare and counted; return the calls."""
    return native.count(sys.executable, "-c", f"import sys; sys.path.insert(0, {str(folder)!r})\n{script}").calls


LOOP = f"""
total = 0
for number in range({TIMES}):
    total = add(total, number)
print(total)
"""


def test_ctypes(native: Machine, native_subject: Path) -> None:
    script = f"import ctypes; add = ctypes.CDLL({str(native_subject)!r}).subject_add\n{LOOP}"
    assert python(native, native_subject.parent, script) == {"subject_add": TIMES}


def test_cffi_in_abi_mode(native: Machine, native_subject: Path) -> None:
    declared = "import cffi; ffi = cffi.FFI(); ffi.cdef('long subject_add(long a, long b);')"
    script = f"{declared}\nadd = ffi.dlopen({str(native_subject)!r}).subject_add\n{LOOP}"
    assert python(native, native_subject.parent, script) == {"subject_add": TIMES}


def test_cffi_in_api_mode(native: Machine, native_subject: Path, tmp_path: Path) -> None:
    generate = (
        "import cffi; ffi = cffi.FFI(); ffi.cdef('long subject_add(long a, long b);')\n"
        "ffi.set_source('calls', '#include \"subject.h\"'); ffi.emit_c_code('calls.c')"
    )
    subprocess.run([sys.executable, "-c", generate], cwd=tmp_path, check=True)
    include = f"-I{sysconfig.get_path('include')}"
    name = f"calls{sysconfig.get_config_var('EXT_SUFFIX')}"
    native.library(name, include, f"-I{DATA}", "-w", tmp_path / "calls.c", native_subject, folder=tmp_path)
    assert python(native, tmp_path, f"from calls import lib; add = lib.subject_add\n{LOOP}") == {"subject_add": TIMES}


def test_pybind11_with_a_pointer_to_the_function(native: Machine, native_subject: Path, tmp_path: Path) -> None:
    source = tmp_path / "calls.cpp"
    source.write_text(
        '#include <pybind11/pybind11.h>\n#include "subject.h"\n'
        'PYBIND11_MODULE(calls, module) { module.def("add", &subject_add); }\n'
    )
    includes = [f"-I{sysconfig.get_path('include')}", f"-I{pybind11.get_include()}", f"-I{DATA}"]
    name = f"calls{sysconfig.get_config_var('EXT_SUFFIX')}"
    cpp = Machine(folder=tmp_path, compiler="c++")
    cpp.library(name, "-O0", "-std=c++17", "-fvisibility=hidden", *includes, source, native_subject)
    assert python(native, tmp_path, f"from calls import add\n{LOOP}") == {"subject_add": TIMES}


# --- from other languages -------------------------------------------------------------------------


def test_rust(native: Machine, native_subject: Path, tmp_path: Path) -> None:
    if shutil.which("rustc") is None:
        pytest.skip("no Rust compiler is found; apt-get install rustc")
    source = tmp_path / "program.rs"
    source.write_text(
        textwrap.dedent(f"""
        #[link(name = "subject")]
        extern "C" {{ fn subject_add(a: std::os::raw::c_long, b: std::os::raw::c_long) -> std::os::raw::c_long; }}
        fn main() {{
            let mut total = 0;
            for number in 0..{TIMES} {{ total = unsafe {{ subject_add(total, number) }}; }}
            println!("{{total}}");
        }}
        """)
    )
    folder = native_subject.parent
    command = ["rustc", "-O", "-L", str(folder), "-C", f"link-arg=-Wl,-rpath,{folder}", str(source)]
    built = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    assert native.count(tmp_path / "program").calls == {"subject_add": TIMES}


def test_go(native: Machine, native_subject: Path, tmp_path: Path) -> None:
    if shutil.which("go") is None:
        pytest.skip("no Go compiler is found; apt-get install golang-go")
    source = tmp_path / "program.go"
    source.write_text(
        textwrap.dedent(f"""
        package main

        // #cgo CFLAGS: -I{DATA}
        // #cgo LDFLAGS: {native_subject}
        // #include "subject.h"
        import "C"

        func main() {{
            total := C.long(0)
            for number := C.long(0); number < {TIMES}; number++ {{
                total = C.subject_add(total, number)
            }}
            if total != {TIMES * (TIMES - 1) // 2} {{
                panic("a wrong sum")
            }}
        }}
        """)
    )
    environment = {**os.environ, "CGO_ENABLED": "1", "GOFLAGS": "", "GOCACHE": str(tmp_path / "cache")}
    subprocess.run(
        ["go", "build", "-o", "program", "program.go"], cwd=tmp_path, env=environment, check=True, capture_output=True
    )
    assert native.count(tmp_path / "program").calls == {"subject_add": TIMES}


@pytest.mark.parametrize("flags", [["-pie", "-fPIE"], ["-no-pie", "-fno-pie"]], ids=["pie", "no-pie"])
def test_a_program_whose_functions_its_plugin_calls(machine: Machine, tmp_path: Path, flags: list[str]) -> None:
    """As an interpreter's extension modules call it: a program's exported functions count as a library's do."""
    (tmp_path / "program.c").write_text(
        "#include <dlfcn.h>\n"
        "long subject_add(long a, long b) { return a + b; }\n"
        "int main(int count, char **names)\n"
        '{ long (*start)(void) = (long (*)(void))dlsym(dlopen(names[1], count), "start"); return start() != 3; }\n'
    )
    (tmp_path / "plugin.c").write_text(
        "extern long subject_add(long a, long b);\nlong start(void) { return subject_add(1, 2); }\n"
    )
    plugin = machine.library("plugin.so", tmp_path / "plugin.c", folder=tmp_path)
    program = machine.build("program", "-rdynamic", *flags, tmp_path / "program.c", "-ldl", folder=tmp_path)
    counted = machine.count(program, plugin, watch=Watch(exports=("subject_add",)))
    assert counted.calls == {"subject_add": 1}
    assert counted.library.path == str(program)
