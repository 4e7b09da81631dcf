"""The promise: the host's noise is told as what counters grew by, and what cannot be read is left out."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.trees import plant

from ffibench.host.sampler import LOOK_SECONDS, Counters, HostWatch, Ticks, difference, look, read_counters
from ffibench.model import HostSample

Write = Callable[..., None]
TICKS = Ticks(busy=1_000, stolen=10, total=5_000)
BEFORE = Counters(
    seconds=100.0,
    suspended_s=7.0,
    pressure_us=1_000_000,
    group_pressure_us=500,
    throttles=3,
    ticks=dict.fromkeys(("cpu", "cpu0", "cpu1"), TICKS),
    own_s=40.0,
)


def grown(busy: int, total: int, stolen: int = 0) -> Ticks:
    return Ticks(busy=TICKS.busy + busy, stolen=TICKS.stolen + stolen, total=TICKS.total + total)


def between(**changes: object) -> HostSample:
    """The noise of the two seconds after BEFORE."""
    after = replace(BEFORE, seconds=102.0, ticks={"cpu": grown(0, 400), "cpu0": grown(0, 200), "cpu1": grown(0, 200)})
    return difference(BEFORE, replace(after, **changes), load1=0.5, siblings=(0,))


class TestDifference:
    def test_nothing_happened(self) -> None:
        assert between() == HostSample(
            load1=0.5,
            pressure=0.0,
            steal=0.0,
            group_pressure=0.0,
            others=0.0,
            sibling=0.0,
            throttles=0,
            suspended_s=0.0,
        )

    def test_shares_of_the_time_that_passed(self) -> None:
        sample = between(pressure_us=1_500_000, group_pressure_us=200_500, suspended_s=9.5, throttles=5)
        assert (sample.pressure, sample.group_pressure) == pytest.approx((0.25, 0.1))
        assert (sample.suspended_s, sample.throttles) == (2.5, 2)

    def test_what_others_used_is_what_we_did_not(self) -> None:
        """Half of two processors' time in two seconds is two seconds; we used a half of one."""
        sample = between(ticks={"cpu": grown(200, 400), "cpu0": grown(150, 200), "cpu1": grown(50, 200)}, own_s=40.5)
        assert sample.others == pytest.approx(1.0 - 0.25)
        assert sample.sibling == pytest.approx(0.75)

    def test_ticks_are_drawn_and_may_fall_short_of_what_we_used(self) -> None:
        sample = between(own_s=41.0)
        assert sample.others == 0.0

    def test_a_stretch_too_short_for_ticks_says_nothing_of_others(self) -> None:
        few = {"cpu": grown(19, 19), "cpu0": grown(9, 9), "cpu1": grown(10, 10)}
        assert between(ticks=few).others is None

    def test_steal_is_a_share_of_all_processors(self) -> None:
        assert between(ticks={"cpu": grown(0, 400, stolen=8)}).steal == pytest.approx(0.02)

    def test_what_is_not_told_is_not_made_up(self) -> None:
        sample = between(pressure_us=None, group_pressure_us=None, suspended_s=None, throttles=None, ticks={})
        assert sample == HostSample(load1=0.5, pressure=None, steal=None)

    def test_a_counter_that_goes_back_is_not_negative_noise(self) -> None:
        """Of stolen time a hypervisor may say less after a virtual machine has moved than before."""
        back = {"cpu": grown(-5, 400, stolen=-9), "cpu0": grown(-5, 200), "cpu1": grown(0, 200)}
        sample = between(ticks=back, pressure_us=0, group_pressure_us=0, throttles=0)
        assert (sample.steal, sample.others, sample.sibling) == (0.0, 0.0, 0.0)
        assert (sample.pressure, sample.group_pressure, sample.throttles) == (0.0, 0.0, 0)

    def test_no_time_has_passed(self) -> None:
        sample = difference(BEFORE, BEFORE, load1=0.0)
        assert (sample.pressure, sample.steal, sample.others) == (0.0, 0.0, None)


class TestReading:
    STAT = "cpu  100 1 50 800 20 3 4 10 5 6\ncpu0 1 2 3 4 5 6 7 8 9 10\nintr 5\n"
    PRESSURE = "some avg10=3.26 avg60=2.74 avg300=1.34 total=7000\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=77\n"

    def test_counters(self, tmp_path: Path) -> None:
        group = {
            "proc/self/cgroup": "0::/job\n",
            "sys/fs/cgroup/cgroup.controllers": "cpu\n",
            "sys/fs/cgroup/job/cpu.pressure": "some avg10=0.00 total=9\n",
            "sys/fs/cgroup/job/cpu.stat": "nr_throttled 2\n",
        }
        found = read_counters(plant(tmp_path, {"proc/stat": self.STAT, "proc/pressure/cpu": self.PRESSURE, **group}))
        assert (found.pressure_us, found.group_pressure_us, found.throttles) == (7000, 9, 2)
        # Guest time, the last two, is in user time already; waiting for a disk is not being busy.
        assert found.ticks["cpu"] == Ticks(busy=158, stolen=10, total=988)
        assert set(found.ticks) == {"cpu", "cpu0"}

    def test_a_system_that_does_not_tell(self, tmp_path: Path) -> None:
        (tmp_path / "proc/stat").mkdir(parents=True)  # a folder
        found = read_counters(tmp_path)
        assert found.pressure_us is found.group_pressure_us is found.throttles is None
        assert found.ticks == {}

    def test_a_kernel_with_one_clock(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delattr("ffibench.host.sampler.time.CLOCK_BOOTTIME")
        assert read_counters(tmp_path).suspended_s is None

    def test_our_own_work_is_counted_as_ours(self) -> None:
        before = read_counters()
        sum(number * number for number in range(300_000))
        assert read_counters().own_s > before.own_s


def test_a_watch_tells_what_grew_since_its_making(tmp_path: Path) -> None:
    pressure = "proc/pressure/cpu"
    watching = HostWatch(root=plant(tmp_path, {pressure: "some total=0\n"}))
    plant(tmp_path, {pressure: "some total=1\n"})
    sample = watching.sample()
    assert sample.pressure is not None
    assert sample.pressure > 0
    assert sample.load1 == os.getloadavg()[0]


def test_a_look_takes_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("ffibench.host.sampler.time.sleep", slept.append)
    assert look().load1 >= 0
    assert slept == [LOOK_SECONDS]
