"""Python: the tool's own interpreter, or those of `--python`, each in a private environment."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import metadata
from keyword import kwlist
from pathlib import Path

from msgspec.structs import replace

from ffibench.extras import install_command
from ffibench.languages.base import Language, shim_argument
from ffibench.languages.python.environments import private_environment, run_describe
from ffibench.model.runtime import Missing, Runtime
from ffibench.paths import PACKAGE
from ffibench.worker.describe import describe


class Python(Language):
    """The Python language."""

    name = "python"
    title = "Python"
    suffix = ".py"
    optional = False
    asked = False
    lock = "GIL"
    keywords = frozenset(kwlist)

    def runtimes(self, requested: Sequence[str], packages: Sequence[str]) -> Sequence[Runtime | Missing]:
        """Describe the tool's own interpreter, or each requested one. Raises FfibenchError where one does not run."""
        if not requested:
            return [_runtime(describe())]
        found: dict[str, Runtime] = {}
        for path in requested:
            facts = run_describe(path)
            # In the tool's own environment all packages are there; nothing private is needed.
            own = facts["base"] == sys.base_prefix and facts["purelib"] == describe()["purelib"]
            runtime = _runtime(describe() if own else run_describe(private_environment(facts, packages)))
            found.setdefault(facts["real"], runtime)  # two paths to one interpreter are one
        # Two builds of one version are two interpreters: a row is known by the label.
        labels = [runtime.label for runtime in found.values()]
        return [
            replace(each, label=f"{each.label} at {real}") if labels.count(each.label) > 1 else each
            for real, each in found.items()
        ]

    def package(self, runtime: Runtime, name: str) -> str | Missing:
        """Look into the site-packages of the worker's interpreter."""
        folder = runtime.context["purelib"]
        for distribution in metadata.distributions(name=name, path=[folder]):
            return distribution.version
        own = describe()
        # A private environment is given what the tool's own has.
        if folder == own["purelib"] or not any(metadata.distributions(name=name)):
            reason = f"the Python package {name} is not installed"
            return Missing(reason=reason, fix=install_command(name, f"{own['executable']} -m pip"))
        reason = f"{name} could not be installed for {runtime.label} (is there a network?)"
        return Missing(reason=reason, fix=f"{runtime.executable} -m pip install {name}")

    def build_needs(self, runtime: Runtime, options: Mapping[str, str] | None = None) -> Missing | None:
        """An extension module needs `Python.h`; one for the stable ABI, a version of that and a GIL."""
        include = Path(runtime.context["include"])
        if not (include / "Python.h").is_file():
            return Missing(
                reason=f"{runtime.label} has no Python.h in {include}",
                fix="apt-get install python3-dev",
            )
        needed = _version(int((options or {}).get("limited_api", "0"), 16))
        has = tuple(int(part) for part in runtime.version.split(".")[:2])
        if needed and (has < needed or runtime.context["free_threaded"]):
            of = "with a GIL" if has >= needed else f"{needed[0]}.{needed[1]} or later"
            return Missing(
                reason=f"its stable ABI is that of CPython {of}, and this is {runtime.label}",
                fix="use --python PATH with one",
                never=True,
            )
        return None

    def command(
        self, runtime: Runtime, source: Path, artifact: Path | None, options: Mapping[str, str] | None = None
    ) -> Sequence[str]:
        """Run the kit by file path, isolated from the user's environment and from the tool's packages.

        Without writing bytecode: on a disk that is nearly full many a Python leaves half of it, on which every later
        worker fails (https://github.com/python/cpython/issues/126606).
        """
        kit = str(PACKAGE / "worker" / "__main__.py")
        return [runtime.executable, "-I", "-B", kit, f"source={source}", *shim_argument(artifact)]


def _version(limited_api: int) -> tuple[int, ...]:
    """Return the version that Py_LIMITED_API says, 0x030B0000 for 3.11; empty for none."""
    return (limited_api >> 24, limited_api >> 16 & 0xFF) if limited_api else ()


def _runtime(facts: dict[str, str]) -> Runtime:
    details = [text for key, text in (("debug", "debug"), ("free_threaded", "free-threaded")) if facts[key]]
    label = " ".join([facts["implementation"], facts["version"], *details])
    return Runtime(
        language="python",
        label=label,
        version=facts["version"],
        executable=facts["executable"],
        identity=f"{facts['base']} {facts['build']} {facts['suffix']} {facts['include']}",
        context=facts,
    )


LANGUAGE = Python()
