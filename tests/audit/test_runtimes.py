"""Sanitizers and runtimes, which replace, compare and start what others leave alone, run as without the count."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.counted import Machine

from ffibench.audit.counting import Watch, counting
from ffibench.audit.loading import STATIC_TLS_ADVICE, static_tls_advice

DATA = Path(__file__).parent / "data"


def sanitized(native: Machine, tmp_path: Path, sanitizer: str) -> Path:
    """A program with a sanitizer, or a skip where it cannot be built or run here."""
    command = [native.compiler, f"-fsanitize={sanitizer}", "-o", str(tmp_path / "app"), str(DATA / "sanitized.c")]
    if subprocess.run([*command, "-pthread"], capture_output=True, check=False).returncode != 0:
        pytest.skip(f"{native.compiler} has no {sanitizer} sanitizer; apt-get install libasan8 libtsan2")
    if subprocess.run([tmp_path / "app"], capture_output=True, check=False).returncode != 0:
        pytest.skip(f"a program with the {sanitizer} sanitizer does not run here; sysctl vm.mmap_rnd_bits=28")
    return tmp_path / "app"


def give_advised_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    name, _, value = STATIC_TLS_ADVICE.partition(" ")[0].partition("=")
    monkeypatch.setenv(name, value)


@pytest.mark.parametrize("pattern", ["libc.so*", "*"])
@pytest.mark.parametrize("sanitizer", ["address", "thread"])
def test_a_sanitizer_keeps_the_functions_that_it_replaces(
    native: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sanitizer: str, pattern: str
) -> None:
    """It defines a function of the loader, and was once taken for it: libc then gave memory that it did not know."""
    program = sanitized(native, tmp_path, sanitizer)
    give_advised_memory(monkeypatch)
    watch = Watch(patterns=(pattern,))
    troubles = native.try_to_count(program, watch=watch).snapshot.troubles
    assert all("is the loader itself" in trouble and "/ld-linux" in trouble for trouble in troubles)
    assert len(troubles) == (pattern == "*")


# --- memory for thread-local data -----------------------------------------------------------------


def test_what_helps_a_program_with_much_thread_local_data_is_said(
    native: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = sanitized(native, tmp_path, "thread")
    with counting(Watch()) as counts:
        environment = {**os.environ, **counts.environment}
        answer = subprocess.run([program], env=environment, capture_output=True, text=True, check=False)
    assert answer.returncode == 127
    assert STATIC_TLS_ADVICE in (static_tls_advice(answer.stderr) or "")
    assert static_tls_advice("cannot open shared object file") is None
    give_advised_memory(monkeypatch)
    native.count(program, watch=Watch())


THREAD = """
import threading
threading.stack_size(32768)
thread = threading.Thread(target=print, args=("started",))
thread.start()
thread.join()
"""

STARTED = """
class App { public static void main(String[] all) throws Exception {
    System.out.println(new ProcessBuilder("true").start().waitFor()); } }
"""


def test_python_starts_a_thread_with_the_smallest_stack(native: Machine) -> None:
    assert native.count(sys.executable, "-c", THREAD, watch=Watch(patterns=("libz.so*",))).out == "started\n"


def test_java_starts_a_program(native: Machine, tmp_path: Path) -> None:
    if shutil.which("javac") is None:
        pytest.skip("no Java is found; apt-get install default-jdk-headless")
    (tmp_path / "App.java").write_text(STARTED)
    subprocess.run(["javac", "App.java"], cwd=tmp_path, check=True)
    counted = native.count("java", "-cp", tmp_path, "App", watch=Watch(patterns=("libz.so*",)))
    assert counted.out == "0\n"
    assert counted.snapshot.processes > 1


def test_node_starts_its_threads(native: Machine) -> None:
    """It reports a thread that it could not start on standard error, which `count` holds empty."""
    if shutil.which("node") is None:
        pytest.skip("no Node is found; apt-get install nodejs")
    assert native.count("node", "-e", "console.log(1)", watch=Watch(patterns=("libz.so*",))).out == "1\n"


def test_rust_s_compiler_starts(native: Machine) -> None:
    if shutil.which("rustc") is None:
        pytest.skip("no Rust compiler is found; apt-get install rustc")
    assert native.count("rustc", "--version", watch=Watch(patterns=("libz.so*",))).out.startswith("rustc ")
