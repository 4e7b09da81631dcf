"""Runs the protoc of the wheel grpcio-tools, in a process of its own: a schema that breaks it does not break us."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from ffibench.errors import FfibenchError
from ffibench.extras import install_command

SECONDS_MAX = 60
NEEDED = {"grpc_tools": "grpcio-tools", "google.protobuf": "protobuf"}
"""Modules, and the distributions that bring them."""


def require_protobuf() -> None:
    """Raise FfibenchError where what reads a schema is not installed."""
    for module, distribution in NEEDED.items():
        if not _is_here(module):
            raise FfibenchError(
                f"the Python package {distribution} is not installed, which reads a .proto",
                fix=install_command(distribution),
            )


def descriptor_set(proto: Path) -> bytes:
    """Return the FileDescriptorSet of a schema, with all that it imports and where each thing stands.

    Imports are found beside the schema, and those of protobuf's own, `google/protobuf/*`, in the wheel. Raises
    FfibenchError with protoc's first line for what it refuses.
    """
    require_protobuf()
    # In its folder, since an equals sign in a path of -I has a meaning.
    command = [sys.executable, "-I", "-m", "grpc_tools.protoc", "-I.", "--include_imports", "--include_source_info"]
    command += ["--descriptor_set_out=/dev/stdout", proto.name]
    try:
        answer = subprocess.run(
            command, cwd=proto.parent, capture_output=True, stdin=subprocess.DEVNULL, check=False, timeout=SECONDS_MAX
        )
    except subprocess.TimeoutExpired:
        raise FfibenchError(f"{proto}: protoc took more than {SECONDS_MAX} seconds", fix="simplify it") from None
    if answer.returncode != 0:
        said = answer.stderr.decode("utf-8", "replace").splitlines()
        first = next((line for line in said if "warning:" not in line), f"status {answer.returncode}")
        # protoc names files from the folder that it was given.
        beside = first.startswith(f"{proto.name}:")
        place = f"{proto.parent / first}" if beside else f"{proto}: protoc says: {first}"
        raise FfibenchError(place.rstrip(". "), fix="correct the schema")
    return answer.stdout


def _is_here(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # its parent is not there either
        return False
