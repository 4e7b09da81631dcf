"""The promise: every round draws its order from the seed, and each worker has an endpoint to itself."""

from __future__ import annotations

import math
import os
import tempfile
from collections import Counter
from itertools import pairwise, permutations
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.contestants import contestant, plan_of, planned_case, scripted_plan, starts
from support.runs import HOST

from ffibench.errors import FfibenchError
from ffibench.harness.rounds import IPC_PATH_BYTES_MAX, endpoints, order, run_round
from ffibench.host.sampler import HostWatch
from ffibench.model import HostSample, Plan, PlannedWorker
from ffibench.noise.disturbances import round_disturbances

NAMES = ("c", "control", "python/a", "python/b")
UNPINNED = replace(HOST, pinned_to=None)


def planned(*names: str, **changes: object) -> Plan:
    workers = [PlannedWorker(contestant=contestant(name), role="worker", command=("work", name)) for name in names]
    return plan_of(*workers, **changes)


def names(plan: Plan, number: int) -> tuple[str, ...]:
    return tuple(team[0].contestant.name for team in order(plan, number))


class TestOrder:
    def test_each_round_is_a_permutation(self) -> None:
        plan = planned(*NAMES)
        assert all(sorted(names(plan, number)) == sorted(NAMES) for number in range(1, 100))

    def test_it_follows_from_the_seed(self) -> None:
        """On every machine and every Python: a run can be told again to the letter."""
        assert [names(planned("c", "control", "python/a"), number) for number in (1, 2, 3)] == [
            ("c", "control", "python/a"),
            ("control", "c", "python/a"),
            ("control", "python/a", "c"),
        ]

    def test_another_seed_is_another_order(self) -> None:
        rounds = range(1, 50)
        first, second = planned(*NAMES, seed=1), planned(*NAMES, seed=2)
        assert [names(first, number) for number in rounds] != [names(second, number) for number in rounds]

    def test_no_order_is_likelier_than_another(self) -> None:
        """Chi-squared over the 24 permutations; its 99.9 % quantile at 23 degrees of freedom is 49.7."""
        plan, rounds = planned(*NAMES), 24 * 200
        seen = Counter(names(plan, number) for number in range(1, rounds + 1))
        assert set(seen) == set(permutations(NAMES))
        assert sum((count - 200) ** 2 / 200 for count in seen.values()) < 49.7

    def test_the_workers_at_one_point_of_a_sweep_follow_each_other(self) -> None:
        """Each point in the middle of a round once, and each contestant at the beginning of its point."""
        points = {
            f"send n={value}": replace(planned_case(f"send n={value}"), point={"n": value}) for value in (1, 2, 4)
        }
        workers = [replace(each, cases=(case,), label=case) for case in points for each in planned(*NAMES).workers]
        plan = replace(planned(), workers=tuple(workers), cases=tuple(points.values()))
        middles, firsts = set(), set()
        for number in range(1, 60):
            teams = [(team[0].label, team[0].contestant.name) for team in order(plan, number)]
            blocks = [teams[:4], teams[4:8], teams[8:]]
            assert [len({label for label, _ in block}) for block in blocks] == [1, 1, 1]
            assert [sorted(name for _, name in block) for block in blocks] == [sorted(NAMES)] * 3
            middles.add(blocks[1][0][0])
            firsts.add(blocks[1][0][1])
        assert middles == set(points)
        assert firsts == set(NAMES)

    @pytest.mark.parametrize("every", [1, 2, 3])
    def test_the_baseline_stands_beside_every_so_many_others(self, every: int) -> None:
        plan = planned(*NAMES, "python/c", "python/d", baseline_every=every)
        count = -(-5 // every)
        assert plan.repeated == ({"c [gcc 12.2.0]": count} if count > 1 else {})
        orders = {names(plan, number) for number in range(1, 2_000)}
        assert len(orders) == math.factorial(5)
        for found in orders:
            baselines = [place for place, name in enumerate(found) if name == "c"]
            assert len(baselines) == count
            assert sorted(set(found)) == sorted([*NAMES, "python/c", "python/d"])
            assert all(min(abs(place - each) for each in baselines) <= (every + 1) // 2 for place in range(len(found)))

    def test_a_baseline_beside_few_others_runs_once(self) -> None:
        plan = planned("c", "control", baseline_every=2)
        assert plan.repeated == {}
        assert sorted(names(plan, 1)) == ["c", "control"]

    def test_no_contestant_follows_another_more_often(self) -> None:
        """What ran before leaves its traces in caches and clocks; at 12 pairs, 11 degrees of freedom, 31.3."""
        plan, rounds = planned(*NAMES), 2400
        pairs: Counter[tuple[str, str]] = Counter()
        for number in range(1, rounds + 1):
            row = names(plan, number)
            pairs.update(pairwise(row))
        expected = rounds * 3 / 12
        assert sum((count - expected) ** 2 / expected for count in pairs.values()) < 31.3
        assert len(pairs) == 12


class TestEndpoints:
    PLAN = planned(*NAMES, transport="ipc")

    def test_each_worker_has_its_own_in_a_private_folder(self) -> None:
        with endpoints(self.PLAN) as addresses:
            paths = [Path(str(address).removeprefix("ipc://")) for address in addresses]
            assert len(set(paths)) == len(NAMES)
            (folder,) = {path.parent for path in paths}
            assert folder.stat().st_mode & 0o777 == 0o700
            assert folder.stat().st_uid == os.getuid()
            assert not any(path.exists() for path in paths)
        assert not folder.exists()

    def test_an_experiment_without_transport_needs_none(self) -> None:
        with endpoints(planned(*NAMES)) as addresses:
            assert list(addresses) == [None] * len(NAMES)
            assert list(Path(tempfile.gettempdir()).iterdir()) == []

    def test_sockets_left_in_the_folder_go_with_it(self) -> None:
        with endpoints(self.PLAN) as addresses:
            Path(str(addresses[0]).removeprefix("ipc://")).touch()

    def test_an_exception_removes_it_too(self) -> None:
        with pytest.raises(KeyboardInterrupt), endpoints(self.PLAN):
            raise KeyboardInterrupt  # and `nothing_left` looks

    @pytest.mark.parametrize("more", [0, 1])
    def test_a_path_too_long_for_a_socket(self, more: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """To the byte: a name of `ffibench-` and eight characters, and a file `3.ipc`, go into the folder."""
        home = Path(tempfile.gettempdir())
        rest = IPC_PATH_BYTES_MAX - len(os.fsencode(home)) - len("//ffibench-12345678/3.ipc")
        long = home / ("x" * (rest + more))
        long.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(long))
        if more:
            with pytest.raises(FfibenchError, match=r"more than 10\d bytes; set TMPDIR=/tmp"), endpoints(self.PLAN):
                pass
        else:
            with endpoints(self.PLAN) as addresses:
                assert (
                    max(len(os.fsencode(str(each).removeprefix("ipc://"))) for each in addresses) == IPC_PATH_BYTES_MAX
                )
        assert list(long.iterdir()) == []
        long.rmdir()

    def test_no_place_for_a_folder(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tempfile, "tempdir", "/no/such/folder")
        with (
            pytest.raises(
                FfibenchError, match="cannot make a temporary folder: No such file or directory; set TMPDIR="
            ),
            endpoints(self.PLAN),
        ):
            pass

    def test_a_folder_that_cannot_be_removed_spoils_no_run(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Somebody who left the worker's group may still be writing to it when all rounds are done."""

        def refuse(path: str, *, dir_fd: int | None = None) -> None:
            raise OSError(39, "Directory not empty")

        with monkeypatch.context() as patch, endpoints(self.PLAN) as addresses:
            folder = Path(str(addresses[0]).removeprefix("ipc://")).parent
            patch.setattr(os, "rmdir", refuse)
        folder.rmdir()


class TestRound:
    def test_every_contestant_runs_once_in_the_drawn_order(self, folder: Path) -> None:
        plan = scripted_plan(folder, dict.fromkeys(NAMES, 27))
        result = run_round(plan, 2, frozenset(), [None] * 4, UNPINNED)
        assert result.number == 2
        assert [record.key for record in result.records] == [worker.key for (worker,) in order(plan, 2)]
        assert all(record.failure is None for record in result.records)
        assert result.seconds > 0
        assert len(starts(folder)) == 4

    def test_contestants_that_failed_before_are_left_out(self, folder: Path) -> None:
        plan = scripted_plan(folder, dict.fromkeys(NAMES, 27))
        result = run_round(plan, 1, frozenset({"python/a [CPython 3.11.7]"}), [None] * 4, UNPINNED)
        assert sorted(record.key.partition(" ")[0] for record in result.records) == ["c", "control", "python/b"]

    def test_each_contestant_gets_its_own_endpoint_whatever_the_order(self, folder: Path) -> None:
        plan = scripted_plan(folder, dict.fromkeys(NAMES, 27))
        code = "import sys; sys.exit([a for a in sys.argv if a.startswith('endpoint=')][0])"
        workers = [replace(each, command=(each.command[0], "-I", "-S", "-c", code)) for each in plan.workers[1:]]
        plan = replace(plan, workers=(plan.workers[0], *workers))
        addresses = [f"ipc:///{name}" for name in NAMES]
        for number in (1, 2, 3):
            result = run_round(plan, number, frozenset(), addresses, UNPINNED)
            said = {record.key.partition(" ")[0]: record.failure for record in result.records}
            assert said == {
                "c": None,
                **{name: f"ended with status 1, saying 'endpoint=ipc:///{name}'" for name in NAMES[1:]},
            }

    def test_a_failure_of_the_baseline_ends_the_round(self, folder: Path) -> None:
        plan = scripted_plan(folder, {"c": {"trouble": "exit:words@slice"}, "control": 27, "python/a": 27})
        number = next(number for number in range(1, 99) if names(plan, number)[1] == "c")
        result = run_round(plan, number, frozenset(), [None] * 3, UNPINNED)
        assert [record.failure for record in result.records] == [None, "ended with status 3, saying 'words'"]

    def test_a_failure_of_the_control_does_not(self, folder: Path) -> None:
        plan = scripted_plan(folder, {"c": 27, "control": {"trouble": "exit:words@slice"}, "python/a": 27})
        assert len(run_round(plan, 1, frozenset(), [None] * 3, UNPINNED).records) == 3

    def test_a_round_runs_on_the_one_processor(self, folder: Path) -> None:
        plan = scripted_plan(folder, {"c": 27, "control": 27})
        cpu = max(os.sched_getaffinity(0))
        result = run_round(plan, 1, frozenset(), [None] * 2, replace(HOST, pinned_to=cpu))
        assert [record.versions["cpus"] for record in result.records] == [str(cpu)] * 2

    def test_a_disturbed_round_holds_what_tells_by_what(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        noisy = HostSample(load1=0.1, pressure=0.5, steal=0.0, suspended_s=3.0)
        monkeypatch.setattr(HostWatch, "sample", lambda self: noisy)
        plan = scripted_plan(folder, {"c": 27, "control": {"busy": 0.5}}, pinned=True)
        result = run_round(plan, 1, frozenset(), [None] * 2, UNPINNED)
        assert result.host == noisy
        causes = round_disturbances(result.host, result.records, plan, UNPINNED)
        assert [cause for cause in causes if cause != "switches"] == ["pressure", "suspended", "waits"]

    def test_a_round_knows_the_conditions_of_its_workers(self, folder: Path) -> None:
        cpu = max(os.sched_getaffinity(0))
        plan = scripted_plan(folder, {"c": 27, "control": 27})
        for record in run_round(plan, 1, frozenset(), [None] * 2, replace(HOST, pinned_to=cpu)).records:
            assert record.conditions is not None
            assert record.conditions.processors == str(cpu)
            assert record.conditions.switches is not None
            assert record.conditions.switches >= 0
