"""What the audit finds out: contestants that cheat, each in its own way, through the real command and real libzmq."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.cheats import SMALL, run_cheats, write_cheats
from support.command import Cli, assert_told
from support.contestants import scripted_plan

from ffibench.audit.contestants import audit_plan
from ffibench.builds.library import find_library
from ffibench.catalog import find_experiment
from ffibench.model import Audit, Case, Experiment, LibraryFile, Plan

CHEATS: dict[str, tuple[dict[str, str], str | None]] = {
    "honest": ({}, None),
    "half": (
        {"count": "iterations // 2"},
        "It called zmq_send 2,000 times in 4,000 operations, expected 4,000.",
    ),
    "short": (
        {"work": "send(socket, message, size - 1, 0)"},
        "It passed 16,000 bytes to zmq_send in 4,000 operations, expected 20,000.",
    ),
    "batched": (
        {"count": "iterations // 2", "work": "send(socket, message * 2, size * 2, 0)"},
        "It called zmq_send 2,000 times in 4,000 operations, expected 4,000.",
    ),
    "reimplemented": (
        {"work": "len(message)"},
        "It never called zmq_send or zmq_msg_send or zmq_msg_init_size or zmq_sendmsg or zmq_msg_init_data in 4,000",
    ),
    "elsewhere": (
        {"library": '"COPY"'},
        "It called zmq_send of another file than the library under test: COPY.",
    ),
    "other-bytes": (
        {"work": 'send(socket, b"x" * size, size, 0)'},
        "It delivered intact = 0 to a peer, expected 300.",
    ),
    "in-warm-up": (
        {"count": "iterations * 2 * (kind == 'warmup')"},
        "It called zmq_send 4,000 times in the loop of warmup slice 0, expected 2,000.",
    ),
    "more-in-warm-up": (
        {"count": "iterations + (500 if kind == 'warmup' else -500)"},
        "It called zmq_send 2,500 times in the loop of warmup slice 0, expected 2,000.",
    ),
    "in-empty-loop": (
        {"count": "iterations // 2", "empty": "iterations"},
        "It called zmq_send 1,000 times in the loop of warmup slice 0, expected 2,000.",
    ),
    "one-in-empty-loop": (
        {"count": "iterations - (kind == 'timed')", "empty": "1"},
        "It called zmq_send 1,999 times in the loop of timed slice 0, expected 2,000.",
    ),
    "other-clock": (
        {"count": "time.process_time_ns() and iterations"},
        "It read the processor's clock 14 times in 3 slices, expected 12.",
    ),
    "counts-itself": (
        {"count": "iterations // 2 + open(os.environ.get('FFIBENCH_COUNT', os.devnull), 'rb+').fileno() * 0"},
        "It ended with status 1, saying \"FileNotFoundError: [Errno 2] No such file or directory: 'fd:",
    ),
    "silent": (
        {"count": "0 if peers else iterations"},
        "It delivered messages = 0 to a peer, expected 300.",
    ),
}
KNOWING = {
    "knows": {"count": "iterations if peers or 'LD_AUDIT' in os.environ else 0"},
    "knows-half": {"count": "iterations if peers or 'LD_AUDIT' in os.environ else iterations // 10"},
}
"""Those that do their work where it is counted, and there alone."""


@pytest.fixture(scope="module")
def cheats(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The experiment xsub with its own baseline, and contestants that cheat."""
    folder = tmp_path_factory.mktemp("cheats") / "cheats"
    changes = {**{name: changes for name, (changes, _) in CHEATS.items()}, **KNOWING}
    another = str(copy(folder))
    return write_cheats(
        folder,
        {name: {what: text.replace("COPY", another) for what, text in each.items()} for name, each in changes.items()},
    )


def copy(folder: Path) -> Path:
    """Another libzmq, under a name that does not tell: by its sha256 it is not the one under test."""
    path = folder.parent / "another.so"
    if not path.exists():
        xsub = find_experiment("xsub")
        library = Path(find_library(xsub.experiment, xsub.path, None).path)
        path.write_bytes(library.read_bytes() + b"another")  # which the loader does not look at
    return path


@pytest.fixture(scope="module")
def found(cli: Cli, cheats: Path) -> dict[str, dict[str, object]]:
    """The rows of one small run, by contestant, each with its audit."""
    return run_cheats(cli, cheats)


@pytest.mark.parametrize("name", CHEATS)
def test_it_bites(found: dict[str, dict[str, object]], cheats: Path, name: str) -> None:
    row, reason = found[f"python/{name}"], CHEATS[name][1]
    if reason is None:
        assert row["valid"]
        assert (row["audit"], row["native_calls"]) == ("accepted", 1.0)
    else:
        assert not row["valid"]
        assert row["audit"] == "invalid"
        assert row["rounds"] == 0, "what fails the audit is not timed"
        assert reason.replace("COPY", str(copy(cheats))) in str(row["reason"])


def test_who_knows_that_it_is_counted_is_too_slow_there(cli: Cli, cheats: Path) -> None:
    """Six rounds: with fewer nobody knows how far processes are apart."""
    file = cheats.parent / "knowing.json"
    names = ("-c", "python/knows*", "-c", "python/honest")
    answer = cli("run", str(cheats), "--iterations", "5k", "--rounds", "6", *names, "--json", str(file))
    assert answer.returncode == 1, answer.stderr
    rows = {row["contestant"]: row for row in json.loads(file.read_text(encoding="utf-8"))["summary"]}
    assert rows["python/honest"]["valid"]
    for name in KNOWING:
        row = rows[f"python/{name}"]
        assert (row["valid"], row["audit"], row["rounds"]) == (False, "accepted", 6)
        assert " of processor time a slice while its calls were counted, expected " in str(row["reason"])


def test_a_binding_that_is_not_the_one_that_is_named(cli: Cli, cheats: Path, tmp_path: Path) -> None:
    """The file that drives every generated binding goes by ctypes, whatever binding it is given."""
    for name in ("experiment.py", "c.c"):
        shutil.copy(cheats / name, tmp_path)
    (tmp_path / "python.py").write_text((cheats / "honest.py").read_text(encoding="utf-8"), encoding="utf-8")
    answer = cli("audit", str(tmp_path), "-c", "python/capi", "-c", "python/ctypes", "--json", "-")
    assert answer.returncode == 1, answer.stderr
    audits = {audit["key"].partition(" ")[0]: audit for audit in json.loads(answer.stdout)}
    assert audits["python/ctypes"]["verdict"] == audits["c"]["verdict"] == "accepted"
    reason = audits["python/capi"]["reason"]
    assert reason.startswith("called zmq_send 200,000 times from '/")
    assert reason.endswith("', and not from its binding")
    assert "libffi" in reason


def test_the_honest_are_counted_exactly(found: dict[str, dict[str, object]]) -> None:
    for name in ("c", "control", "python/honest"):
        audit = found[name]["audited"]
        assert isinstance(audit, dict)
        assert audit.pop("cpu_ns") > 0
        (caller,) = audit["functions"][0].pop("callers")
        assert ("libffi" if name == "python/honest" else "zmq_c") in Path(caller).name
        for each in audit["slices"]:  # whether nothing is left out depends on the interpreter
            each.setdefault("functions", [])
        assert audit == {
            "key": f"{name} [{found[name]['interpreter']}]",
            "case": "send",
            "operations": 4_000,
            "functions": [{"name": "zmq_send", "calls": 4_000, "bytes": 20_000}],
            "slices": [
                {"kind": "warmup", "slice": 0, "functions": [{"name": "zmq_send", "calls": 2_000, "bytes": 10_000}]},
                {"kind": "timed", "slice": 0, "functions": [{"name": "zmq_send", "calls": 2_000, "bytes": 10_000}]},
                {"kind": "empty", "slice": 0, "functions": []},
            ],
            "delivered": {"messages": 300, "intact": 300},
            "expected": {"messages": 300, "intact": 300},
            "verdict": "accepted",
        }


def test_a_baseline_whose_compiler_deleted_the_loop(cli: Cli, cheats: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(cheats, tmp_path / "deleted")
    source = folder / "c.c"
    text = source.read_text(encoding="utf-8")
    # As link-time optimisation would: the compiler sees that the result is the size, and the loop does nothing.
    source.write_text(text.replace("if (zmq_send(socket, message, size, 0) != (int)size)", "if ((int)size < 0)"))
    answer = cli("run", str(folder), "-c", "python/honest", *SMALL)
    assert_told(answer, "the baseline c is not what the experiment accepts", "never called zmq_send", "--no-audit")
    assert answer.stdout == ""


def test_without_the_audit_nobody_is_found_out_and_the_table_says_so(cli: Cli, cheats: Path) -> None:
    answer = cli("run", str(cheats), "-c", "python/half", *SMALL, "--no-audit")
    assert answer.returncode == 0, answer.stderr
    assert "native calls were not counted (--no-audit)" in " ".join(answer.stdout.split())
    assert "calls/op" not in answer.stdout.partition("receipts")[0]


def test_an_experiment_whose_delivery_cannot_be(cli: Cli, cheats: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(cheats, tmp_path / "wrong")
    source = folder / "experiment.py"
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace('transport="ipc",', ""), encoding="utf-8")
    told = "the case send of wrong has a delivery and no endpoint to deliver to; give its Experiment transport='ipc'"
    assert_told(cli("run", str(folder), "-c", "python/honest", *SMALL), told)
    source.write_text(text.replace("import zmq", "raise OSError('no sockets')"), encoding="utf-8")
    told = "the peer of the case send of wrong failed: OSError: no sockets; correct its experiment.py"
    assert_told(cli("run", str(folder), "-c", "python/honest", *SMALL), told)


class TestUnseen:
    """A contestant that nobody can look into is not ranked where it says so, and invalid where it does not."""

    @pytest.fixture
    def plan(self, tmp_path: Path) -> Plan:
        """Two scripted workers; the second is a program that is linked statically."""
        source = tmp_path / "static.c"
        source.write_text("int main(void) { return 0; }", encoding="ascii")
        subprocess.run(["cc", "-static", str(source), "-o", str(tmp_path / "static")], check=True)
        plan = scripted_plan(tmp_path, {"c": 27, "python/a": 50})
        return replace(plan, workers=(plan.workers[0], replace(plan.workers[1], command=(str(tmp_path / "static"),))))

    def audited(self, plan: Plan) -> Audit:
        """The audit of the second worker, in an experiment that accepts nothing and so judges nothing."""
        case = Case(name="send", operation="", iterations=1, receipt=lambda iterations: {"sends": iterations})
        experiment = Experiment(
            title="", header="", functions=(), library=LibraryFile(path=""), cases=lambda values: (case,)
        )
        audits = audit_plan(plan, experiment, observe=lambda done: None)
        assert audits[0].verdict == "not judged"
        return audits[1]

    def test_a_static_contestant_that_says_so(self, plan: Plan) -> None:
        worker = plan.workers[1]
        declared = replace(worker, contestant=replace(worker.contestant, static=True))
        audit = self.audited(replace(plan, workers=(plan.workers[0], declared)))
        assert (audit.verdict, audit.reason) == ("not auditable", "it is linked statically")

    def test_a_static_contestant_that_does_not(self, plan: Plan) -> None:
        audit = self.audited(plan)
        assert audit.verdict == "invalid"
        assert audit.reason is not None
        assert audit.reason.startswith("is linked statically, so that its calls cannot be counted, and does not say so")
