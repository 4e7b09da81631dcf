"""Who called stands beside a function, and below it where several files did; the sums are those of the function."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from ffibench.audit.command import CommandAudit
from ffibench.audit.counting import CountedLibrary, FunctionCount
from ffibench.report.terminal.audit_command import drawn_audit
from ffibench.report.terminal.audit_functions import CALLERS_MAX

MODULE = "/usr/lib/python3.11/lib-dynload/zlib.cpython-311-x86_64-linux-gnu.so"
FFI = "/usr/lib/libffi.so.8.1.2"


def function(name: str, **callers: int) -> FunctionCount:
    """A function by its callers, which are given by their first letters."""
    paths = {"module": MODULE, "ffi": FFI, "app": "/opt/app", "other": "/home/app", "none": ""}
    found = tuple((paths.get(name, f"/lib/{name}"), calls) for name, calls in callers.items())
    return FunctionCount(name=name, calls=sum(callers.values()), sum=None, callers=found)


def audit(*functions: FunctionCount) -> CommandAudit:
    library = CountedLibrary(path="/lib/libz.so.1", device=1, inode=1, functions=functions)
    return CommandAudit(
        command=("app",),
        patterns=("libz*",),
        program="/opt/app",
        seconds=2,
        cpu_seconds=1,
        exit_status=0,
        processes=1,
        libraries=(library,),
    )


SEVERAL = audit(function("crc32", module=2000, ffi=20), function("deflate", module=1), function("inflate", none=7))


@pytest.mark.parametrize("width", [80, 100, 160])
def test_callers_are_as_drawn(render: Callable[..., str], golden: Callable[[str, str], None], width: int) -> None:
    long = "_ZN3fooIddEEvPKT_PKT0_"
    names = {long: f"void weather::mean<{', '.join(['std::vector<double>'] * 3)}>(double const*, double const*)"}
    (library,) = SEVERAL.libraries
    longer = replace(library, functions=(*library.functions, function(long, module=50, ffi=1)))
    whole = replace(SEVERAL, libraries=(longer,), source_names=names)
    text = render(drawn_audit(whole), width)
    assert max(map(len, text.splitlines())) <= width
    golden(f"audited-callers-{width}.txt", text)


def test_one_caller_stands_beside_its_function_and_several_below(render: Callable[..., str]) -> None:
    lines = [line.split() for line in render(drawn_audit(SEVERAL)).splitlines()]
    assert ["crc32", "2,020"] in [line[:2] for line in lines]
    assert ["zlib.cpython-311-x86_64-linux-gnu.so", "2,000", "1000"] in [line[:3] for line in lines]
    assert ["deflate", "zlib.cpython-311-x86_64-linux-gnu.so", "1"] in [line[:3] for line in lines]
    assert ["inflate", "code", "in", "no", "file", "7"] in [line[:6] for line in lines]
    assert [line[:3] for line in lines if "2,001" in line] == [
        ["zlib.cpython-311-x86_64-linux-gnu.so", "2,001", "1000"]
    ]


def test_files_of_one_name_are_told_by_their_paths(render: Callable[..., str]) -> None:
    text = render(drawn_audit(audit(function("crc32", app=3, other=2, ffi=1))))
    assert "/opt/app" in text
    assert "/home/app" in text
    assert FFI not in text


def test_very_many_callers_are_told_in_part(render: Callable[..., str]) -> None:
    many = {f"lib{number}.so": 100 - number for number in range(CALLERS_MAX + 2)}
    text = " ".join(render(drawn_audit(audit(function("crc32", **many)))).split())
    assert f"lib{CALLERS_MAX - 1}.so" in text
    assert f"lib{CALLERS_MAX}.so" not in text
    assert f"2 further files {200 - 2 * CALLERS_MAX - 1} " in text


def test_without_callers_there_is_no_such_column(render: Callable[..., str]) -> None:
    assert "called by" in render(drawn_audit(SEVERAL))
    assert "called by" not in render(drawn_audit(audit(FunctionCount(name="crc32", calls=3, sum=None))))
