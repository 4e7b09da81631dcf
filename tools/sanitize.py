"""Builds the libraries of `fanout` and `codec` with sanitizers: runs every cell with few submits, and bad messages.

Exit status 1 at the first finding, 2 where a sanitizer is not here.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from support.codec_fuzz import SANITIZER, fuzz, fuzz_program
from support.fanout import SANITIZERS, cases, launcher, meson_driver, receipts, run_driver, unsanitized

THREADS = (1, 2, 4, 8)
CALLBACKS = ("count", "host")
PER_THREAD = 200
SLICES = 5
SEED = 1969
MESSAGES = 2_000_000
"""Of codec: 45 seconds."""


def main(messages: int = MESSAGES) -> int:
    """Say what ran clean, or what was found."""
    for sanitizer in SANITIZERS:
        with tempfile.TemporaryDirectory() as folder:
            missing = unsanitized(Path(folder), sanitizer)
            if missing is not None:
                print(missing, file=sys.stderr)
                return 2
            driver = meson_driver(Path(folder) / "build", sanitizer)
            how = launcher(driver)
            if how:
                print(f"{sanitizer}: started by {' '.join(how)}, since this kernel scatters memory too far for it")
            for threads in THREADS:
                for callback in CALLBACKS:
                    found = examine([*how, str(driver)], threads, callback)
                    if found is not None:
                        print(f"{sanitizer}: {threads} threads, callback={callback}\n{found}", file=sys.stderr)
                        return 1
            print(f"{sanitizer}: clean over {', '.join(case.name for case in cases())} with {THREADS} threads")
            if sanitizer == SANITIZER and not spoil(Path(folder), messages):
                return 1
    return 0


def spoil(folder: Path, messages: int) -> bool:
    """Give the library of `codec` bad messages; say whether it refused them or decoded them soundly."""
    answer = fuzz(fuzz_program(folder), SEED, messages)
    if answer.returncode != 0:
        print(f"{SANITIZER}: codec, exit status {answer.returncode}\n{answer.stderr.decode()}", file=sys.stderr)
        return False
    print(f"{SANITIZER}: codec is sound with {messages:,} messages that were spoiled: {answer.stdout.decode().strip()}")
    return True


def examine(command: list[str], threads: int, callback: str) -> str | None:
    """Return what a sanitizer or a wrong receipt says of a driver, or None."""
    asked = {case.name: case for case in cases(threads=threads, per_thread=PER_THREAD, callback=callback)}
    iterations = {name: case.iterations for name, case in asked.items()}
    answer = run_driver(command, iterations, threads=threads, callback=callback, slices=SLICES)
    if answer.status != 0:
        return f"exit status {answer.status}\n{answer.errors}"
    for name, case in asked.items():
        right = case.receipt(case.iterations)
        wrong = [receipt for receipt in receipts(answer, name) if receipt != right]
        if wrong:
            return f"{name}: {wrong[0]} and not {right}"
    return None


if __name__ == "__main__":
    sys.exit(main())
