"""What `ffibench explain -- COMMAND` does: count a program's calls, and price them, through other bindings too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from statistics import median

from msgspec import Struct
from msgspec.structs import replace

from ffibench.audit.command import CommandAudit, CommandOptions, audit_command
from ffibench.catalog.places import find_header
from ffibench.errors import FfibenchError
from ffibench.explain.prices import NoPriceError, Prices, Rounds, call_rounds, cost, priced, program_rounds, saved
from ffibench.explain.signatures import Signature, of_function
from ffibench.headers.overrides import nearest
from ffibench.headers.reader import Header
from ffibench.model import CalledByProgram, ProgramCost, ThroughBinding
from ffibench.plan.options import PlanOptions
from ffibench.shims.shim import declarations
from ffibench.shims.technology import technologies
from ffibench.workflow.machine import require_proc
from ffibench.workflow.prices import MeasuredPrices, measure_prices, require_one_interpreter
from ffibench.workflow.steps import Observer, unobserved

NAMES_MAX = 9
"""Of functions in a sentence."""
RUNS = 3
"""Runs without the count, and as many with it beside them: the time of the program is their median."""


class ProgramOptions(Struct, frozen=True, kw_only=True):
    """What is priced of a program, and how."""

    libraries: Sequence[str]
    """Globs of the libraries that are counted."""
    header: str
    binding: str
    """The one that the program uses: `python/ctypes`."""
    callers: Sequence[str] = ()
    """Globs of the files whose calls are priced; all where there are none."""
    runs: int = RUNS
    plan: PlanOptions = PlanOptions()
    """Its contestants are the bindings that are compared; all of the language where there are none."""


class CountedProgram(Struct, frozen=True, kw_only=True):
    """A program whose calls were counted, with what they are to be priced as."""

    audit: CommandAudit
    calls: Mapping[str, int]
    """By function, of the callers that are wanted."""
    callers: Mapping[str, int]
    header: Header
    bindings: tuple[str, ...]
    """The program's own first."""

    @property
    def signatures(self) -> dict[str, Signature]:
        """The functions that were called and that the header declares."""
        return {each.name: of_function(each) for each in self.header.functions if each.name in self.calls}


def explain_program(command: Sequence[str], options: ProgramOptions, *, observe: Observer = unobserved) -> ProgramCost:
    """Count the calls of a program, and return what crossing costs it, now and through other bindings.

    Raises FfibenchError as `count_program` and `price_program` do.
    """
    return price_program(count_program(command, options), options, observe=observe)


def count_program(command: Sequence[str], options: ProgramOptions) -> CountedProgram:
    """Run a program and count its calls, then run it again for its time.

    Its input and output are its own in the first run; what it prints in the others is thrown away. Raises FfibenchError
    for a mistake of the user, where the program cannot be counted, and where nothing that it called has a price.
    """
    require_proc()
    require_one_interpreter(options.plan)
    names = _bindings(options)
    header = declarations(find_header(options.header), dict(options.plan.kinds))
    audit = audit_command(command, options.libraries, CommandOptions(pairs=options.runs, callers=True, demangle=False))
    calls, callers = _counted(audit, options.callers)
    counted = CountedProgram(audit=audit, calls=calls, callers=callers, header=header, bindings=tuple(names))
    if not counted.signatures:
        raise _nothing(counted, options)
    return counted


def price_program(counted: CountedProgram, options: ProgramOptions, *, observe: Observer = unobserved) -> ProgramCost:
    """Measure what the calls of a program cost to cross. Raises FfibenchError as `measure_prices` does."""
    found = measure_prices(
        list(counted.signatures.values()),
        counted.header.all_structs,
        counted.bindings,
        options.plan,
        parts=False,
        title=f"calls of {counted.header.path.name}",
        observe=observe,
    )
    return program_cost(counted, found, options.binding)


def _bindings(options: ProgramOptions) -> list[str]:
    """Return the names of the bindings of the program's language that are compared, its own first."""
    language = options.binding.rpartition("/")[0]
    known = [
        f"{each.language}/{name}"
        for each in technologies()
        if each.language == language and each.kinds
        for name, binding in each.bindings.items()
        if not binding.asked
    ]
    if options.binding not in known:
        everyone = [f"{each.language}/{name}" for each in technologies() if each.kinds for name in each.bindings]
        raise FfibenchError(f"--from: there is no binding {options.binding!r}", fix=nearest(options.binding, everyone))
    for pattern in options.plan.contestants:
        if not any(fnmatchcase(name, pattern) for name in known):
            raise FfibenchError(f"no binding of {language} is called {pattern!r}", fix=nearest(pattern, known))
    wanted = [
        name
        for name in known
        if not options.plan.contestants or any(fnmatchcase(name, each) for each in options.plan.contestants)
    ]
    return list(dict.fromkeys([options.binding, *wanted]))


def _counted(audit: CommandAudit, patterns: Sequence[str]) -> tuple[Counter[str], Counter[str]]:
    """Return the calls by function and by the file that made them, of the callers that are wanted."""
    calls: Counter[str] = Counter()
    callers: Counter[str] = Counter()
    for library in audit.libraries:
        for function in library.functions:
            for caller, count in function.callers:
                callers[caller] += count
                if not patterns or any(_matches(caller, pattern) for pattern in patterns):
                    calls[function.name.partition("@")[0]] += count
    return +calls, +callers


def _matches(caller: str, pattern: str) -> bool:
    return fnmatchcase(caller, pattern) or fnmatchcase(Path(caller).name, pattern)


def _nothing(counted: CountedProgram, options: ProgramOptions) -> FfibenchError:
    asked, header = " and ".join(options.libraries), counted.header.path
    if not counted.callers:
        return FfibenchError(
            f"the program made no calls into {asked}, and ended with status {counted.audit.exit_status}",
            fix="`ffibench audit` says why nothing was counted",
        )
    if not counted.calls:
        named = ", ".join(Path(each).name or "code in no file" for each in counted.callers)
        return FfibenchError(
            f"no caller is called {' or '.join(options.callers)}; the calls came from {named}", fix="name one of these"
        )
    names = ", ".join(sorted(counted.calls)[:NAMES_MAX])
    return FfibenchError(
        f"none of the functions that were called is bound from {header}: {names}",
        fix=f"give the header that declares them; `ffibench kinds {header}` shows what this one has",
    )


def program_cost(counted: CountedProgram, found: MeasuredPrices, binding: str) -> ProgramCost:
    """Return what the calls cost, from prices. Raises FfibenchError where the program's own binding has none."""
    header, audit, signatures = counted.header, counted.audit, counted.signatures
    own, reasons = _one_call(signatures, found.prices, binding)
    if not own:
        raise FfibenchError(
            f"{binding} has no price for any of these calls: {next(iter(reasons.values()))}",
            fix="`ffibench doctor` says what is missing here",
        )
    declared = {each.name: each.declaration for each in header.functions}
    unfit = {each.name: "its kinds are not known: see `ffibench kinds`" for each in header.refusals}
    functions = [
        CalledByProgram(
            name=name,
            calls=count,
            signature=declared.get(name, ""),
            price=priced(own[name]) if name in own else None,
            reason=""
            if name in own
            else reasons.get(name) or unfit.get(name, f"{header.path.name} does not declare it"),
        )
        for name, count in counted.calls.items()
    ]
    paid = {name: counted.calls[name] for name in own}
    now = program_rounds(paid, own)
    through = [_through(name, found, paid, signatures, now) for name in counted.bindings]
    bare = audit.comparison
    return ProgramCost(
        command=audit.command,
        exit_status=audit.exit_status,
        seconds=audit.seconds if bare is None else median(pair.bare.seconds for pair in bare.pairs),
        cpu_seconds=audit.cpu_seconds if bare is None else median(pair.bare.cpu_seconds for pair in bare.pairs),
        libraries=tuple(library.path for library in audit.libraries),
        callers=dict(counted.callers),
        header=str(header.path),
        binding=binding,
        rounds=found.rounds,
        functions=tuple(sorted(functions, key=_expense, reverse=True)),
        bindings=(through[0], *sorted(through[1:], key=lambda each: (each.seconds is None, each.seconds or 0.0))),
        troubles=audit.troubles,
    )


def _one_call(
    signatures: Mapping[str, Signature], prices: Prices, name: str
) -> tuple[dict[str, Rounds], dict[str, str]]:
    """Return nanoseconds of a call of each function through a binding, and of those without a price the reason."""
    found: dict[str, Rounds] = {}
    reasons: dict[str, str] = {}
    for function, signature in signatures.items():
        try:
            found[function] = call_rounds(signature, prices, name)
        except NoPriceError as error:
            reasons[function] = str(error)
    return found, reasons


def _through(
    name: str, found: MeasuredPrices, paid: Mapping[str, int], signatures: Mapping[str, Signature], now: Rounds
) -> ThroughBinding:
    contestant = found.contestants.get(name)
    shell = ThroughBinding(
        contestant=name,
        interpreter="" if contestant is None else contestant.interpreter,
        version="" if contestant is None else contestant.version,
        lock=None if contestant is None else contestant.lock,
        seconds=None,
    )
    one_call, reasons = _one_call({function: signatures[function] for function in paid}, found.prices, name)
    if reasons:
        function, reason = next(iter(reasons.items()))
        return replace(shell, reason=f"{function}: {reason}")
    rounds = program_rounds(paid, one_call)
    whole, less = cost(rounds), saved(now, rounds)
    return replace(
        shell,
        seconds=whole.seconds,
        low_seconds=whole.low,
        high_seconds=whole.high,
        saved_seconds=less.seconds,
        low_saved_seconds=less.low,
        high_saved_seconds=less.high,
    )


def _expense(each: CalledByProgram) -> float:
    return 0.0 if each.price is None else each.calls * each.price.ns
