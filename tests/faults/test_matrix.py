"""The fault matrix: what a worker does wrong | what the user sees | the exit status | the finished rounds kept.

`python/a` is at fault from its second round of three on. In every row the others are measured to the end, their
figures stand, the run file is whole, and nothing is left behind, for which `nothing_left` answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import pytest
from support.faults import Play

from ffibench.results.compare import compare

HANGS = {"worker_seconds_max": 2.0}
TOO_LONG = "It was still running after 2 s, the time limit of one worker; --timeout SECONDS sets another."
NO_LINE = "It printed a line that does not follow the contract: "
LIE = "It reported sends = 999 in timed slice 1 of send, expected 1,000."
TIME = "It reported an invalid time: "


class Fault(NamedTuple):
    """One row."""

    trouble: str
    sees: str
    status: int = 1
    rounds: int = 3
    changes: Mapping[str, object] = MappingProxyType({})
    """Of the plan."""
    script: Mapping[str, object] = MappingProxyType({})
    """Of the worker, beside its trouble."""


def line(wall_ns: object = 27_000, cpu_ns: object = 27_000) -> str:
    """The line of the first timed slice."""
    times = f'"wall_ns": {wall_ns}, "cpu_ns": {cpu_ns}'
    return rf'say:{{"case": "send", "slice": 0, "kind": "timed", {times}, "receipt": {{"sends": 1000}}}}\n@slice'


WHERE = {"set-up": "start", "warm-up": "warmup", "timed slice": "slice", "empty loop": "empty", "tear-down": "closed"}
MATRIX = {
    **{f"crash in {where}": Fault(f"exit:out of sockets@{point}", "It ended with status 3, saying 'out of sockets'.")
       for where, point in WHERE.items()},
    **{f"SIGKILL in {where}": Fault(f"kill:9@{point}", "It was killed by SIGKILL.") for where, point in WHERE.items()},
    **{f"SIGSEGV in {where}": Fault(f"kill:11@{point}", "It was killed by SIGSEGV.") for where, point in WHERE.items()},
    **{f"hang in {where}": Fault(f"hang@{point}", TOO_LONG, changes=HANGS) for where, point in WHERE.items()},
    "a crash that does not say why": Fault("leave@slice", "It ended with status 0."),
    "garbage": Fault(r"say:segmentation\n@slice", NO_LINE + "'segmentation'."),
    "half a line, and then the next": Fault('say:{"case": "se@slice', NO_LINE),
    "half a line at the end": Fault('say:{"case": "se@closed', "It printed more than the contract allows: "),
    "an endless line": Fault("flood@slice", "It printed a line of more than 65,536 bytes."),
    "binary": Fault(r"say:\x00\x7fELF\xff\n@slice", NO_LINE + r"'\x00\x7fELF"),
    "what a terminal acts on": Fault(r"say:\x1b[2J\x1b]8;;http://x\x07\n@slice", NO_LINE + r"'\x1b[2J\x1b]8;;http://x"),
    "JSON of another shape": Fault(r"say:[1, 2]\n@slice", NO_LINE + "'[1, 2]'."),
    "JSON of a wrong type": Fault(line(wall_ns='"27"'), NO_LINE),
    "not ready, but JSON": Fault(r'say:{"reedy": 1}\n@start', "It did not report ready, but printed "),
    "NaN for a time": Fault(line(wall_ns="NaN"), NO_LINE),
    "infinity for a time": Fault(line(wall_ns="1e999"), NO_LINE),
    "a clock that goes back": Fault(line(wall_ns=-5), TIME + "wall -5 ns, CPU 27,000 ns."),
    "a clock that stands": Fault(line(wall_ns=0), TIME + "wall 0 ns, CPU 27,000 ns."),
    "a processor clock that goes back": Fault(line(cpu_ns=-1), TIME + "wall 27,000 ns, CPU -1 ns."),
    "a lie about the count": Fault("", LIE, script={"receipt": '{"sends": 999}', "receipt_of": "timed:1"}),
    "a checksum that the oracle does not know": Fault(
        "",
        "It reported unexpected fields in send: 'sum'.",
        script={"receipt": '{"sends": 1000, "sum": "f00d"}'},
    ),
    "standard error flooded": Fault("complain:3000000@start", "all 27 slices match", status=0),
    "a child left in its group": Fault(
        "child@slice", "python/a left processes behind, which were ended: 'python", status=0
    ),
    "a child left in a session of its own": Fault(
        "daemon@slice", "python/a left processes behind, which were ended: 'python", status=0
    ),
    "a lie, and a child left in a session of its own": Fault(
        "daemon@slice", LIE, script={"receipt": '{"sends": 999}', "receipt_of": "timed:1"}
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", MATRIX.values(), ids=MATRIX.keys())
def test_a_fault_of_a_worker(fault: Fault, play: Play) -> None:
    seen = play({"trouble": fault.trouble, **fault.script}, **fault.changes)
    assert fault.sees in seen.text
    assert seen.status == fault.status
    assert seen.kept is not None
    assert len(seen.kept.rounds) == fault.rounds
    ratios = {row.contestant: row.ratio for row in compare(seen.kept).rows}
    assert ratios == {
        "c": 1.0,
        "python/a": None if fault.status else pytest.approx(2.5),
        "python/b": pytest.approx(2.0),
    }
