"""An experiment of one's own: its header, its library from source, two languages."""

from __future__ import annotations

from collections.abc import Mapping

from ffibench.model import Accepted, Case, Experiment, LibrarySources, Parameter, Receipt, Value


def cases(values: Mapping[str, Value]) -> tuple[Case, ...]:
    """Return two cases, to see that tables and cases stay apart."""

    def receipt(iterations: int) -> Receipt:
        return {"calls": iterations}

    def case(name: str, operation: str, size: int, iterations: int) -> Case:
        once = Accepted(calls={"tally_sum": 1}, length=("tally_sum", 1), size=size)
        return Case(name=name, operation=operation, iterations=iterations, receipt=receipt, accepts=(once,))

    size = int(values["size"])
    return (
        case("few", f"tally_sum of {size} bytes", size, 2_000),
        case("none", "tally_sum of nothing", 0, 1_000),
    )


def check_size(size: Value) -> str | None:
    """Say what is wrong with a size, or None."""
    return None if 1 <= int(size) <= 1000 else "a size lies between 1 and 1000"


EXPERIMENT = Experiment(
    title="adding up bytes",
    header="tally.h",
    functions=("tally_sum",),
    library=LibrarySources(sources=("tally.c",)),
    parameters=(Parameter(name="size", default=8, help="bytes to add up", check=check_size),),
    cases=cases,
)
