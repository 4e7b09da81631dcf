"""The promise: what a run's host was like is told from the run file alone, noise apart from how it is set."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from support.runs import HOST, QUIET, changed, run_of

from ffibench.model import Conditions, HostSample, InterpreterBuild, Run, RunWarning
from ffibench.noise.descriptions import host_words, named, noise_words
from ffibench.noise.disturbances import CAUSES
from ffibench.noise.warnings import NOISE, disturbance_counts, gravest_noise, host_warnings, sample_warnings

ROUNDS = 12
RUN = run_of({"c": [20.0] * ROUNDS, "control": [20.0] * ROUNDS, "python/a": [50.0] * ROUNDS})


def noisy(rounds: int, **sample: float) -> Run:
    """The run with so many rounds disturbed."""
    loud: HostSample = replace(QUIET, **sample)
    return replace(
        RUN, rounds=tuple(replace(each, host=loud) if each.number <= rounds else each for each in RUN.rounds)
    )


def met(name: str, **conditions: object) -> Run:
    """The run in one round of which a contestant had such conditions."""
    return changed(RUN, name, lambda record: replace(record, conditions=replace(Conditions(), **conditions)), [2])


@pytest.mark.parametrize(
    ("sample", "code"),
    [
        ({"others": 1.9}, "load"),
        ({"pressure": 0.5}, "pressure"),
        ({"steal": 0.5}, "steal"),
        ({"throttles": 3}, "throttled"),
        ({"sibling": 0.5}, "sibling"),
    ],
)
def test_a_median_bears_a_minority_of_disturbed_rounds(sample: dict[str, float], code: str) -> None:
    (warning,) = host_warnings(noisy(7, **sample))
    assert warning.code == code
    assert warning.text.endswith(" in 7 of 12 rounds.")
    assert list(host_warnings(noisy(6, **sample))) == []


def test_one_suspension_is_worth_a_word() -> None:
    (warning,) = host_warnings(noisy(1, suspended_s=60.0))
    assert warning.text == "The machine was suspended in 1 of 12 rounds."


def test_who_shares_a_processor_is_switched_which_needs_no_words_of_its_own() -> None:
    def switch(run: Run) -> Run:
        return changed(run, "python/a", lambda record: replace(record, conditions=Conditions(switches=10**6)))

    assert [warning.code for warning in host_warnings(switch(RUN))] == ["switches"]
    assert [warning.code for warning in host_warnings(switch(noisy(12, pressure=0.5)))] == ["pressure"]


def test_causes_are_counted_a_round_each() -> None:
    assert disturbance_counts(noisy(3, steal=0.5, pressure=0.5)) == {"steal": 3, "pressure": 3}


def test_an_interpreter_of_the_plan_is_judged() -> None:
    build = InterpreterBuild(name="CPython 3.11.7", pgo=False)
    run = replace(RUN, plan=replace(RUN.plan, interpreters=(build,)))
    assert [warning.code for warning in host_warnings(run)] == ["build"]


def test_a_host_that_was_badly_set_at_the_end_is_told() -> None:
    after = replace(HOST, clock_source="hpet")
    assert [warning.code for warning in host_warnings(replace(RUN, after=after))] == ["clock"]


class TestWorkers:
    def test_conditions_as_they_should_be(self) -> None:
        assert list(host_warnings(met("python/a", switches=0, processors="1"))) == []
        assert list(host_warnings(met("python/a"))) == []

    def test_a_tracer(self) -> None:
        (warning,) = host_warnings(met("python/a", tracer="gdb"))
        assert warning.text == "gdb traced workers while they were measured: python/a."

    def test_a_tracer_of_all_is_told_once(self) -> None:
        run = met("c", tracer="strace")
        (warning,) = host_warnings(replace(run, host=replace(HOST, tracer="strace")))
        assert warning.text.startswith("strace traced workers")

    def test_instruments(self) -> None:
        (warning,) = host_warnings(met("c", instruments=("AddressSanitizer", "Valgrind")))
        assert warning.text == "Workers were measured with AddressSanitizer and Valgrind in them: c."

    def test_a_worker_that_left_its_processor(self) -> None:
        run = met("python/a", processors="0-1")
        (warning,) = host_warnings(run)
        assert warning.code == "unpinned"
        assert warning.text.endswith("processor 1, which they were pinned to: python/a.")
        assert list(host_warnings(replace(run, plan=replace(run.plan, pinned=False)))) == []

    def test_a_system_that_cannot_pin_has_a_warning_of_its_own(self) -> None:
        run = met("python/a", processors="0-1")
        assert list(host_warnings(replace(run, host=replace(HOST, pinned_to=None)))) == []


class TestNoise:
    def test_every_cause_is_noise(self) -> None:
        assert set(CAUSES) <= NOISE
        assert all(cause.fix.endswith(".") and not cause.text.endswith(".") for cause in CAUSES.values())

    def test_the_gravest_noise_is_found_among_other_warnings(self) -> None:
        governor, steal = (RunWarning(code=code, text="T.", fix="A.") for code in ("governor", "steal"))
        assert gravest_noise([governor, steal]) == steal
        assert gravest_noise([governor]) is None
        assert gravest_noise([]) is None

    def test_slices_that_waited_are_noise_too(self) -> None:
        waits = RunWarning(code="disturbed", text="T.", fix="A.")
        assert gravest_noise([waits]) == waits

    def test_a_single_sample_is_judged_as_a_round_is(self) -> None:
        found = list(sample_warnings(replace(QUIET, steal=0.5), HOST, "just now"))
        assert [warning.text for warning in found] == ["The hypervisor took processor time away just now."]
        assert list(sample_warnings(QUIET, HOST, "just now")) == []

    def test_who_makes_the_noise_is_named(self) -> None:
        sample = replace(QUIET, pressure=0.5, steal=0.5, busiest=("make", "postgres of postgres"))
        assert [warning.text for warning in sample_warnings(sample, HOST, "just now")] == [
            "Other programs waited for a processor just now, most of all make and postgres of postgres.",
            "The hypervisor took processor time away just now.",
        ]


class TestWords:
    @pytest.mark.parametrize(
        ("count", "text"), [(1, "a"), (2, "a and b"), (3, "a, b and c"), (4, "a, b, c and 1 more")]
    )
    def test_names(self, count: int, text: str) -> None:
        assert named("abcd"[:count]) == text

    def test_a_host_says_what_it_knows(self) -> None:
        assert host_words(replace(HOST, governor=None)) == []
        told = replace(
            HOST, virtualisation="QEMU", turbo=False, clock_source="tsc", quota=1.5, numa_nodes=2, on_battery=True
        )
        assert host_words(replace(told, power_profile="balanced")) == [
            *("under QEMU", "governor performance", "turbo off", "clock tsc", "a quota of 1.5 processors"),
            *("2 NUMA nodes", "power profile balanced", "on battery"),
        ]

    def test_noise_from_the_least_to_the_most(self) -> None:
        loud = replace(QUIET, load1=1.0, pressure=0.5, others=0.5, sibling=0.25)
        assert noise_words([QUIET, loud]) == [
            *("load 0.1 to 1.0", "pressure 0.0 % to 50.0 %", "steal 0.0 %", "other processes: 0.5 CPU"),
            "sibling busy 25.0 %",
        ]
        assert noise_words([]) == []

    def test_what_reads_the_same_is_said_once(self) -> None:
        loads = [replace(QUIET, load1=load) for load in (0.41, 0.44)]
        assert noise_words(loads)[0] == "load 0.4"

    def test_the_pressure_is_that_which_the_workers_felt(self) -> None:
        assert "pressure 50.0 %" in noise_words([replace(QUIET, pressure=0.0, group_pressure=0.5)])
