"""Experiments on disk: what each folder holds.

A folder has `experiment.py`, its header and library (unless they are ffibench's own), and one file per
contestant. `python.py`, `perl.pl`, `c.c`: a file named like its language drives all generated shims of that
language. Any other file is itself a contestant: `pyzmq_raw.py` is `python/pyzmq-raw`, and a comment in it declares
what the tool must know: `ffibench: lock=released distribution=pyzmq own-library`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from ffibench.calls.answers import Answers
from ffibench.calls.operations import Operation
from ffibench.catalog.declared import checked_experiment, checked_extension
from ffibench.catalog.experiment_file import import_experiment
from ffibench.catalog.places import buildable, system_header
from ffibench.errors import FfibenchError
from ffibench.languages import languages
from ffibench.model import BASELINE, Experiment, Extension, Library, LibrarySources, Lock
from ffibench.paths import asset
from ffibench.shims.technology import Technology, technologies, technologies_in

WORDS = {"lock", "distribution", "requires", "own-library", "static"}
"""What the comment of a contestant's file may say."""

VALUED = {"lock", "distribution", "requires"}
"""Those that have a value."""

WORDS_FIX = (
    "write lock=held (it was gil=held before), lock=released, distribution=NAME, requires=NAME,NAME, own-library or "
    "static"
)

NOTE = re.compile(rb"\bffibench:(?!:)[ \t]*(?P<words>[^\n*]*)")
NOTE_BYTES_MAX = 4096


class Source(Struct, frozen=True, kw_only=True):
    """A contestant's file, with what its comment declares."""

    path: Path
    language: str
    stem: str
    words: Mapping[str, str]
    technology: Technology | None = None
    """The one whose shims it drives alone; it lies in that one's folder."""
    generated: bool = False
    """Whether it was made from calls."""

    @property
    def requires(self) -> tuple[str, ...]:
        """The packages of its language that it imports, and that no binding brings."""
        return tuple(self.words["requires"].split(",")) if "requires" in self.words else ()

    @property
    def drives_shims(self) -> bool:
        """Whether this one file serves every generated shim of its language that has no loop of its own."""
        return self.technology is None and self.stem == self.language

    @property
    def is_contestant(self) -> bool:
        """Whether it is itself a contestant, which has its name."""
        return self.technology is None and not self.drives_shims


class Folder(Struct, frozen=True, kw_only=True):
    """One experiment on disk."""

    name: str
    path: Path
    experiment: Experiment
    header: Path
    """Its own header, or one of ffibench's; none yet where it is made of the parameters."""
    sources: tuple[Source, ...]
    own: tuple[Technology, ...] = ()
    """The binding technologies in its folder `shims`."""
    threaded: bool = False
    """Whether its generated loops are done by several threads of a process, as many as its parameter `threads`."""
    operations: Mapping[str, tuple[Operation, Answers]] = {}
    """By the keys of cases whose loops are generated: what they were generated from, with C's answers."""

    @property
    def technologies(self) -> tuple[Technology, ...]:
        """Those that its contestants are made with: ffibench's, and its own."""
        return (*technologies(), *self.own)


def experiment_names() -> list[str]:
    """Return the names of the experiments that come with ffibench."""
    return sorted(path.parent.name for path in asset("experiments").glob("*/experiment.py"))


def find_experiment(name: str) -> Folder:
    """Return the experiment of this name, or in this folder. Raises FfibenchError where there is none."""
    if "/" in name or Path(name).is_dir():
        folder = Path(name)
        if not (folder / "experiment.py").is_file():
            raise FfibenchError(
                f"no experiment.py in {folder}", fix="write one, as docs/extending.md shows, or name another folder"
            )
        return read_folder(buildable(folder.resolve()))
    if name not in experiment_names():
        raise FfibenchError(
            f"no experiment {name!r}{nearest(name, experiment_names())}", fix="run `ffibench list` to see all of them"
        )
    return read_folder(asset("experiments") / name)


def nearest(name: str, known: Sequence[str]) -> str:
    """Return ` (did you mean a or b?)` for the known names that are similar; empty where none is."""
    near = get_close_matches(name, known, n=3, cutoff=0.5)
    return f" (did you mean {' or '.join(near)}?)" if near else ""


def read_folder(folder: Path, extending: tuple[Path, ...] = ()) -> Folder:
    """Read an experiment's folder; `extending` are those that extend it, each the next.

    Raises FfibenchError where its `experiment.py` is not valid.
    """
    path = folder / "experiment.py"
    experiment = getattr(import_experiment(folder), "EXPERIMENT", None)
    if isinstance(experiment, Extension):
        return _extended(folder, checked_extension(experiment, path), (*extending, folder))
    if not isinstance(experiment, Experiment):
        raise FfibenchError(
            f"{path} binds no ffibench.model.Experiment to the name EXPERIMENT",
            fix="write EXPERIMENT = Experiment(...) there",
        )
    experiment = checked_experiment(experiment, path)
    sources = (*_sources(folder, experiment.library), *_own_loops(own := _own(folder)))
    if not experiment.calls and BASELINE not in {source.stem for source in sources}:
        raise FfibenchError(f"no {BASELINE}.c in {folder}", fix="every experiment needs the baseline, a C program")
    return Folder(
        name=folder.name,
        path=folder,
        experiment=experiment,
        header=_header(folder, experiment),
        sources=sources,
        own=own,
    )


def _extended(folder: Path, extension: Extension, extending: tuple[Path, ...]) -> Folder:
    """Return the experiment that a folder extends, with what the folder adds: files of contestants, technologies."""
    of, path = extension.of, folder / "experiment.py"
    home = (folder / of).resolve() if "/" in of else asset("experiments") / of
    if home in extending:
        raise FfibenchError(f"{path} extends itself", fix="name another experiment in `of`")
    if not (home / "experiment.py").is_file():
        near = "" if "/" in of else nearest(of, experiment_names())
        raise FfibenchError(
            f"{path} extends {of!r}, and there is no such experiment{near}",
            fix="name one that `ffibench list` shows, or a folder with a slash, such as '../foo'",
        )
    base = read_folder(home, extending)
    own = _own(folder, base.own)
    sources = (*_sources(folder, base.experiment.library), *_own_loops(own))
    driving = next((each for each in sources if each.drives_shims), None)
    if driving is not None:
        raise FfibenchError(
            f"{driving.path} would drive the shims of {of}, which has a loop for them",
            fix=f"put it into the folder of a technology, or name it after its contestant, such as {driving.stem}_mine",
        )
    return replace(base, name=folder.name, sources=(*base.sources, *sources), own=(*base.own, *own))


def _own(folder: Path, others: tuple[Technology, ...] = ()) -> tuple[Technology, ...]:
    """Return the technologies of a folder. Raises FfibenchError where one has the name of another's binding."""
    found = technologies_in(folder / "shims")
    taken = {(each.language, name) for each in (*technologies(), *others) for name in each.bindings}
    for technology in found:
        for name in technology.bindings:
            if (technology.language, name) in taken:
                raise FfibenchError(
                    f"{technology.folder / 'technology.toml'}: there is a binding {technology.language}/{name} already",
                    fix=f"give it a name of its own, such as {name}~mine",
                )
            taken.add((technology.language, name))
    return found


def _own_loops(own: Sequence[Technology]) -> Iterator[Source]:
    for each in own:
        if each.loop is not None:
            yield Source(path=each.loop, language=each.language, stem=each.name, words={}, technology=each)


def _header(folder: Path, experiment: Experiment) -> Path:
    if experiment.derive is not None and not experiment.header:
        return Path()
    for home in (folder, asset("native/include")):
        if (home / experiment.header).is_file():
            return (home / experiment.header).resolve()
    found = system_header(experiment.header)
    if found is None:
        raise FfibenchError(
            f"no header {experiment.header} in {folder}, where {folder / 'experiment.py'} says it is",
            fix="put it there, or correct its name",
        )
    return found


def _sources(folder: Path, library: Library) -> Iterator[Source]:
    ignored = {"experiment.py", *(library.sources if isinstance(library, LibrarySources) else ())}
    for path in sorted(folder.iterdir()):
        language = None if path.name in ignored or path.name.startswith(("_", ".")) else _language_of(path)
        if language is None:
            continue
        if not path.is_file():
            raise FfibenchError(f"{path} is no file", fix="take it away, or begin its name with _")
        yield Source(path=path, language=language, stem=path.stem.replace("_", "-"), words=_note(path))


def _language_of(path: Path) -> str | None:
    """Return the language of a contestant's file; None for another one.

    Of languages with the same suffix it is the one that the file is named after, `deno.mjs`, else the one that is there
    unless it is asked for, as `pyzmq.py` is Python's and not PyPy's.
    """
    named = [each for each in languages().values() if each.suffix == path.suffix]
    own = [each for each in named if each.name == path.stem] or [each for each in named if not each.asked] or named
    if len(own) > 1:
        raise FfibenchError(
            f"{path} could be of {', '.join(each.name for each in own)}",
            fix=f"put it into the folder of a technology, such as shims/{own[0].name}/{path.stem}",
        )
    return own[0].name if own else None


def _note(path: Path) -> dict[str, str]:
    """Read `ffibench: lock=released own-library` from a comment at the head of a contestant's file."""
    with path.open("rb") as file:
        found = NOTE.search(file.read(NOTE_BYTES_MAX))
    words = found["words"].decode("utf-8", "replace").split() if found else []
    note: dict[str, str] = {}
    for word in words:
        name, _, value = word.partition("=")
        # A word that is passed over would put the contestant into another block, without a sign.
        known = name in WORDS and bool(value) == (name in VALUED)
        known = known and (name != "lock" or value in get_args(Lock)) and (name != "requires" or all(value.split(",")))
        if not known:
            raise FfibenchError(f"{path}: the word `{word}` after `ffibench:` is not known", fix=WORDS_FIX)
        if name in note:
            raise FfibenchError(f"{path}: the word {name} is there twice after `ffibench:`", fix="take one away")
        note[name] = value
    return note
