"""Contestants and plans made up for tests: what a catalog would find and a plan would say of it."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ffibench.catalog.candidates import Candidate
from ffibench.catalog.folders import Source
from ffibench.model import BASELINE, CONTROL, Contestant, LibraryIdentity, Plan, PlannedCase, PlannedWorker
from ffibench.model.runtime import Runtime

SCRIPT = Path(__file__).with_name("scripted.py")
INTERPRETERS = {"c": "gcc 12.2.0", "python": "CPython 3.11.7", "perl": "perl 5.36.0"}
ITERATIONS = 1_000
LIBRARY = LibraryIdentity(path="/usr/lib/libwork.so.5", sha256="0" * 64)

Script = Mapping[str, object]
"""Arguments of a scripted worker; `own_library` says that its contestant brings a library of its own."""


def contestant(key: str, *, own_library: bool = False) -> Contestant:
    """`python/a~nogil`, or with its interpreter, `python/a~nogil [CPython 3.14.0]`, as a worker's key has it."""
    name, _, interpreter = key.partition(" [")
    language = "c" if name == CONTROL else name.partition("/")[0]
    return Contestant(
        name=name,
        language=language,
        lock=None if language != "python" else "released" if name.endswith("~nogil") else "held",
        interpreter=interpreter.rstrip("]") or INTERPRETERS[language],
        version="1.0",
        own_library=own_library,
    )


def candidate(name: str) -> Candidate:
    """A contestant as a catalog finds it; whatever runs it lies at the path of this Python."""
    language = contestant(name).language
    source = Source(path=Path(f"/somewhere/{language}.py"), language=language, stem=language, words={})
    runtime = Runtime(
        language=language, label="CPython 3.11.7", version="3.11.7", executable=sys.executable, identity="", context={}
    )
    return Candidate(contestant=contestant(name), source=source, runtime=runtime)


def planned_case(name: str = "send") -> PlannedCase:
    return PlannedCase(name=name, operation=f"one {name}", iterations=ITERATIONS, receipt={"sends": ITERATIONS})


def plan_of(*workers: PlannedWorker, **changes: Any) -> Plan:  # noqa: ANN401
    """A plan of three rounds; `changes` replace its fields."""
    plan = Plan(
        experiment="work",
        title="work that is made up",
        cases=(planned_case(),),
        parameters={},
        workers=workers,
        library=LIBRARY,
        slices=2,
        warmup=1,
        mode="default",
        rounds_min=3,
        rounds_max=3,
        seconds_max=None,
        precision=0.02,
        seed=1969,
        worker_seconds_max=60.0,
        pinned=False,
    )
    return replace(plan, **changes)


def scripted_plan(folder: Path, scripts: Mapping[str, float | Script], **changes: Any) -> Plan:  # noqa: ANN401
    """A plan whose workers are `scripted.py`, each with its arguments, or with `gross` alone.

    `folder` gets the library under test and a file `starts-N` for each worker, in the order of `scripts`.
    """
    library = folder / "libwork-0123abcd.so.5"
    library.write_bytes(b"the library under test")
    plan = plan_of(
        **{"library": LibraryIdentity(path=str(library), sha256=sha256(library.read_bytes()).hexdigest()), **changes}
    )
    contract = {
        "cases": ",".join(f"{case.name}:{case.iterations}" for case in plan.cases),
        "slices": plan.slices,
        "warmup": plan.warmup,
        "cold": plan.cold,
        "library": library,
    }
    workers = []
    for number, (key, script) in enumerate(scripts.items()):
        told = dict(script) if isinstance(script, Mapping) else {"gross": script}
        own = bool(told.pop("own_library", False))
        arguments = {**contract, "starts": folder / f"starts-{number}", "seed": number, **told}
        command = (sys.executable, "-I", "-S", str(SCRIPT), *(f"{name}={value}" for name, value in arguments.items()))
        workers.append(PlannedWorker(contestant=contestant(key, own_library=own), role="worker", command=command))
    assert workers[0].contestant.name == BASELINE
    return replace(plan, workers=tuple(workers))


def team_plan(folder: Path, *roles: Script, entries: Sequence[str] = ("c",), **changes: Any) -> Plan:  # noqa: ANN401
    """A plan in which every entry is a team of scripted workers, one for each of `roles`: of their case and script.

    A script has its `role`; the case is called as it is. The last entry has the scripts that are given, the others run
    by the contract alone.
    """
    names = [str(script["role"]) for script in roles]
    cases = tuple(replace(planned_case(name), receipt={"sends": ITERATIONS}) for name in names)
    plan = scripted_plan(folder, {"c": 27}, **{"cases": cases, **changes})
    workers = []
    for entry in entries:
        for place, script in enumerate(roles):
            given = script if entry == entries[-1] else {"role": script["role"]}
            waits = {"waits_at": "ipc:///tmp/somewhere"} if place == 0 else {}
            told = {
                "cases": f"{names[place]}:{ITERATIONS}",
                "slices": plan.slices,
                "warmup": plan.warmup,
                "library": plan.library.path,
                "starts": folder / f"starts-{entry.replace('/', '-')}-{place}",
                **waits,
                **{name: value for name, value in given.items() if value is not None},
            }
            if given.get("waits_at", "") is None:
                del told["waits_at"]
            workers.append(
                PlannedWorker(
                    contestant=contestant(entry),
                    role=names[place],
                    command=(sys.executable, "-I", "-S", str(SCRIPT)),
                    arguments={name: str(value) for name, value in told.items()},
                    label=names[place],
                    team=entry,
                    cases=(names[place],),
                )
            )
    return replace(plan, workers=tuple(workers))


def starts(folder: Path) -> list[int]:
    """The processes that entered themselves: workers and the children that they left."""
    lines = [line for file in folder.glob("starts-*") for line in file.read_text(encoding="ascii").splitlines()]
    return [int(line.split()[1]) for line in lines]
