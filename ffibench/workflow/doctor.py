"""What `ffibench doctor` looks at: what a run needs, what of it is there, and the command that installs the rest."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from ffibench.audit.library import counting_library
from ffibench.audit.support import unsupported
from ffibench.builds.library import find_library
from ffibench.builds.toolchain import compiler
from ffibench.catalog.candidates import candidates
from ffibench.catalog.derived import with_derived
from ffibench.catalog.folders import experiment_names, find_experiment
from ffibench.errors import FfibenchError, MissingExtraError
from ffibench.host.interpreters import interpreter_builds
from ffibench.host.machine import describe_host, worker_cpu
from ffibench.host.sampler import look
from ffibench.languages import Language, languages
from ffibench.model import BASELINE, Finding, RunWarning
from ffibench.model.runtime import Missing, Runtime
from ffibench.noise.configuration import NOT_PINNED, debug_builds, plain_builds
from ffibench.noise.descriptions import host_words, noise_words
from ffibench.noise.warnings import configuration_warnings, sample_warnings
from ffibench.paths import cache_folder, runs_folder
from ffibench.shims.technology import technologies
from ffibench.workflow.machine import require_limits, require_proc

COMPILERS, EXPERIMENTS, AUDIT, FOLDERS, HOST = "Compilers", "Experiments", "Audit", "Folders", "Host"


def findings() -> Iterator[Finding]:
    """Look at everything, group after group."""
    yield from _compilers()
    for language in (each for each in languages().values() if each.name != BASELINE):  # c is its compiler
        yield from language_findings(language)
    yield from _libraries()
    yield counting_finding()
    yield from _tool()
    yield from machine_findings()
    yield from host_findings()


def _compilers() -> Iterator[Finding]:
    for language, name in (("c", "C compiler"), ("cpp", "C++ compiler")):
        try:
            found = compiler(language)
        except FfibenchError as error:
            yield Finding(group=COMPILERS, subject=name, found=error.reason, fix=error.fix, needed=True)
        else:
            yield Finding(group=COMPILERS, subject=name, found=f"{found.label} ({' '.join(found.command)})")


def language_findings(language: Language) -> Iterator[Finding]:
    """Look at a language: itself, what compiling for it needs, and the packages of its bindings."""
    needed, group = not language.optional, language.title
    packages = sorted({name for each in technologies() if each.language == language.name for name in each.packages})
    for runtime in language.runtimes((), packages):
        if isinstance(runtime, Missing):
            yield Finding(group=group, subject=language.name, found=runtime.reason, fix=runtime.fix, needed=needed)
            continue
        yield Finding(group=group, subject=language.name, found=f"{runtime.label} ({runtime.executable})")
        builds = interpreter_builds([runtime])
        for warning in filter(None, (debug_builds(builds), plain_builds(builds))):
            yield _of_warning(group, f"{language.name} build", warning)
        missing = language.build_needs(runtime)
        if missing is not None:
            yield Finding(
                group=group, subject=f"{language.name} headers", found=missing.reason, fix=missing.fix, needed=needed
            )
        for package in packages:
            yield _package(language, runtime, package)


def _package(language: Language, runtime: Runtime, package: str) -> Finding:
    found = language.package(runtime, package)
    if isinstance(found, Missing):
        return Finding(
            group=language.title,
            subject=package,
            found=found.reason,
            fix=found.fix,
            needed=not language.optional,
        )
    return Finding(group=language.title, subject=package, found=found)


def _libraries() -> Iterator[Finding]:
    for name in experiment_names():
        folder = find_experiment(name)
        try:
            folder = with_derived(folder, {})
            library = find_library(folder.experiment, folder.path, None)
        except FfibenchError as error:
            needed = not isinstance(error, MissingExtraError)
            yield Finding(
                group=EXPERIMENTS, subject=f"{name} library", found=error.reason, fix=error.fix, needed=needed
            )
        else:
            yield Finding(group=EXPERIMENTS, subject=f"{name} library", found=library.path)
            found = candidates(folder, patterns=("*",))
            can_run = sum(each.missing is None for each in found)
            text = f"{can_run} of {len(found)} contestants can run here"
            yield Finding(group=EXPERIMENTS, subject=f"{name} contestants", found=text)


def counting_finding() -> Finding:
    """Whether native calls can be counted here: of a process such as this one, by a library that is built at need."""
    try:
        hindered = unsupported(Path(sys.executable))
        if hindered is None:
            counting_library()
    except FfibenchError as error:
        hindered = error
    if hindered is None:
        return Finding(group=AUDIT, subject="native calls", found="can be counted from outside")
    return Finding(group=AUDIT, subject="native calls", found=hindered.reason, fix=hindered.fix)


def _tool() -> Iterator[Finding]:
    yield Finding(group=FOLDERS, subject="built bindings", found=str(cache_folder("shims")))
    yield Finding(group=FOLDERS, subject="runs", found=str(runs_folder()))
    if sys.platform != "linux":
        yield Finding(
            group=AUDIT,
            subject="memory map",
            found="this system does not show which library a live process has mapped",
            fix="run on Linux",
        )


def machine_findings() -> Iterator[Finding]:
    """What every run needs of the machine and lacks, if anything."""
    for subject, require in (("limits", require_limits), ("/proc", require_proc)):
        try:
            require()
        except FfibenchError as error:
            yield Finding(group=HOST, subject=subject, found=error.reason, fix=error.fix, needed=True)


def host_findings() -> Iterator[Finding]:
    """Look at the host for a second, and judge it as a run's is judged."""
    cpu = worker_cpu()
    host = describe_host(cpu)
    yield Finding(group=HOST, subject="processor", found=f"{host.processor}, {host.processors} processors")
    if cpu is None:
        yield _of_warning(HOST, NOT_PINNED.code, NOT_PINNED)
    if words := host_words(host):
        yield Finding(group=HOST, subject="host", found=", ".join(words))
    sample = look(host.siblings)
    yield Finding(group=HOST, subject="noise", found=", ".join(noise_words([sample])))
    for warning in (*sample_warnings(sample, host, "just now"), *configuration_warnings(host)):
        yield _of_warning(HOST, warning.code, warning)


def _of_warning(group: str, subject: str, warning: RunWarning) -> Finding:
    return Finding(group=group, subject=subject, found=warning.text, fix=warning.fix)
