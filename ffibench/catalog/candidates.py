"""Which contestants of an experiment this machine can run, and why not the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from ffibench.builds.project import Project, folder_of
from ffibench.builds.sources import library_parts
from ffibench.builds.toolchain import missing_compiler
from ffibench.catalog.folders import Folder, Source
from ffibench.languages import Language, languages
from ffibench.model import BASELINE, CONTROL, Contestant, Experiment, Library, LibraryIdentity, LibrarySources, Lock
from ffibench.model.runtime import Missing, Runtime
from ffibench.shims.shim import shim_project
from ffibench.shims.technology import Binding, Technology, technologies


class Candidate(Struct, frozen=True, kw_only=True):
    """A contestant on this machine: its parts, or what is missing."""

    contestant: Contestant
    source: Source
    runtime: Runtime | None = None
    technology: Technology | None = None
    """None for a file that is itself a contestant and needs neither a shim nor a compiler."""
    binding: Binding | None = None
    missing: Missing | None = None

    @property
    def lock(self) -> str:
        """What becomes of its language's lock during a call, `GIL held`; empty where it declares nothing."""
        name = languages()[self.contestant.language].lock or "lock"
        return f"{name} {self.contestant.lock}" if self.contestant.lock else ""

    @property
    def optional(self) -> bool:
        """Whether a run without it is complete."""
        extra = self.technology is not None and self.technology.extra
        never = self.missing is not None and self.missing.never
        return extra or never or languages()[self.contestant.language].optional

    def project(self, folder: Folder, library: LibraryIdentity, kinds: Mapping[str, str]) -> Project | None:
        """Return the build of its shim or program, or None where it needs none.

        `kinds` are those of `--kind`. Raises FfibenchError where the header cannot be preprocessed.
        """
        if self.technology is None or self.binding is None or self.runtime is None:
            return None
        name = self.contestant.name
        return shim_project(
            technology=self.technology,
            binding=self.binding,
            # The control is the baseline's own program, entered again.
            contestant=BASELINE if name == CONTROL else name,
            source=self.source.path,
            runtime=self.runtime,
            header=folder.header,
            functions=folder.experiment.functions,
            kinds={**folder.experiment.kinds, **kinds},
            library=library,
            parts=library_parts(folder.experiment.library, folder.path) if self.binding.static else None,
            # A case says of whom it cannot be; other cases of the same shim can.
            partly=bool(folder.experiment.calls),
        )

    def binding_folder(self, artifact: Path | None) -> str:
        """Return where its binding was generated and compiled; empty where it is not, and where it does not call."""
        technology = self.technology
        if artifact is None or technology is None or not technology.compilers or technology.jumps:
            return ""
        return str(folder_of(artifact))


def candidates(
    folder: Folder,
    requested: Mapping[str, Sequence[str]] | None = None,
    patterns: Sequence[str] = (),
    players: Sequence[str] = (),
) -> list[Candidate]:
    """Return the contestants of an experiment that are asked for, for every interpreter, with what is missing here.

    The baseline comes first, then the control. `requested` are the programs of `--with` and `--python`, by language.
    `patterns` are those of `--contestant`; without any it is everybody but languages and bindings that are only there
    if asked for. `players` are contestants that play a role for all.
    No program of a language is started that nobody asked for.
    Raises FfibenchError for a program that does not run.
    """
    found: list[Candidate] = []
    entries = [
        each
        for each in _entries(folder)
        if each.contestant.name in players or _takes_part(each, folder.experiment, patterns)
    ]
    for name in dict.fromkeys(each.source.language for each in entries):
        mine = [each for each in entries if each.source.language == name]
        language = languages()[name]
        for runtime in language.runtimes((requested or {}).get(name, ()), _packages(mine)):
            found += [_candidate(each, language, runtime) for each in mine]
    control = [_as_control(each) for each in found if each.contestant.name == BASELINE]
    order = {BASELINE: 0, CONTROL: 1}
    return sorted(found + control, key=lambda each: order.get(each.contestant.name, 2))


def contestant_names(folder: Folder) -> list[str]:
    """Return the names of all contestants of an experiment, whether this machine has their languages or not."""
    return list(dict.fromkeys([BASELINE, CONTROL, *(each.contestant.name for each in _entries(folder))]))


def asked_languages(available: Sequence[Technology], patterns: Sequence[str]) -> frozenset[str]:
    """Return the languages of which a technology's binding is asked for; see `candidates`."""
    of = ((each.language, _contestant(each, name)) for each in available for name in each.bindings)
    return frozenset(language for language, contestant in of if is_asked(contestant, patterns))


def is_asked(contestant: Contestant, patterns: Sequence[str]) -> bool:
    """Return whether a contestant is asked for by patterns: it is the baseline, matches one, or is there by default."""
    if contestant.name == BASELINE:
        return True
    if not patterns:
        return not languages()[contestant.language].asked
    return _matches(contestant.name, patterns)


def _takes_part(entry: _Entry, experiment: Experiment, patterns: Sequence[str]) -> bool:
    """Return whether a contestant of an experiment is asked for; some bindings are only there if asked for too."""
    name, binding = entry.contestant.name, entry.binding
    if binding is None or not binding.asked or _matches(name, experiment.variants):
        return is_asked(entry.contestant, patterns)
    return _matches(name, patterns) if binding.asked == "pattern" else name in patterns


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


class _Entry(Struct, frozen=True, kw_only=True):
    """A contestant of an experiment, before anybody looked whether its language is here."""

    contestant: Contestant
    source: Source
    package: str | None
    technology: Technology | None
    binding: Binding | None


def _entries(folder: Folder) -> Iterator[_Entry]:
    """Yield every contestant of an experiment, language by language."""
    for source in sorted(folder.sources, key=lambda each: each.language):
        of_language = [each for each in folder.technologies if each.language == source.language]
        yield from _of_source(source, of_language, folder.experiment.library)


def _packages(entries: Sequence[_Entry]) -> list[str]:
    """Return the packages that workers need: those of their technologies and of contestants' own files."""
    named = {each.package for each in entries}
    named |= {name for each in entries for name in each.source.requires}
    named |= {name for each in entries if each.technology for name in each.technology.optional_packages}
    return sorted(name for name in named if name)


def _driven(source: Source, of_language: Sequence[Technology]) -> Sequence[Technology]:
    """Return the technologies whose shims a source drives; none where it is itself a contestant."""
    if source.technology is not None:
        return [source.technology]
    return [each for each in of_language if each.loop is None] if source.drives_shims else []


def _of_source(source: Source, of_language: Sequence[Technology], library: Library) -> Iterator[_Entry]:
    if source.is_contestant:
        contestant = Contestant(
            name=f"{source.language}/{source.stem}",
            language=source.language,
            lock=cast("Lock | None", source.words.get("lock")),
            # What is linked statically has its library inside itself, so that no file of it is ever mapped.
            own_library=not {"own-library", "static"}.isdisjoint(source.words),
            static="static" in source.words,
        )
        program = next((each for each in technologies() if each.language == source.language and each.program), None)
        yield _Entry(
            contestant=contestant,
            source=source,
            package=source.words.get("distribution"),
            # A file of a language that is compiled is a whole program.
            technology=program,
            binding=None if program is None else next(iter(program.bindings.values())),
        )
        return
    for technology in _driven(source, of_language):
        for name, binding in technology.bindings.items():
            contestant = _contestant(technology, name)
            if not binding.static or isinstance(library, LibrarySources):
                yield _Entry(
                    contestant=contestant,
                    source=source,
                    package=binding.package or technology.package,
                    technology=technology.narrowed(name),
                    binding=binding,
                )


def _contestant(technology: Technology, name: str) -> Contestant:
    """Return the contestant that a binding of a technology is."""
    language, binding = technology.language, technology.bindings[name]
    return Contestant(
        name=name if name == language else f"{language}/{name}",
        language=language,
        lock=binding.lock,
        runtime=binding.runtime,
        callbacks=binding.callbacks,
        own_library=binding.static or not binding.native,
        static=binding.static,
        native=binding.native,
        cases=technology.cases,
    )


def _candidate(entry: _Entry, language: Language, runtime: Runtime | Missing) -> Candidate:
    """Combine a contestant with what this machine has for it."""
    contestant, technology = entry.contestant, entry.technology
    missing = runtime if isinstance(runtime, Missing) else None
    options = {} if entry.binding is None else entry.binding.options
    version = ""
    if isinstance(runtime, Runtime):
        found = language.package(runtime, entry.package) if entry.package else runtime.version
        if isinstance(found, Missing):
            missing = found
        else:
            version = found
        if missing is None and technology is not None:
            missing = technology.missing_package or technology.missing_program or language.run_needs(runtime, options)
            if missing is None and (technology.compilers or technology.program):
                missing = language.build_needs(runtime, options) or missing_compiler(technology.compilers)
        required = {name: language.package(runtime, name) for name in entry.source.requires}
        missing = missing or next((each for each in required.values() if isinstance(each, Missing)), None)
        packages = {name: each for name, each in required.items() if isinstance(each, str)}
        if technology is not None and technology.build_version:
            version = technology.build_version
        contestant = replace(contestant, interpreter=runtime.label, version=version, packages=packages)
    return Candidate(
        contestant=contestant,
        source=entry.source,
        runtime=runtime if isinstance(runtime, Runtime) else None,
        technology=technology,
        binding=entry.binding,
        missing=missing,
    )


def _as_control(baseline: Candidate) -> Candidate:
    """The baseline entered a second time, so that every table shows its own noise."""
    return replace(baseline, contestant=replace(baseline.contestant, name=CONTROL))
