"""What is watched of a worker, and what is counted of it from `go` on; the counts are made up."""

from __future__ import annotations

from mmap import mmap
from pathlib import Path

from msgspec.structs import replace
from support.contestants import planned_case, scripted_plan

from ffibench.audit.counting import CountedLibrary, Counting, FunctionCount, Reading, Snapshot, Watch
from ffibench.audit.loops import CountedLoops, watch
from ffibench.model import Accepted, CalledFunction, Returns


class Scripted(Counting):
    """Counts of one function, at `go` and at each reading."""

    def __init__(self) -> None:
        super().__init__(mmap(-1, 1), Watch(), {})
        self.now = Snapshot(processes=1, libraries=(), troubles=())
        self.taken: tuple[Reading, ...] = ()

    def snapshot(self) -> Snapshot:
        return self.now

    def readings(self) -> tuple[Reading, ...]:
        return self.taken

    def readings_cut(self) -> bool:
        return False

    def have(self, calls: int, wrong: int) -> FunctionCount:
        """Be at so many calls."""
        count = FunctionCount(name="send", calls=calls, sum=None, wrong=wrong)
        library = CountedLibrary(path="/lib/send.so", device=1, inode=1, functions=(count,))
        self.now = replace(self.now, libraries=(library,))
        return count


def test_wrong_results_before_go_are_not_of_a_slice() -> None:
    counts = Scripted()
    loops = CountedLoops(counts, ["send"])
    counts.have(10, 4)
    loops.ready(None)
    before, after = counts.have(12, 5), counts.have(112, 8)
    loops.done()
    clocks = ("processor", "processor", "monotonic", "monotonic", "processor", "processor")
    counts.taken = tuple(
        Reading(clock="processor" if clock == "processor" else "monotonic", counts=(each,))
        for clock, each in zip(clocks, [before] * 3 + [after] * 3, strict=True)
    )
    in_loop, in_all = (CalledFunction(name="send", calls=100 + more, wrong=3 + more // 2) for more in (0, 2))
    assert loops.parts(1) == [((in_loop,), (in_all,))]
    assert loops.counted() == ({"/lib/send.so": ("send",)}, (in_all,))


def test_another_library_with_a_function_of_that_name_is_no_other_library_under_test() -> None:
    """Libc defines `modf` as libm does, and is called for all sorts of things."""
    counts = Scripted()
    loops = CountedLoops(counts, ["modf"])

    def have(modf: int, in_libc: int, printf: int) -> None:
        found = {"/lib/libm.so.6": {"modf": modf}, "/lib/libc.so.6": {"modf": in_libc, "printf": printf}}
        libraries = tuple(
            CountedLibrary(
                path=path,
                device=1,
                inode=number,
                functions=tuple(FunctionCount(name=name, calls=calls, sum=None) for name, calls in functions.items()),
            )
            for number, (path, functions) in enumerate(found.items())
        )
        counts.now = replace(counts.now, libraries=libraries)

    have(0, 0, 3)
    loops.ready(None)
    have(10, 0, 7)
    loops.done()
    assert loops.counted() == ({"/lib/libm.so.6": ("modf",)}, (CalledFunction(name="modf", calls=10),))
    have(10, 4, 7)
    loops.done()
    assert loops.counted()[0] == {"/lib/libm.so.6": ("modf",), "/lib/libc.so.6": ("modf",)}


def test_functions_whose_results_are_asked_for_are_seen_by_slice(tmp_path: Path) -> None:
    closed = Returns(function="close", must_be="0")
    ways = (Accepted(calls={"send": 1}, returns=(closed,)), Accepted(calls={"send_message": 1}, returns=(closed,)))
    plan = replace(scripted_plan(tmp_path, {"c": 27}), cases=(replace(planned_case(), accepts=ways),))
    asked = watch(plan, plan.workers[0], ["open", "send"])
    assert asked.exports == ("send", "send_message", "close", "open")
    assert asked.returns == (closed,)
