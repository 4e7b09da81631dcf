"""The promise: a quota of processor time is found wherever it was set, in either version of control cgroups."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.trees import plant

from ffibench.host import cgroups

V2 = {"proc/self/cgroup": "0::/app/job\n", "sys/fs/cgroup/cgroup.controllers": "cpu\n"}
V1 = {
    "proc/self/cgroup": "4:memory:/x\n1:cpu,cpuacct:/job\n0::/\n",
    "sys/fs/cgroup/cpu/cpu.shares": "1024\n",
    "sys/fs/cgroup/unified/cgroup.controllers": "\n",
}


@pytest.mark.parametrize(
    ("files", "quota"),
    [
        pytest.param({**V2, "sys/fs/cgroup/app/job/cpu.max": "150000 100000\n"}, 1.5, id="its own"),
        pytest.param({**V2, "sys/fs/cgroup/app/job/cpu.max": "max 100000\n"}, None, id="none"),
        pytest.param(
            {
                **V2,
                "sys/fs/cgroup/app/job/cpu.max": "200000 100000\n",
                "sys/fs/cgroup/app/cpu.max": "50000 100000\n",
            },
            0.5,
            id="of a group above, and less",
        ),
        pytest.param({**V2, "sys/fs/cgroup/cpu.max": "100000 100000\n"}, 1.0, id="a container that sees itself as /"),
        pytest.param(
            {
                **V1,
                "sys/fs/cgroup/cpu/job/cpu.cfs_quota_us": "25000\n",
                "sys/fs/cgroup/cpu/job/cpu.cfs_period_us": "100000\n",
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
            },
            0.25,
            id="version 1",
        ),
        pytest.param({**V2, "sys/fs/cgroup/app/job/cpu.max": "damaged\n"}, None, id="damaged"),
        pytest.param({"proc/self/cgroup": "no such line\n"}, None, id="no groups"),
    ],
)
def test_the_smallest_quota(files: dict[str, str], quota: float | None, tmp_path: Path) -> None:
    assert cgroups.quota(plant(tmp_path, files)) == quota


@pytest.mark.parametrize(
    ("files", "throttles"),
    [
        pytest.param({**V2, "sys/fs/cgroup/app/job/cpu.stat": "usage_usec 5\nnr_throttled 3\n"}, 3, id="its own"),
        pytest.param(
            {
                **V2,
                "sys/fs/cgroup/app/job/cpu.stat": "nr_periods 9\nnr_throttled 3\n",
                "sys/fs/cgroup/app/cpu.stat": "nr_throttled 4\n",
            },
            7,
            id="and those above",
        ),
        pytest.param({**V1, "sys/fs/cgroup/cpu/job/cpu.stat": "nr_throttled 2\n"}, 2, id="version 1"),
        pytest.param({**V2, "sys/fs/cgroup/app/job/cpu.stat": "usage_usec 5\n"}, None, id="no cpu controller"),
        pytest.param({}, None, id="no groups"),
    ],
)
def test_how_often_it_was_stopped(files: dict[str, str], throttles: int | None, tmp_path: Path) -> None:
    assert cgroups.throttles(plant(tmp_path, files)) == throttles


def test_the_pressure_is_that_of_the_group_itself(tmp_path: Path) -> None:
    plant(
        tmp_path, {**V2, "sys/fs/cgroup/app/cpu.pressure": "some total=1\n", "sys/fs/cgroup/app/job/cpu.max": "max 1"}
    )
    assert cgroups.pressure_file(tmp_path) is None
    plant(tmp_path, {"sys/fs/cgroup/app/job/cpu.pressure": "some total=1\n"})
    assert cgroups.pressure_file(tmp_path) == tmp_path / "sys/fs/cgroup/app/job/cpu.pressure"
