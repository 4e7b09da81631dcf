"""C++ functions are named as in their source, with both names kept, and as they are where nothing can read them."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import pytest
from support.compiled import compiled

from ffibench.audit import cpp_names
from ffibench.audit.command import CommandAudit, CommandOptions, audit_command
from ffibench.audit.cpp_names import SourceNames, demangler
from ffibench.audit.support import unsupported

LIBRARY = """
#include <cstdlib>
namespace weather {
template <class T> T *shifted(T *values, unsigned count) { return values + count; }
template double *shifted<double>(double *, unsigned);
struct Station { Station(); ~Station(); double mean(int first, int last) const; };
Station::Station() {}
Station::~Station() {}
double Station::mean(int first, int last) const { return (first + last) / 2.0; }
}
extern "C" int f(int number) { return number; }
"""
PROGRAM = """
namespace weather {
template <class T> T *shifted(T *values, unsigned count);
struct Station { Station(); ~Station(); double mean(int first, int last) const; };
}
extern "C" int f(int number);
int main() {
    double values[3] = {};
    weather::Station station;
    for (int i = 0; i < 10; i++) values[0] += station.mean(i, i) + f(i);
    return weather::shifted(values, 1) == values;
}
"""
CALLS = {
    "weather::Station::Station()": 1,
    "weather::Station::mean(int, int) const": 10,
    "weather::Station::~Station()": 1,
    "double* weather::shifted<double>(double*, unsigned int)": 1,
    "f": 10,
}


@pytest.fixture(scope="module")
def station(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A C++ program that is linked to a C++ library."""
    if (reason := unsupported(Path(sys.executable))) is not None:
        pytest.skip(str(reason))
    folder = tmp_path_factory.mktemp("station")
    compiled(folder / "libstation.so", LIBRARY, "-shared", "-fPIC", language="cpp")
    link = (f"-L{folder}", "-lstation", f"-Wl,-rpath,{folder}")
    return compiled(folder / "app", PROGRAM, *link, language="cpp")


def read(audit: CommandAudit) -> dict[str, int]:
    """The calls by the names that a reader sees."""
    (library,) = audit.libraries
    return {audit.source_names.get(each.name, each.name): each.calls for each in library.functions if each.calls}


def test_the_functions_of_a_cpp_library_have_both_names(station: Path) -> None:
    audit = audit_command([str(station)], ["libstation.so"])
    assert read(audit) == CALLS
    assert audit.source_names["_ZNK7weather7Station4meanEii"] == "weather::Station::mean(int, int) const"
    assert audit.troubles == ()
    raw = audit_command([str(station)], ["libstation.so"], CommandOptions(demangle=False))
    assert raw.libraries == audit.libraries
    assert raw.source_names == {}


def test_where_no_library_reads_the_names_it_is_said_which_would(
    station: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cpp_names, "RUNTIMES", ("libnone.so.6",))
    audit = audit_command([str(station)], ["libstation.so"])
    (trouble,) = audit.troubles
    assert "C++ names are as in the symbol table" in trouble
    assert "apt-get install libstdc++6" in trouble
    assert audit.source_names == {}
    assert audit_command([str(station)], ["libstation.so"], CommandOptions(demangle=False)).troubles == ()
    assert audit_command([str(station)], ["libnone*"]).troubles == ()


def test_names_of_c_are_left_alone_though_they_could_be_types() -> None:
    names = ("f", "i", "_Zebra", "_Z", "main", "_ZN3fooEv", "_Z3bari@BAR_1")
    assert SourceNames(demangler()).of(names) == {"_ZN3fooEv": "foo()", "_Z3bari@BAR_1": "bar(int)@BAR_1"}
    assert SourceNames(None).of(names) == {}
    assert SourceNames(None).troubles(("f", "_R", "zlib")) == []


def test_a_name_is_read_once() -> None:
    sources = iter([b"foo()"])
    names = SourceNames(lambda _: next(sources))
    assert names.of(["_ZN3fooEv"]) == names.of(["_ZN3fooEv"]) == {"_ZN3fooEv": "foo()"}


def test_the_other_run_time_library_serves_too(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str | None] = []
    real = ctypes.CDLL

    def cdll(name: str | None) -> ctypes.CDLL:
        opened.append(name)
        if name == cpp_names.RUNTIMES[0]:
            raise OSError("cannot open shared object file")
        return real("libstdc++.so.6" if name == cpp_names.RUNTIMES[1] else name)

    monkeypatch.setattr(ctypes, "CDLL", cdll)
    assert SourceNames(demangler()).of(["_Z3barv"]) == {"_Z3barv": "bar()"}
    assert tuple(opened[:2]) == cpp_names.RUNTIMES
