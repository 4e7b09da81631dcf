"""What `ffibench shims` does: a binding of a header to take home, with what builds and installs it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from msgspec import Struct

import ffibench
from ffibench.builds.library import located, not_exported
from ffibench.builds.linking import linked_name, loaded_name
from ffibench.catalog.folders import nearest
from ffibench.catalog.places import find_header, header_name
from ffibench.errors import FfibenchError
from ffibench.headers.reader import Header
from ffibench.headers.types import Function
from ffibench.shims.render import lacking, render_package
from ffibench.shims.shim import declarations, header_context, module_name
from ffibench.shims.technology import Binding, Technology, technologies
from ffibench.workflow.folders import require_new, write_folder


class TakenHome(Struct, frozen=True, kw_only=True):
    """A binding that was written."""

    path: Path
    module: str
    functions: tuple[str, ...]
    """Those that it has."""
    left_out: Mapping[str, str]
    """The others that were asked for, each with the reason."""
    install: str
    """The command that installs it here."""
    environment: str
    """What a program that imports it needs here: `LD_LIBRARY_PATH=/opt/foo/lib`, or nothing."""


def write_shims(
    header: str,
    binding: str,
    folder: str,
    *,
    library: str | None,
    functions: Sequence[str] = (),
    kinds: Mapping[str, str] | None = None,
) -> TakenHome:
    """Write a binding of a header into a folder; `functions` are globs of those wanted, all where there are none.

    Raises FfibenchError where the folder is there already, the header, the library or the binding is not, or none of
    the functions can be bound.
    """
    path = require_new(folder)
    technology, name, way = _binding(binding)
    found = find_header(header)
    if library is None:
        raise FfibenchError(f"no library of {header} is named", fix="--library takes a path, or a name: libz.so.1")
    file = located(Path(library), library, "--library takes the path of a shared library, or its soname").absolute()
    declared = declarations(found, dict(kinds or {}))
    chosen, left_out = _bound(technology, declared, file, functions)
    module = module_name(found, name)
    include = header_name(found, path)
    if include.startswith(("/", "..")) or (path / include).exists():
        include = found.name
    context = {
        **header_context(technology, declared, chosen),
        "module": module,
        "lock": way.lock,
        "options": way.options,
        "header_name": include,
        "library": loaded_name(file),
        "link": linked_name(file),
        "technology": technology.name,
        "compilers": technology.compilers,
        "version": ffibench.__version__,
        "left_out": left_out,
        "packaged": True,
    }
    write_folder(path, render_package(technology, context))
    return TakenHome(
        path=path,
        module=module,
        functions=tuple(each.name for each in chosen),
        left_out=left_out,
        install=_install(technology, folder, found, include, file),
        environment=""
        if technology.compilers or _loader_finds(file)
        else f"LD_LIBRARY_PATH={shlex.quote(str(file.parent))}",
    )


def _binding(name: str) -> tuple[Technology, str, Binding]:
    """Return the technology and the binding of `nanobind` or `perl/xs`. Raises FfibenchError."""
    known = {
        f"{each.language}/{binding}": (each, binding, way)
        for each in technologies()
        if (each.folder / "package").is_dir()
        for binding, way in each.bindings.items()
    }
    fitting = [each for each in known if name in {each, each.partition("/")[2]}]
    if len(fitting) != 1:
        near = nearest(name, [*known, *(each.partition("/")[2] for each in known)])
        raise FfibenchError(
            f"there is no binding {name!r} to take home{near}",
            fix=f"name one of {', '.join(known)}",
        )
    return known[fitting[0]]


def _bound(
    technology: Technology, declared: Header, library: Path, patterns: Sequence[str]
) -> tuple[list[Function], dict[str, str]]:
    """Return the functions that can be bound of those wanted, and the others with the reasons. Raises FfibenchError."""
    wanted = [name for name in declared.prototypes if _matches(name, patterns)]
    if not wanted:
        asked = f" {' or '.join(patterns)}" if patterns else ""
        raise FfibenchError(
            f"{declared.path} declares no function{asked}{nearest((*patterns, '')[0], [*declared.prototypes])}",
            fix=f"`ffibench kinds {declared.path}` shows those that it declares",
        )
    left_out = {each.name: each.reason for each in declared.refusals if each.name in wanted}
    declares = [each.name for each in declared.functions if each.name in wanted]
    left_out |= dict.fromkeys(not_exported(library, declares), f"{loaded_name(library)} does not export it")
    chosen = []
    for function in declared.functions:
        if function.name in wanted and function.name not in left_out:
            lacks = lacking(technology, function)
            if lacks:
                what = ", ".join(f"{parameter}: {kind}" for parameter, kind in lacks.items())
                left_out[function.name] = f"{technology.name} cannot pass {what}"
            else:
                chosen.append(function)
    if not chosen:
        raise FfibenchError(
            f"none of the functions can be bound: {'; '.join(f'{name}: {why}' for name, why in left_out.items())}",
            fix=f"`ffibench kinds {declared.path}` shows what helps",
        )
    return chosen, dict(sorted(left_out.items()))


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)


def _install(technology: Technology, folder: str, header: Path, include: str, library: Path) -> str:
    """Return the command that installs a binding on this machine, which finds a header and a library by their names."""
    words = []
    if technology.compilers:
        if header_name(header, Path("/")) != include:
            flag = "CXXFLAGS" if "cpp" in technology.compilers else "CFLAGS"
            words.append(f"{flag}={shlex.quote(f'-I{header.parent}')}")
        if not _loader_finds(library):
            words.append(f"LDFLAGS={shlex.quote(f'-L{library.parent} -Wl,-rpath,{library.parent}')}")
    place = shlex.quote(folder if "/" in folder else f"./{folder}")
    if technology.language == "python":
        return " ".join([*words, "pip install", place])
    return f"cd {place} && {' '.join([*words, 'perl Makefile.PL'])} && make && make install"


def _loader_finds(library: Path) -> bool:
    name = loaded_name(library)
    try:
        return located(Path("/") / name, name, "").samefile(library)
    except FfibenchError:
        return False
