"""Experiments that make their header and their library of their parameters: the files are written into the cache."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from msgspec.structs import replace

from ffibench.builds.staging import staging_folder
from ffibench.catalog.folders import Folder
from ffibench.errors import FfibenchError, fix_for
from ffibench.model import LibrarySources, Value
from ffibench.paths import cache_folder


def with_derived(folder: Folder, given: Mapping[str, Value]) -> Folder:
    """Return an experiment with the header, the sources and the functions that it makes of its parameters.

    `given` are the values of `--set`; those that are no texts do not count. Raises FfibenchError where the experiment
    cannot make them, and where they cannot be written.
    """
    experiment = folder.experiment
    if experiment.derive is None:
        return folder
    texts = {each.name: each.default for each in experiment.parameters if isinstance(each.default, str)}
    derived = experiment.derive({name: str(given.get(name, default)) for name, default in texts.items()})
    place = _written(folder.name, derived.files)
    library = experiment.library
    assert isinstance(library, LibrarySources)
    sources = (*library.sources, *(str(place / name) for name in derived.sources))
    header = place / derived.header
    return replace(
        folder,
        header=header,
        experiment=replace(
            experiment,
            header=str(header),
            library=replace(library, sources=sources),
            functions=(*experiment.functions, *derived.functions),
        ),
    )


def _written(name: str, files: Mapping[str, str]) -> Path:
    """Return the folder of the cache that has these files, written now or before."""
    texts = "\0".join(part for each in sorted(files.items()) for part in each)
    home = cache_folder("derived")
    place = home / f"{name}-{sha256(texts.encode()).hexdigest()[:20]}"
    try:
        if not place.is_dir():
            with staging_folder(home, place.name) as made:
                for each, text in files.items():
                    (made / each).write_text(text, encoding="utf-8")
                if not place.is_dir():  # another process may have made it meanwhile
                    made.rename(place)
    except OSError as error:
        fix = fix_for(error, "XDG_CACHE_HOME chooses another place")
        raise FfibenchError(f"cannot write to {home}: {error.strerror}", fix) from None
    return place
