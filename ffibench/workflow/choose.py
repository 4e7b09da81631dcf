"""Calls for a header whose user names none: of functions that take numbers and texts alone, and seem to do no harm."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ffibench.builds.library import find_library, not_exported
from ffibench.catalog.headers import EXAMPLE, header_folder
from ffibench.catalog.places import find_header
from ffibench.errors import FfibenchError
from ffibench.headers.types import Function, Parameter
from ffibench.model import Call
from ffibench.plan.options import ContestantOptions
from ffibench.shims.shim import declarations
from ffibench.workflow.generate import with_loops

CHOSEN = 5
NONE = Call(expression="none()")
"""Stands for the calls of a header that has none to choose from, whose library is looked for all the same."""
TRIED = 12
"""Functions of which C is asked at most; each alone, where one of them ends the process."""

# Whatever a function of such a name takes, it may change the process, its files or the system.
ACTS = re.compile(
    r"abort|alarm|alloc|begin|ch(dir|mod|own)|clear|clos|commit|config|connect|creat|delet|destroy|disable|enable|end\b"
    r"|eras|exec|exit|finish|flush|fork|free|halt|init|kill|limit|link|listen|load|lock|mkdir|mount|open|pause|print|put"
    r"|quit|rais|regist|releas|remov|renam|reset|restart|rmdir|send|set|shutdown|signal|sleep|start|stop|sync|system"
    r"|terminat|trunc|wait|writ|yield",
    re.IGNORECASE,
)
HARMLESS = re.compile(r"offset|trunc[fl]?\b|links?\b", re.IGNORECASE)
"""What those words are found in, and mean nothing of the kind."""
SYSTEM = re.compile(r"libc(-[\d.]+)?\.so(\.\d+)?|libc\.musl-.*|ld-.*")
"""Libraries whose functions are the system's."""


def choose_calls(header: str, options: ContestantOptions) -> tuple[tuple[Call, ...], dict[str, str]]:
    """Return a handful of calls that answer steadily in C, and those that were tried and do not, with the reasons.

    Raises FfibenchError where there are none, and what `with_loops` raises of the header and the library.
    """
    own = declarations(find_header(header), options.kinds)
    fitting = [each for each in own.functions if _fits(each)]
    described = header_folder(header, [_call(each) for each in fitting] or [NONE], options.library, {})
    library = find_library(described.experiment, described.path, options.library)
    if SYSTEM.fullmatch(Path(library.path).name):
        raise FfibenchError(
            f"{library.path} is the system's own, so that no calls are chosen of it", fix=f"name them: {EXAMPLE}"
        )
    missing = not_exported(Path(library.path), [each.name for each in fitting])
    calls = [_call(each) for each in _varied([each for each in fitting if each.name not in missing])][:TRIED]
    left_out: dict[str, str] = {}

    def steady(tried: list[Call]) -> bool:
        try:
            described = header_folder(header, tried, options.library, {})
            with_loops(described, library, options.kinds, [{}])
        except FfibenchError as error:
            if len(tried) == 1:
                left_out[tried[0].expression] = error.reason
            return False
        return True

    first = calls[:CHOSEN]
    chosen = first if first and steady(first) else []
    for call in [] if chosen else calls:
        if len(chosen) < CHOSEN and steady([call]):
            chosen.append(call)
    if not chosen:
        tried = f": {'; '.join(left_out.values())}" if left_out else ""
        raise FfibenchError(
            f"no function of {header} was found that takes numbers and texts alone, changes nothing by its name, and "
            f"answers steadily{tried}",
            fix=f"say what to measure, as in {EXAMPLE}; `ffibench kinds {header}` shows what each function takes",
        )
    return tuple(chosen), left_out


def _fits(function: Function) -> bool:
    """Whether a function can be called without knowing it.

    A pointer of a type of its own is no text like any other: `sqlite3_filename` has more behind its end.
    """
    plain = all(
        each.kind == "scalar" or (each.kind == "string" and not each.type.typedefs) for each in function.parameters
    )
    name = HARMLESS.sub("", function.name)
    return plain and not name.startswith("_") and function.result.kind in {"scalar", "string"} and not ACTS.search(name)


def _varied(functions: list[Function]) -> Iterator[Function]:
    """Yield functions with parameters before those without, and those of another signature before more of one."""
    left = sorted(functions, key=lambda each: not each.parameters)
    while left:
        seen: set[tuple[str, ...]] = set()
        rest = []
        for each in left:
            signature = (each.result.type.resolved, *(p.type.resolved for p in each.parameters))
            if signature in seen:
                rest.append(each)
            else:
                seen.add(signature)
                yield each
        left = rest


def _call(function: Function) -> Call:
    arguments = (_argument(each, place) for place, each in enumerate(function.parameters))
    return Call(expression=f"{function.name}({', '.join(arguments)})")


def _argument(parameter: Parameter, place: int) -> str:
    """Return an argument that no runtime keeps ready made: CPython has the integers up to 256."""
    match parameter.type.category:
        case "float":
            return f"{place}.5"
        case "bool" | "enum":
            return "1"
        case "pointer":
            return '"a text"'
    return "100" if "char" in parameter.type.base else str(1000 + place)
