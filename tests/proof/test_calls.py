"""What the counts of an audit are held against, in numbers made up for it."""

from __future__ import annotations

from msgspec.structs import replace
from support.contestants import contestant, planned_case

from ffibench.model import (
    Accepted,
    CalledFunction,
    CountedSlice,
    PlannedCase,
    PlannedWorker,
    Receipt,
    Returns,
    SliceKind,
)
from ffibench.proof.calls import wrong_callers, wrong_calls, wrong_delivery, wrong_file

OPERATIONS = 2_000
NONE = {"send": 0, "send_message": 0}
DIRECT = Accepted(calls={**NONE, "send": 1}, length=("send", 2), size=5)
BY_MESSAGE = Accepted(calls={**NONE, "make_message": 1, "send_message": 1}, length=("make_message", 1), size=5)
CASE = replace(planned_case(), accepts=(DIRECT, BY_MESSAGE))


def judged(*functions: CalledFunction) -> str | None:
    return wrong_calls(CASE, functions, OPERATIONS)


def called(name: str, calls: int, size: int | None = None) -> CalledFunction:
    return CalledFunction(name=name, calls=calls, bytes=size)


def test_either_way_is_accepted() -> None:
    assert judged(called("send", 2_000, 10_000)) is None
    assert judged(called("make_message", 2_000, 10_000), called("send_message", 2_000)) is None


def test_functions_that_no_way_names_are_not_judged() -> None:
    assert judged(called("send", 2_000, 10_000), called("errno", 7_000)) is None


def test_half_the_calls() -> None:
    assert judged(called("send", 1_000, 5_000)) == "called send 1,000 times in 2,000 operations, expected 2,000"


def test_one_call_too_many() -> None:
    assert judged(called("send", 2_001, 10_005)) == "called send 2,001 times in 2,000 operations, expected 2,000"


def test_a_byte_too_few() -> None:
    said = judged(called("send", 2_000, 8_000))
    assert said == "passed 8,000 bytes to send in 2,000 operations, expected 10,000"


def test_operations_of_different_sizes_are_added_up_slice_by_slice() -> None:
    unequal = replace(CASE, accepts=(replace(DIRECT, size=0, total=4_321),))
    assert 2 * unequal.iterations == OPERATIONS
    assert wrong_calls(unequal, [called("send", 2_000, 8_642)], OPERATIONS) is None
    said = wrong_calls(unequal, [called("send", 2_000, 8_641)], OPERATIONS)
    assert said == "passed 8,641 bytes to send in 2,000 operations, expected 8,642"


def counted(kind: SliceKind, *functions: CalledFunction) -> CountedSlice:
    return CountedSlice(kind=kind, slice=0, functions=functions)


class TestSlices:
    """A warm-up slice and a timed one of 1,000 iterations each, and an empty one."""

    WHOLE = (called("send", 2_000, 10_000),)
    RIGHT = (called("send", 1_000, 5_000),)

    def judged(self, *slices: CountedSlice) -> str | None:
        return wrong_calls(CASE, self.WHOLE, OPERATIONS, slices)

    def test_each_has_its_own(self) -> None:
        assert self.judged(counted("warmup", *self.RIGHT), counted("timed", *self.RIGHT), counted("empty")) is None

    def test_all_of_it_in_the_warm_up(self) -> None:
        said = self.judged(counted("warmup", *self.WHOLE), counted("timed"), counted("empty"))
        assert said == "called send 2,000 times in the loop of warmup slice 0, expected 1,000"

    def test_none_of_it_in_a_timed_one(self) -> None:
        said = self.judged(counted("warmup", *self.RIGHT), counted("timed"), counted("empty", *self.RIGHT))
        assert said == "called send 0 times in the loop of timed slice 0, expected 1,000"

    def test_one_in_the_empty_loop(self) -> None:
        right = counted("timed", *self.RIGHT)
        said = self.judged(right, right, counted("empty", called("send", 1, 5)))
        assert said == "called send 1 times in the loop of empty slice 0, expected 0"

    def test_bytes_of_a_slice(self) -> None:
        short, long = counted("warmup", called("send", 1_000, 4_000)), counted("timed", called("send", 1_000, 6_000))
        said = self.judged(short, long, counted("empty"))
        assert said == "passed 4,000 bytes to send in the loop of warmup slice 0, expected 5,000"

    def test_each_slice_may_be_of_one_way_alone(self) -> None:
        """Two ways in one process are neither of them."""
        message = (called("make_message", 1_000, 5_000), called("send_message", 1_000))
        both = (called("send", 1_000, 5_000), *message)
        said = wrong_calls(CASE, both, OPERATIONS, (counted("warmup", *self.RIGHT), counted("timed", *message)))
        assert said is not None


class TestResults:
    """What calls must return, of a way with each kind."""

    RETURNS = (
        Returns(function="send", must_be="argument", position=2),
        Returns(function="open", must_be="not 0"),
        Returns(function="bind", must_be="0"),
        Returns(function="receive", must_be="not negative"),
    )
    CASE = replace(CASE, accepts=(replace(DIRECT, returns=RETURNS), BY_MESSAGE))
    RIGHT = called("send", 2_000, 10_000)

    def judged(self, *functions: CalledFunction) -> str | None:
        return wrong_calls(self.CASE, functions, OPERATIONS)

    def test_all_right(self) -> None:
        assert self.judged(self.RIGHT) is None
        assert self.judged(self.RIGHT, called("open", 1), called("bind", 2)) is None

    def test_one_wrong(self) -> None:
        said = self.judged(replace(self.RIGHT, wrong=1))
        assert said == "called send 2,000 times, of which 1 did not return the value of argument 2"

    def test_each_kind(self) -> None:
        for name, what in (
            ("open", "returned 0"),
            ("bind", "did not return 0"),
            ("receive", "returned a negative number"),
        ):
            said = self.judged(self.RIGHT, replace(called(name, 3), wrong=2))
            assert said == f"called {name} 3 times, of which 2 {what}"

    def test_a_wrong_count_is_said_first(self) -> None:
        said = self.judged(replace(called("send", 1_999, 9_995), wrong=1_999))
        assert said == "called send 1,999 times in 2,000 operations, expected 2,000"

    def test_a_way_has_to_be_right_in_itself(self) -> None:
        """Of a function that the other way names nobody asks for a result."""
        assert (
            self.judged(called("make_message", 2_000, 10_000), replace(called("send_message", 2_000), wrong=9)) is None
        )


def test_two_operations_in_a_call() -> None:
    said = judged(called("send", 1_000, 10_000))
    assert said == "called send 1,000 times in 2,000 operations, expected 2,000"


def test_none_at_all() -> None:
    never = "never called send or send_message or make_message in 2,000 operations"
    assert judged() == judged(called("errno", 2_000)) == never


def test_both_ways_at_once() -> None:
    said = judged(called("send", 1_000, 5_000), called("send_message", 1_000), called("make_message", 1_000, 5_000))
    assert said == "called send 1,000 times in 2,000 operations, expected 0"


def test_it_is_held_against_the_way_that_it_went() -> None:
    said = judged(called("make_message", 2_000, 10_000), called("send_message", 1_999))
    assert said == "called send_message 1,999 times in 2,000 operations, expected 2,000"


def test_a_length_that_was_not_added_up_is_no_length() -> None:
    said = judged(called("send", 2_000))
    assert said == "passed 0 bytes to send in 2,000 operations, expected 10,000"


def test_a_case_that_accepts_nothing_judges_nothing() -> None:
    assert wrong_calls(planned_case(), [called("send", 3)], OPERATIONS) is None


def test_what_a_peer_got() -> None:
    expected: Receipt = {"messages": 300, "intact": 300}
    assert wrong_delivery({"messages": 300, "intact": 300}, expected) is None
    assert wrong_delivery({"messages": 299, "intact": 299}, expected) == (
        "delivered messages = 299 to a peer, expected 300"
    )
    assert wrong_delivery({"messages": 300, "intact": 0}, expected) == "delivered intact = 0 to a peer, expected 300"
    assert wrong_delivery({}, expected) == "delivered messages = nothing to a peer, expected 300"


class TestCallers:
    """Whose binding lies in /cache/capi, which was compiled there."""

    WORKER = PlannedWorker(
        contestant=contestant("python/capi"), role="worker", command=("python",), binding_folder="/cache/capi"
    )

    def judged(self, callers: dict[str, int], name: str = "send", worker: PlannedWorker = WORKER) -> str | None:
        return wrong_callers(worker, CASE, [CalledFunction(name=name, calls=9, callers=callers)])

    def test_its_own_binding(self) -> None:
        assert self.judged({"/cache/capi/build/capi.so": 9}) is None

    def test_another_file(self) -> None:
        said = self.judged({"/cache/capi/build/capi.so": 8, "/lib/libffi.so": 1})
        assert said == "called send 1 times from '/lib/libffi.so', and not from its binding"
        assert self.judged({"/cache/capi-other/capi.so": 9}) is not None

    def test_code_in_no_file(self) -> None:
        assert self.judged({"": 9}) == "called send 9 times from code in no file, and not from its binding"

    def test_functions_that_no_way_names_may_be_called_by_anybody(self) -> None:
        assert self.judged({"/lib/libffi.so": 9}, "errno") is None

    def test_a_binding_that_is_not_compiled_calls_by_what_it_uses(self) -> None:
        assert self.judged({"/lib/libffi.so": 9}, worker=replace(self.WORKER, binding_folder="")) is None


class TestOtherFiles:
    """Two cases: one calls `send`, the other `open` and not `send`."""

    OPEN = replace(planned_case("open"), accepts=(Accepted(calls={"open": 1, "send": 0}),))

    def judged(self, *names: str, case: PlannedCase = CASE) -> str | None:
        return wrong_file(case, (CASE, self.OPEN), dict.fromkeys(names, "/lib/libc.so.6"))

    def test_a_function_that_the_case_accepts(self) -> None:
        assert self.judged("send") == "called send of another file than the library under test: /lib/libc.so.6"

    def test_a_function_that_only_another_case_accepts(self) -> None:
        assert self.judged("open") is None
        assert self.judged("send", case=self.OPEN) is None

    def test_a_function_that_no_case_accepts(self) -> None:
        """Whose it is cannot be known, so that no case is spared."""
        said = "called bind of another file than the library under test: /lib/libc.so.6"
        assert self.judged("bind") == self.judged("bind", case=self.OPEN) == self.judged("open", "bind") == said

    def test_all_in_the_library_under_test(self) -> None:
        assert self.judged() is None
