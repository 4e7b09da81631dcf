"""The C driver of `fanout`, built for a test or with a sanitizer, and run by the worker contract."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import ninja

from ffibench.builds.toolchain import compiler
from ffibench.catalog import find_experiment
from ffibench.model import Case, LibrarySources, Receipt, Value
from ffibench.paths import asset
from support.kit import Answer

FOLDER = find_experiment("fanout")
CELLS = ["lock-every", "mutex-every", "mutex-edge", "sharded-every", "sharded-edge", "mpsc-every", "mpsc-edge"]
"""The cases of the baseline, by name."""
SECONDS_MAX = 120
SANITIZERS = {
    "address,undefined": ("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
    "thread": ("-fsanitize=thread",),
}
# The first finding ends the program with a status of its own.
HALTING = {
    "ASAN_OPTIONS": "halt_on_error=1:exitcode=66:detect_leaks=1",
    "UBSAN_OPTIONS": "halt_on_error=1:exitcode=66:print_stacktrace=1",
    "TSAN_OPTIONS": "halt_on_error=1:exitcode=66",
}
HIGH_ENTROPY = "unexpected memory mapping"


def parameters(**changes: Value) -> dict[str, Value]:
    """The experiment's parameters with these changes."""
    defaults = {parameter.name: parameter.default for parameter in FOLDER.experiment.parameters}
    return {**defaults, **changes}


def cases(**changes: Value) -> tuple[Case, ...]:
    """The experiment's cases, with these parameters."""
    return FOLDER.experiment.cases(parameters(**changes))


def library_sources() -> list[Path]:
    """What the library under test is built from."""
    library = FOLDER.experiment.library
    assert isinstance(library, LibrarySources)
    return [asset("native/lib") / name for name in library.sources]


def compiled_driver(folder: Path, *flags: str, seed: tuple[str, Path] | None = None) -> Path:
    """Compile library and driver into one program. A seed is a source's name and a header put before it."""
    cc = [*compiler("c").command, "-std=gnu11", "-O1", "-g", "-pthread", *flags]
    include = [f"-I{asset('native/include')}", f"-I{asset('native/kits/c')}"]
    objects = []
    for source in [*library_sources(), asset("experiments/fanout/c.c")]:
        made = folder / f"{source.stem}.o"
        before = ["-include", str(seed[1])] if seed is not None and seed[0] == source.name else []
        subprocess.run([*cc, *include, *before, "-c", str(source), "-o", str(made)], check=True)
        objects.append(str(made))
    program = folder / "fanout-driver"
    subprocess.run([*cc, *objects, "-o", str(program)], check=True)
    return program


def meson_driver(folder: Path, sanitizer: str) -> Path:
    """Build library and driver by `native/meson.build`, as `nox -s sanitize` does."""
    environment = {**os.environ, "NINJA": str(Path(ninja.BIN_DIR) / "ninja")}
    meson = [sys.executable, "-m", "mesonbuild.mesonmain"]
    for step in (
        ["setup", str(folder), str(asset("native")), f"-Db_sanitize={sanitizer}"],
        ["compile", "-C", str(folder)],
    ):
        done = subprocess.run([*meson, *step], env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return folder / "fanout-driver"


def unsanitized(folder: Path, sanitizer: str) -> str | None:
    """Say why programs with this sanitizer cannot be built or run here, or None."""
    program = folder / "probe"
    source = folder / "probe.c"
    source.write_text("int main(void) { return 0; }\n", encoding="ascii")
    flags = SANITIZERS[sanitizer]
    command = [*compiler("c").command, *flags, str(source), "-o", str(program)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    if built.returncode != 0:
        return f"the compiler has no sanitizer {sanitizer}; apt-get install gcc with its libasan, libubsan and libtsan"
    ran = subprocess.run([*launcher(program), str(program)], capture_output=True, text=True, check=False)
    return None if ran.returncode == 0 else f"a program with the sanitizer {sanitizer} does not run: {ran.stderr}"


def launcher(program: Path) -> Sequence[str]:
    """What starts a program with a sanitizer here.

    Where a kernel scatters its memory further than ThreadSanitizer knows (vm.mmap_rnd_bits over 28 for older ones),
    the program is started without that.
    """
    answer = subprocess.run([str(program)], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    scattered = HIGH_ENTROPY in answer.stderr and shutil.which("setarch") is not None
    return ["setarch", "-R"] if scattered else []


def run_driver(
    command: Sequence[str | Path],
    iterations: Mapping[str, int],
    *,
    threads: int,
    callback: str = "count",
    slices: int = 2,
    environment: Mapping[str, str] | None = None,
) -> Answer:
    """Run a worker over cells, each with its submits of all threads."""
    arguments = {
        "binding": "c",
        "cases": ",".join(f"{cell}:{count}" for cell, count in iterations.items()),
        "slices": slices,
        "warmup": 0,
        "threads": threads,
        "callback": callback,
    }
    done = subprocess.run(
        [*map(str, command), *(f"{name}={value}" for name, value in arguments.items())],
        input="go\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS_MAX,
        env={**os.environ, **HALTING, **(environment or {})},
    )
    return Answer(done)


def receipts(answer: Answer, cell: str) -> list[Receipt]:
    """The receipts of a cell's timed slices."""
    return [line["receipt"] for line in answer.lines[1:] if (line["case"], line["kind"]) == (cell, "timed")]
