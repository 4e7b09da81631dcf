"""An experiment's calls made into cases and loops: C is asked for its answers, each language's loop is generated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ffibench.builds.library import check_library
from ffibench.builds.project import build
from ffibench.calls.answers import Answers
from ffibench.calls.bind import bind
from ffibench.calls.expressions import filled, read_calls, read_setup
from ffibench.calls.kinds import implied_kinds
from ffibench.calls.operations import Operation
from ffibench.calls.values import Step
from ffibench.catalog.calls import key_of
from ffibench.catalog.candidates import asked_languages
from ffibench.catalog.folders import Folder, Source
from ffibench.catalog.threads import THREADS, threaded_case
from ffibench.errors import FfibenchError
from ffibench.headers.reader import Header
from ffibench.languages import languages
from ffibench.loops.cases import answered_case, can_render
from ffibench.loops.oracle import answers_of_c
from ffibench.loops.render import loop_languages, loop_project, reserved_words, threaded_languages
from ffibench.model import Call, Case, LibraryIdentity, Value
from ffibench.shims.facilities import facilities
from ffibench.shims.shim import declarations


class _Written(Struct, frozen=True):
    """A call at one point of a sweep, read."""

    key: str
    call: Call
    text: str
    setup: tuple[Step, ...]
    steps: tuple[Step, ...]
    teardown: tuple[Step, ...]


def with_loops(
    folder: Folder,
    library: LibraryIdentity,
    kinds: Mapping[str, str],
    points: Sequence[Mapping[str, Value]],
    patterns: Sequence[str] = (),
) -> Folder:
    """Return the experiment with the cases and the loops of its calls, at all points of a sweep.

    `kinds` are those of `--kind`, `patterns` those of `--contestant`: loops are of the languages that are asked for.
    Raises FfibenchError for a call that does not fit the header or the library, for one that ends the process in C, and
    for one that answers differently each time.
    """
    calls = folder.experiment.calls
    if not calls:
        return folder
    written = list({each.key: each for values in points for each in _written(calls, values)}.values())
    own = {**folder.experiment.kinds, **kinds}
    raw = declarations(folder.header, own)
    read = [(each.text, (*each.setup, *each.steps, *each.teardown)) for each in written]
    chosen = {**implied_kinds(read, raw), **own}
    header = declarations(folder.header, chosen)
    operations = [
        bind(
            each.key,
            each.text,
            header,
            each.steps,
            setup=each.setup,
            teardown=each.teardown,
            checked=each.call.checked,
            reserved=reserved_words(),
            counter=folder.experiment.counter,
        )
        for each in written
    ]
    called = {name for each in operations for name in each.functions}
    # What bindings free a text by is a call of the library too, and is counted.
    freeing = {each.result.free for operation in operations for each in operation.functions.values()}
    called |= freeing & {each.name for each in header.functions}
    functions = tuple(sorted({*folder.experiment.functions, *called}))
    check_library(Path(library.path), functions, folder.header.name)
    answers = answers_of_c(folder.name, folder.header, library, operations, header.all_structs)
    for each, operation in zip(written, operations, strict=True):
        if operation.checked and not answers[each.key].steady:
            raise FfibenchError(
                f"'{each.text}' answers differently each time: {answers[each.key].differing}",
                fix="make it a sequence that begins and ends alike, 'f(x); g(x)', or add --unchecked",
            )
    by_key = {each.key: (each, operation) for each, operation in zip(written, operations, strict=True)}
    provisional = folder.experiment.cases

    def answered(case: Case, values: Mapping[str, Value]) -> Case:
        if case.key not in by_key:
            return case
        each, operation = by_key[case.key]
        found = answered_case(
            case, each.call, operation, answers[case.key], header.all_structs, functions, folder.technologies
        )
        return threaded_case(found, int(values[THREADS]), threaded_languages()) if folder.threaded else found

    def cases(values: Mapping[str, Value]) -> tuple[Case, ...]:
        return tuple(answered(case, values) for case in provisional(values))

    return replace(
        folder,
        experiment=replace(folder.experiment, functions=functions, kinds=chosen, cases=cases),
        sources=(*folder.sources, *_sources(folder, operations, header, functions, answers, patterns)),
        operations={each.key: (each, answers[each.key]) for each in operations},
    )


def _written(calls: Sequence[Call], values: Mapping[str, Value]) -> list[_Written]:
    return [
        _Written(
            key=key_of(call, number, values),
            call=call,
            text=filled(call.expression, values),
            setup=tuple(step for text in call.setup for step in read_setup(filled(text, values))),
            steps=read_calls(filled(call.expression, values)),
            teardown=tuple(step for text in call.teardown for step in read_setup(filled(text, values), "--teardown")),
        )
        for number, call in enumerate(calls, 1)
    ]


def _sources(
    folder: Folder,
    operations: Sequence[Operation],
    header: Header,
    functions: Sequence[str],
    answers: Mapping[str, Answers],
    patterns: Sequence[str],
) -> list[Source]:
    """Return the generated loop of each language that has no file of its own in the folder."""
    hand_written = {source.stem for source in folder.sources if source.technology is None}
    found = []
    asked = asked_languages(folder.technologies, patterns)
    for language in (each for each in loop_languages() if each in asked):
        possible = [each for each in operations if can_render(language, each)]
        if language not in hand_written and possible:
            project = loop_project(
                language,
                folder.name,
                [folder.header.name],
                possible,
                header.all_structs,
                answers,
                facilities(
                    header.select(functions),
                    header.all_structs,
                    constants=header.constants,
                    keywords=languages()[language].keywords,
                )["struct_names"],
                threaded=folder.threaded,
            )
            found.append(Source(path=build(project), language=language, stem=language, words={}, generated=True))
    return found
