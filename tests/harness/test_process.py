"""The promise: nothing that a worker says floods or litters the harness, and its end is told exactly."""

from __future__ import annotations

import os
from itertools import repeat
from pathlib import Path

import pytest
from support.processes import CLEAN, SECONDS_MAX, failure_of, python, run_code

from ffibench.harness import process
from ffibench.harness.process import LINE_BYTES_MAX, WorkerError, start

pytestmark = pytest.mark.usefixtures("each_way_to_learn_of_an_end")


def test_a_worker_that_keeps_to_the_contract_is_accounted_for() -> None:
    usage = run_code(CLEAN)
    assert usage.real_s > 0
    assert usage.user_s + usage.system_s > 0
    assert usage.voluntary_switches > 0


def test_lines_come_one_by_one_however_they_are_written() -> None:
    code = (
        "import os, time\n"
        "for piece in (b'one\\ntwo\\nth', b'ree\\n\\nfi', b've\\n'): os.write(1, piece); time.sleep(.05)"
    )
    with start(python(code), cpu=None, seconds_max=SECONDS_MAX) as worker:
        assert [worker.line() for _ in range(5)] == [b"one", b"two", b"three", b"", b"five"]
        with pytest.raises(WorkerError, match=r"^ended with status 0$"):
            worker.line()


def test_a_command_that_is_not_there_is_named() -> None:
    with (
        pytest.raises(WorkerError, match=r"^could not be started: No such file or directory: '/no/such/python'$"),
        start(["/no/such/python"], cpu=None, seconds_max=SECONDS_MAX),
    ):
        pass


def test_a_command_that_may_not_run_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(WorkerError, match=r"^could not be started: Permission denied: "),
        start([str(tmp_path)], cpu=None, seconds_max=SECONDS_MAX),
    ):
        pass


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        pytest.param(
            "import sys; print('ready', flush=True); sys.exit('a b\\nthe queue is full')",
            "ended with status 1, saying 'the queue is full'",
            id="status",
        ),
        pytest.param(
            "print('ready'); print('half a li', end='')",
            "printed more than the contract allows: 'half a li'",
            id="half a line",
        ),
        pytest.param(
            "import os; print('ready', flush=True); os.kill(os.getpid(), 9)", "was killed by SIGKILL", id="SIGKILL"
        ),
        pytest.param(
            "import os; print('ready', flush=True); os.kill(os.getpid(), 11)", "was killed by SIGSEGV", id="SIGSEGV"
        ),
        pytest.param(
            "import os; print('ready', flush=True); os.kill(os.getpid(), 40)",
            "was killed by signal 40",
            id="a signal without a name",
        ),
        pytest.param(
            "import os; print('ready', flush=True); os.write(2, b'\\x1b[31mred\\x07\\xff'); os._exit(3)",
            "ended with status 3, saying '\\x1b[31mred\\x07\N{REPLACEMENT CHARACTER}'",
            id="words that would act on a terminal",
        ),
        pytest.param(
            "import sys; print('ready', flush=True); sys.exit('x' * 5000)",
            f"ended with status 1, saying '{'x' * 160}'...",
            id="many words",
        ),
        pytest.param(CLEAN + "; print('and more')", "printed more than the contract allows: 'and more\\n'", id="more"),
    ],
)
def test_how_it_ended_is_told(code: str, sentence: str) -> None:
    assert failure_of(code) == sentence


def test_a_line_without_end_is_cut_off() -> None:
    code = "import os\nwhile True: os.write(1, b'x' * 100_000)"
    with (
        start(python(code), cpu=None, seconds_max=SECONDS_MAX) as worker,
        pytest.raises(WorkerError, match=f"^printed a line of more than {LINE_BYTES_MAX:,} bytes$"),
    ):
        worker.line()


def test_output_without_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "OUTPUT_BYTES_MAX", 1 << 20)
    code = "import os\nwhile True: os.write(1, b'x\\n' * 1000)"
    with (
        start(python(code), cpu=None, seconds_max=SECONDS_MAX) as worker,
        pytest.raises(WorkerError, match=r"^printed more than 1,048,576 bytes$"),
    ):
        sum(worker.line() == b"x" for _ in repeat(None))


def test_a_flood_after_the_last_line_is_not_taken_in() -> None:
    said = failure_of("import os; print('ready', flush=True)\nwhile True: os.write(1, b'x' * 100_000)")
    assert said == f"printed more than the contract allows: '{'x' * 160}'..."


def test_a_flood_of_errors_stops_nobody() -> None:
    run_code("import os; os.write(2, b'x' * 3_000_000); " + CLEAN)


def test_of_a_flood_of_errors_the_last_words_are_kept() -> None:
    code = "import os, sys; os.write(2, b'x' * 3_000_000); print('ready', flush=True); sys.exit('\\nthat was all')"
    assert failure_of(code) == "ended with status 1, saying 'that was all'"


def test_a_worker_that_is_gone_before_go_is_told_by_its_end() -> None:
    with start(
        python("import os; os.close(0); print('ready', flush=True); os._exit(4)"), cpu=None, seconds_max=SECONDS_MAX
    ) as worker:
        worker.line()
        os.waitid(os.P_PID, worker.pid, os.WEXITED | os.WNOWAIT)
        worker.go()
        with pytest.raises(WorkerError, match=r"^ended with status 4$"):
            worker.line()


class TestUsage:
    def test_peak_memory_is_that_of_the_worker(self) -> None:
        small = run_code(CLEAN).peak_rss_bytes
        large = run_code(f"kept = b'x' * 50_000_000; {CLEAN}").peak_rss_bytes
        assert 1_000_000 < small < 40_000_000
        assert 50_000_000 < large < small + 80_000_000

    def test_peak_memory_is_not_that_of_the_harness(self) -> None:
        """`getrusage` would say so: a child begins with the peak of the process that started it."""
        ballast = b"x" * 150_000_000
        assert run_code(CLEAN).peak_rss_bytes < len(ballast)

    def test_processor_time_is_that_of_the_worker(self) -> None:
        idle = run_code(CLEAN)
        busy = run_code(f"sum(n * n for n in range(3_000_000)); {CLEAN}")
        assert busy.user_s > idle.user_s
        assert busy.real_s > 0


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system pins no process")
class TestPinning:
    CODE = "import os; print(sorted(os.sched_getaffinity(0)), flush=True); import sys; sys.stdin.read()"

    def test_a_worker_runs_on_the_one_processor(self) -> None:
        for cpu in sorted(os.sched_getaffinity(0)):
            with start(python(self.CODE), cpu=cpu, seconds_max=SECONDS_MAX) as worker:
                assert worker.line() == f"[{cpu}]".encode()
                worker.finish()

    def test_a_worker_that_is_not_pinned_runs_on_all(self) -> None:
        with start(python(self.CODE), cpu=None, seconds_max=SECONDS_MAX) as worker:
            assert worker.line() == str(sorted(os.sched_getaffinity(0))).encode()
            worker.finish()

    def test_a_processor_that_is_not_there_is_told(self) -> None:
        with (
            pytest.raises(WorkerError, match=r"^could not be started: Invalid argument"),
            start(python(self.CODE), cpu=1023, seconds_max=SECONDS_MAX),
        ):
            pass
