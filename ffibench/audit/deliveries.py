"""Checks what arrives at the other end: a contestant does some of its work for a real peer, which must receive all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from msgspec.structs import replace

from ffibench.errors import FfibenchError
from ffibench.harness.team import run_worker
from ffibench.interrupts import due
from ffibench.model import Audit, Case, Delivery, Plan, PlannedWorker, Receipt, Value
from ffibench.proof.calls import wrong_delivery


def with_arguments(worker: PlannedWorker, plan: Plan, **arguments: Value) -> PlannedWorker:
    """Return the worker with the arguments of a reduced plan."""
    cases = ",".join(f"{case.worker_name}:{case.iterations}" for case in plan.cases if worker.runs(case))
    narrowed = {"cases": cases, "slices": plan.slices, "warmup": plan.warmup, **arguments}
    if "cold" in worker.arguments:
        narrowed["cold"] = plan.cold
    return replace(worker, warmup=None, arguments={**worker.arguments, **narrowed})


def delivered(
    audit: Audit,
    team: Sequence[PlannedWorker],
    plan: Plan,
    cases: Mapping[str, Case],
    address: str | None,
    cpu: int | None,
) -> Audit:
    """Run a worker whose calls were accepted, or not judged, with a real peer, where its case has one."""
    delivery = cases[audit.case].delivery
    if delivery is None or audit.verdict not in {"accepted", "not judged"}:
        return audit
    worker = next(each for each in team if each.key == audit.key)
    planned = next(each for each in plan.cases if each.name == audit.case)
    alone = replace(plan, cases=(planned,), slices=1)
    got, expected, wrong = _deliver(worker, alone, cases[audit.case], delivery, address, cpu)
    audit = replace(audit, delivered=got, expected=expected)
    return audit if wrong is None else replace(audit, verdict="invalid", reason=wrong)


@dataclass
class _Peer:
    """Connects when a worker has reported its endpoint, unless it has connected before."""

    delivery: Delivery
    values: Mapping[str, Value]
    stack: ExitStack
    received: Callable[[], Receipt] | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    pass_fds: tuple[int, ...] = ()

    def connect(self, endpoint: str) -> None:
        self.received = self.stack.enter_context(self.delivery.peer(endpoint, self.values))

    def ready(self, endpoint: str | None) -> None:
        if self.received is None and endpoint is not None:
            self.connect(endpoint)

    def done(self) -> None:
        """Nothing: the peer is asked when the worker has exited."""


def _deliver(
    worker: PlannedWorker, plan: Plan, case: Case, delivery: Delivery, address: str | None, cpu: int | None
) -> tuple[Receipt | None, Receipt | None, str | None]:
    """Let a contestant do some work for a real peer; return what the peer received, what it had to, what is wrong."""
    operations = delivery.operations
    planned = replace(plan.cases[0], cold=0, iterations=operations, receipt=case.receipt(operations))
    few = replace(plan, cases=(planned,), warmup=0)
    values = {**plan.parameters, **planned.point}
    try:
        with ExitStack() as stack:
            peer = _Peer(delivery, values, stack)
            if address is not None:
                with due():
                    peer.connect(address)
            # A first call before it reports ready would be a delivery too much.
            costs: dict[str, Value] = {"costs": "import"} if "costs" in worker.arguments else {}
            counted = with_arguments(worker, few, peers=1, **costs)
            record = run_worker(counted, few, endpoint=address, cpu=cpu, observer=peer)
            if record.failure is not None:
                return None, None, f"{record.failure}, while it had a peer"
            if peer.received is None:
                return None, None, "did not report the endpoint at which it waits for its peer"
            with due():
                got = peer.received()
        expected = delivery.receipt(values, operations)
    except Exception as error:  # a user's own experiment may raise anything
        raise FfibenchError(
            f"the peer of the case {case.name} of {plan.experiment} failed: {type(error).__name__}: {error}",
            fix="correct its experiment.py",
        ) from error
    return got, expected, wrong_delivery(got, expected)
