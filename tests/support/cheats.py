"""Contestants that cheat: the experiment xsub with contestants of ctypes, each of which does something else."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from ffibench.paths import asset
from support.command import Cli

# A loop over zmq_send by hand. It reports what was asked for, whatever its loop did.
CHEAT = """
import ctypes
import os
import time

from ffibench.worker.contract import Loops, Work


def contestant(native, options):
    ctypes.CDLL(options["library"])  # so that the memory map shows it
    zmq = ctypes.CDLL({library})
    zmq.zmq_ctx_new.restype = zmq.zmq_socket.restype = ctypes.c_void_p
    zmq.zmq_ctx_term.argtypes = zmq.zmq_close.argtypes = [ctypes.c_void_p]
    zmq.zmq_socket.argtypes = [ctypes.c_void_p, ctypes.c_int]
    zmq.zmq_bind.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    zmq.zmq_send.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int]
    zmq.zmq_recv.argtypes = zmq.zmq_send.argtypes
    send, message = zmq.zmq_send, options["message"].encode()
    size, peers = len(message), int(options["peers"])
    context = zmq.zmq_ctx_new()
    socket = zmq.zmq_socket(context, 9 if peers else 1)  # XPUB, PUB
    zmq.zmq_bind(socket, options["endpoint"].encode())
    for _ in range(peers):
        zmq.zmq_recv(socket, b"?", 1, 0)

    slices = int(options["slices"])
    turn = iter(["warmup"] * int(options["warmup"]) + ["timed"] * slices + ["empty"] * slices)

    def run(iterations):
        kind = next(turn)
        for _ in range({count}):
            {work}
        return {{"sends": iterations, "bytes": iterations * size}}

    def empty(iterations):
        for _ in range({empty}):
            {work}

    yield Work(cases={{"send": Loops(run, empty)}})
    zmq.zmq_close(socket)
    zmq.zmq_ctx_term(context)
"""
HONEST = {
    "library": 'options["library"]',
    "count": "iterations",
    "empty": "0",
    "work": "send(socket, message, size, 0)",
}
SMALL = ("--iterations", "2k", "--rounds", "1", "--slices", "1")
"""Options of a run of 4,000 operations: a warm-up slice and a timed one."""


def write_cheats(folder: Path, cheats: Mapping[str, Mapping[str, str]]) -> Path:
    """Write xsub with its own baseline, and contestants by their names, from what each changes in HONEST."""
    folder.mkdir()
    for name in ("experiment.py", "c.c"):
        shutil.copy(asset("experiments") / "xsub" / name, folder)
    for name, changes in cheats.items():
        text = CHEAT.format(**{**HONEST, **changes})
        (folder / f"{name.replace('-', '_')}.py").write_text(text, encoding="utf-8")
    return folder


def run_cheats(cli: Cli, folder: Path) -> dict[str, dict[str, object]]:
    """Run them all once, of which some are invalid; return the rows by contestant, each with its audit."""
    file = folder.parent / "run.json"
    answer = cli("run", str(folder), *SMALL, "--json", str(file))
    assert answer.returncode == 1, answer.stderr
    run = json.loads(file.read_text(encoding="utf-8"))
    audits = {audit["key"].partition(" ")[0]: audit for audit in run["audits"]}
    return {row["contestant"]: {**row, "audited": audits[row["contestant"]]} for row in run["summary"]}
