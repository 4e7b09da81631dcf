"""Which contestants of an experiment this machine can run, and why not the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from ffibench.builds.library import library_parts
from ffibench.builds.project import Project, folder_of
from ffibench.builds.toolchain import missing_compiler
from ffibench.catalog.folders import Folder, Source
from ffibench.languages import Language, languages
from ffibench.model import BASELINE, CONTROL, Contestant, Experiment, LibraryIdentity, LibrarySources, Lock
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
        """Return where its binding was generated and compiled; empty where it is not compiled."""
        if artifact is None or self.technology is None or not self.technology.compilers:
            return ""
        return str(folder_of(artifact))


def candidates(folder: Folder, pythons: Sequence[str] = ()) -> list[Candidate]:
    """Return every contestant of an experiment, for every interpreter, with what is missing on this machine.

    The baseline comes first, then the control. `pythons` are the interpreters of `--python`.
    Raises FfibenchError for an interpreter that does not run.
    """
    found: list[Candidate] = []
    for name, language in sorted(languages().items()):
        sources = [source for source in folder.sources if source.language == name]
        if not sources:
            continue
        requested = pythons if name == "python" else ()
        of_language = [each for each in folder.technologies if each.language == name]
        for runtime in language.runtimes(requested, _packages(of_language, sources)):
            for source in sources:
                found += _of_source(source, language, runtime, of_language, folder.experiment)
    control = [_as_control(each) for each in found if each.contestant.name == BASELINE]
    order = {BASELINE: 0, CONTROL: 1}
    return sorted(found + control, key=lambda each: order.get(each.contestant.name, 2))


def _packages(of_language: Sequence[Technology], sources: Sequence[Source]) -> list[str]:
    """Return the packages that the workers of a language need: those of its technologies and of contestants' files."""
    named = [source.words.get("distribution") for source in sources]
    driven = [each for source in sources for each in _driven(source, of_language)]
    named += [name for each in driven for name in (each.package, *each.optional_packages)]
    return sorted({name for name in named if name})


def _driven(source: Source, of_language: Sequence[Technology]) -> Sequence[Technology]:
    """Return the technologies whose shims a source drives; none where it is itself a contestant."""
    if source.technology is not None:
        return [source.technology]
    return [each for each in of_language if each.loop is None] if source.drives_shims else []


def _of_source(
    source: Source,
    language: Language,
    runtime: Runtime | Missing,
    of_language: Sequence[Technology],
    experiment: Experiment,
) -> Iterator[Candidate]:
    if not source.drives_shims and source.technology is None:
        package = source.words.get("distribution")
        contestant = Contestant(
            name=f"{language.name}/{source.stem}",
            language=language.name,
            lock=cast("Lock | None", source.words.get("lock")),
            # What is linked statically has its library inside itself, so that no file of it is ever mapped.
            own_library=not {"own-library", "static"}.isdisjoint(source.words),
            static="static" in source.words,
        )
        yield _candidate(contestant, source, language, runtime, package, *_program(language))
        return
    for technology in _driven(source, of_language):
        for name, binding in technology.bindings.items():
            contestant = Contestant(
                name=name if name == language.name else f"{language.name}/{name}",
                language=language.name,
                lock=binding.lock,
                own_library=binding.static or not binding.native,
                static=binding.static,
                native=binding.native,
                cases=technology.cases,
            )
            if _takes_part(contestant, binding, experiment):
                narrowed = technology.narrowed(name)
                yield _candidate(contestant, source, language, runtime, technology.package, narrowed, binding)


def _takes_part(contestant: Contestant, binding: Binding, experiment: Experiment) -> bool:
    """Whether an experiment has a binding that takes part only where it is asked for, and can have it."""
    asked = not binding.asked or any(fnmatchcase(contestant.name, each) for each in experiment.variants)
    return asked and (not binding.static or isinstance(experiment.library, LibrarySources))


def _program(language: Language) -> tuple[Technology | None, Binding | None]:
    """Return what compiles a whole program of a language; None for a language that runs its files as they are."""
    programs = (each for each in technologies() if each.language == language.name and each.is_program)
    found = next(programs, None)
    return (None, None) if found is None else (found, next(iter(found.bindings.values())))


def _candidate(
    contestant: Contestant,
    source: Source,
    language: Language,
    runtime: Runtime | Missing,
    package: str | None,
    technology: Technology | None,
    binding: Binding | None,
) -> Candidate:
    """Combine a contestant with what this machine has for it."""
    missing = runtime if isinstance(runtime, Missing) else None
    options = {} if binding is None else binding.options
    version = ""
    if isinstance(runtime, Runtime):
        found = language.package(runtime, package) if package else runtime.version
        if isinstance(found, Missing):
            missing = found
        else:
            version = found
        if missing is None and technology is not None:
            missing = technology.missing_package
        if missing is None and technology is not None and technology.compilers:
            missing = language.build_needs(runtime, options) or missing_compiler(technology.compilers)
        if technology is not None and technology.build_version:
            version = technology.build_version
        contestant = replace(contestant, interpreter=runtime.label, version=version)
    return Candidate(
        contestant=contestant,
        source=source,
        runtime=runtime if isinstance(runtime, Runtime) else None,
        technology=technology,
        binding=binding,
        missing=missing,
    )


def _as_control(baseline: Candidate) -> Candidate:
    """The baseline entered a second time, so that every table shows its own noise."""
    return replace(baseline, contestant=replace(baseline.contestant, name=CONTROL))
