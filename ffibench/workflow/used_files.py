"""The files that the workers of a plan use, looked at before the first of them is started and after the last round.

A shim is checked against its checksums when a run begins. Without a second look a contestant that writes to another's,
or an editor that saves its source, would go unseen until the next run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from msgspec.structs import replace

from ffibench.builds.checksums import recorded_checksums
from ffibench.languages import languages
from ffibench.model import Plan, UsedFile

LOADED = {".so", ".py", ".pm", ".node"}
"""What a process loads of a binding. The records of its build differ each time that it is built."""


def used_files(plan: Plan) -> tuple[UsedFile, ...]:
    """Return the files that the commands of a plan name, with what was built or lies beside them.

    What cannot be read now is not among them; nor is the library under test, which each process is asked for.
    """
    named = dict.fromkeys(path for worker in plan.workers for path in worker.files)
    return tuple(each for path in named if path != plan.library.path for each in _files(Path(path)))


def looked_at_again(files: Iterable[UsedFile]) -> tuple[UsedFile, ...]:
    """Return the files as they are now."""
    return tuple(replace(each, after=_digest(Path(each.path))) for each in files)


def worth_keeping(files: Sequence[UsedFile]) -> tuple[UsedFile, ...]:
    """Return the files that commands name; of those beside them only what is not as it was, once that is known."""
    looked = any(each.after is not None for each in files)
    return tuple(each for each in files if not each.named or (looked and each.after != each.sha256))


def _files(path: Path) -> Iterator[UsedFile]:
    own = _digest(path)
    if own is None:
        return
    built = {each: digest for each, digest in recorded_checksums(path).items() if each == path or each.suffix in LOADED}
    yield UsedFile(path=str(path), sha256=built.get(path, own))
    beside = {**built, **{helper: _digest(helper) for helper in ([] if built else helpers_of(path))}}
    for other, digest in beside.items():
        if other != path and digest is not None:
            yield UsedFile(path=str(other), named=str(path), sha256=digest)


def helpers_of(source: Path) -> list[Path]:
    """Return the files beside a source that it names, or that one of these does.

    These are files `_name` of its language, headers of C among them, and the loop of another language of its suffix:
    `python.py`, which `pypy.py` imports.
    """
    own = {path for suffix in {source.suffix, ".h"} for path in source.parent.glob(f"_*{suffix}") if source.suffix}
    named = (each for each in languages().values() if each.suffix == source.suffix)
    loops = {path for each in named if (path := source.with_name(f"{each.name}{each.suffix}")).is_file()}
    left = sorted(own | loops - {source})
    found = [source] if left else []
    for one in found:  # which grows
        text = one.read_text(encoding="utf-8", errors="replace")
        found += [each for each in left if each not in found and _names(text, each)]
    return found[1:]


def _names(text: str, helper: Path) -> bool:
    """Whether a source names a helper; a language, which any comment may name, as a file beside it: `.python`."""
    before = r"\b" if helper.name.startswith("_") else r"[./]"
    return re.search(rf"{before}{re.escape(helper.stem)}\b", text) is not None


def _digest(path: Path) -> str | None:
    """Return the sha256 of a file; None where it is none, or cannot be read."""
    if not path.is_file() or not os.access(path, os.R_OK):
        return None
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None
