"""The Rust compiler of this machine, for the tests that need one."""

from __future__ import annotations

import subprocess
from pathlib import Path

from ffibench.languages.rust import LANGUAGE
from ffibench.model.runtime import Runtime
from ffibench.paths import asset
from support.perl import skip_if_missing

KIT = asset("native/kits/rust/ffibench.rs")


def rust_or_skip() -> Runtime:
    """Return rustc as the tool finds it."""
    (runtime,) = LANGUAGE.runtimes((), ())
    skip_if_missing(runtime)
    assert isinstance(runtime, Runtime)
    skip_if_missing(LANGUAGE.build_needs(runtime))
    return runtime


def compiled(rust: Runtime, folder: Path, text: str) -> Path:
    """Return a worker from a text, compiled with the kit; warnings are errors."""
    source, kit, program = folder / "rust.rs", folder / "libffibench.rlib", folder / "worker"
    source.write_text(text, encoding="utf-8")
    rustc = [rust.executable, "--edition=2021", "-Copt-level=3", "-Dwarnings"]
    subprocess.run([*rustc, "--crate-type=rlib", "--crate-name=ffibench", KIT, "-o", kit], check=True)
    subprocess.run([*rustc, f"--extern=ffibench={kit}", source, "-o", program], check=True)
    return program
