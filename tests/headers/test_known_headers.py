"""Headers that ship and those that users bring: libzmq, zlib, SQLite, the C library."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.headers import ZMQ, kinds, system_header, write

from ffibench.errors import FfibenchError
from ffibench.headers.reader import read_header


def test_zmq_gives_every_function_of_the_experiments_and_the_constants() -> None:
    header = read_header(ZMQ)
    assert kinds(header, "zmq_send") == ["handle", "bytes", "scalar", "scalar"]
    assert kinds(header, "zmq_recv") == ["handle", "buffer", "scalar", "scalar"]
    assert kinds(header, "zmq_socket") == ["handle", "scalar"]
    assert kinds(header, "zmq_bind") == ["handle", "string"]
    assert kinds(header, "zmq_setsockopt") == ["handle", "scalar", "bytes", "scalar"]
    assert kinds(header, "zmq_getsockopt") == ["handle", "scalar", "buffer", "cell"]
    assert header.select(["zmq_getsockopt"])[0].parameters[2].length == "optvallen"
    assert kinds(header, "zmq_version") == ["cell", "cell", "cell"]
    assert not header.unfit
    options = {
        "SUBSCRIBE": 6,
        "UNSUBSCRIBE": 7,
        "LINGER": 17,
        "SNDHWM": 23,
        "RCVHWM": 24,
        "RCVTIMEO": 27,
        "SNDTIMEO": 28,
    }
    sockets = {"PUB": 1, "SUB": 2, "XPUB": 9, "XSUB": 10}
    expected = {**options, **sockets, "LAST_ENDPOINT": 32, "DONTWAIT": 1}
    assert header.constants == {f"ZMQ_{name}": value for name, value in expected.items()}


@pytest.mark.parametrize("name", ["complex.h", "stdio.h", "stdlib.h", "string.h", "pthread.h"])
def test_headers_of_the_c_library_parse_with_every_extension_on(name: str) -> None:
    path = Path("/usr/include") / name
    if not path.exists():
        pytest.skip(f"{path} is not installed; apt-get install libc6-dev")
    header = read_header(path, defines=["_GNU_SOURCE"])
    assert len(header.functions) + len(header.unfit) > 15


def test_zlib_parses() -> None:
    header = system_header("zlib.h", "zlib1g-dev")
    assert kinds(header, "crc32") == kinds(header, "adler32") == ["scalar", "bytes", "scalar"]
    assert kinds(header, "compress") == ["buffer", "cell", "bytes", "scalar"]
    assert kinds(header, "compress2") == ["buffer", "cell", "bytes", "scalar", "scalar"]
    assert kinds(header, "uncompress") == ["buffer", "cell", "bytes", "scalar"]
    assert header.select(["zlibVersion"])[0].result.kind == "string"
    assert header.constants["Z_STREAM_ERROR"] == -2
    uint = header.select(["crc32"])[0].parameters[2].type
    assert (uint.category, uint.base, uint.typedefs) == ("uint", "unsigned int", ("uInt",))


def test_sqlite_parses_with_handles_by_address_and_refuses_varargs() -> None:
    header = system_header("sqlite3.h", "libsqlite3-dev")
    assert kinds(header, "sqlite3_libversion") == []
    assert kinds(header, "sqlite3_bind_int") == ["handle", "scalar", "scalar"]
    assert kinds(header, "sqlite3_open") == ["string", "cell"]
    assert kinds(header, "sqlite3_prepare_v2") == ["handle", "bytes", "scalar", "cell", "cell"]
    with pytest.raises(FfibenchError, match=r"/usr/include/sqlite3\.h:\d+: ") as caught:
        header.select(["sqlite3_mprintf"])
    assert "`sqlite3_mprintf` fits no kind: it takes a variable number" in str(caught.value)


def test_math_gives_the_functions_of_its_private_parts() -> None:
    header = system_header("math.h", "libc6-dev")
    assert kinds(header, "cos") == ["scalar"]
    assert header.select(["pow"])[0].declaration.startswith("double pow(double ")
    assert kinds(header, "frexp") == ["scalar", "cell"]
    assert "modfl" in header.unfit


def test_the_compiler_agrees_with_every_declaration(tmp_path: Path) -> None:
    for header in (read_header(ZMQ), system_header("zlib.h", "zlib1g-dev")):
        # In parentheses, since some names are macros as well.
        declared = "\n".join(
            each.declaration.replace(f"{each.name}(", f"({each.name})(", 1) for each in header.functions
        )
        path = write(tmp_path, f'#include "{header.path}"\n{declared}\n', "again.c")
        command = ["cc", "-fsyntax-only", "-Werror", str(path)]
        assert subprocess.run(command, check=False, capture_output=True, text=True).stderr == ""
