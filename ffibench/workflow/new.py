"""What `ffibench new` does: an experiment's folder of a header, a library and calls, which runs as it is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from ffibench.builds.library import find_library
from ffibench.catalog.folders import Folder
from ffibench.catalog.headers import header_folder
from ffibench.errors import FfibenchError
from ffibench.model import Call
from ffibench.plan.options import ContestantOptions
from ffibench.workflow.choose import choose_calls
from ffibench.workflow.folders import experiment_file, require_new, write_folder
from ffibench.workflow.generate import with_loops


class NewFolder(Struct, frozen=True, kw_only=True):
    """A folder that was written."""

    path: Path
    calls: tuple[Call, ...]
    left_out: Mapping[str, str]
    """Calls that were tried and are not in it, each with the reason."""


def new_folder(folder: str, header: str, options: ContestantOptions) -> NewFolder:
    """Write the experiment of a header into a folder.

    Without calls it chooses some that take numbers and texts alone and answer steadily. Raises FfibenchError where the
    folder is there already, the header or the library is not, a call does not fit, or none can be chosen.
    """
    path = require_new(folder)
    calls, left_out = tuple(options.calls), dict[str, str]()
    if not calls:
        calls, left_out = choose_calls(header, options)
    described = described_header(header, options, calls)
    assert options.library is not None  # `described_header` has looked
    write_folder(path, {"experiment.py": experiment_file(described, path, options.library, options.kinds)})
    return NewFolder(path=path, calls=calls, left_out=left_out)


def described_header(header: str, options: ContestantOptions, calls: tuple[Call, ...]) -> Folder:
    """Return the experiment that a header and calls are, once C has answered them. Raises FfibenchError."""
    if header.endswith("/") or Path(header).is_dir():
        raise FfibenchError(f"{header} is a folder, not a header", fix="name a header, such as foo.h")
    described = header_folder(header, calls, options.library, options.parameters)
    library = find_library(described.experiment, described.path, options.library)
    values = {each.name: each.default for each in described.experiment.parameters}
    with_loops(described, library, options.kinds, [values])
    return described
