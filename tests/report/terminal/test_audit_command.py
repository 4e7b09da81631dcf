"""The counts of a command as a table: exact calls, equal digits, and a sentence where there is nothing to count."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from ffibench.audit.command import CommandAudit
from ffibench.audit.comparison import Comparison, compared
from ffibench.audit.counting import CountedLibrary, FunctionCount
from ffibench.audit.descendants import Survivor, Uncounted
from ffibench.audit.foreground import Ended
from ffibench.report.terminal.audit_command import SURVIVORS_MAX, drawn_audit
from ffibench.report.terminal.audit_functions import FUNCTIONS_MAX

SQLITE = "/usr/lib/x86_64-linux-gnu/libsqlite3.so.0.8.6"


def library(calls: Mapping[str, int], path: str = SQLITE, inode: int = 7) -> CountedLibrary:
    functions = tuple(FunctionCount(name=name, calls=count, sum=None) for name, count in calls.items())
    return CountedLibrary(path=path, device=65024, inode=inode, functions=functions)


AUDIT = CommandAudit(
    command=("python3", "app.py", "two words"),
    patterns=("libsqlite3*",),
    program="/usr/bin/python3",
    seconds=2.5,
    cpu_seconds=2.2,
    exit_status=0,
    processes=1,
    libraries=(library({"sqlite3_open_v2": 1, "sqlite3_step": 100_001, "sqlite3_close": 0, "sqlite3_reset": 200_002}),),
)


def shown(render: Callable[..., str], **changes: Any) -> str:  # noqa: ANN401
    """The text on a pipe; what was wrapped is put together again."""
    return " ".join(render(drawn_audit(replace(AUDIT, **changes))).split())


def test_the_table_is_as_drawn(render: Callable[..., str], golden: Callable[[str, str], None]) -> None:
    other = library({"crc32": 1_234_567, "adler32": 3}, "/opt/app/lib/libz.so.1.3")
    whole = replace(
        AUDIT,
        patterns=("libsqlite3*", "libz.so*", "libpng*"),
        unmatched=("libpng*",),
        libraries=(*AUDIT.libraries, other),
        exit_status=3,
        processes=4,
        comparison=comparison([1.04] * 6, cpu_ratios=[1.01] * 6),
        troubles=("a process was killed while it mapped a library",),
        uncounted=(Uncounted(program="/usr/bin/busybox", reason="is linked statically", processes=3),),
        survivors=(Survivor(program="/usr/sbin/nginx", pid=4711),),
    )
    golden("audited.txt", render(drawn_audit(whole)))


def test_most_called_first_and_what_was_never_called_not_at_all(render: Callable[..., str]) -> None:
    text = shown(render)
    assert text.index("sqlite3_reset") < text.index("sqlite3_step") < text.index("sqlite3_open_v2")
    assert "sqlite3_close" not in text
    assert re.search(r"sqlite3_step 100,001 40,000 33\.3 ", text)
    assert re.search(r"total 300,004 120,000 100 ", text)


def test_very_many_functions_are_told_in_part(render: Callable[..., str]) -> None:
    many = library({f"function_{number:03}": 1000 - number for number in range(FUNCTIONS_MAX + 10)})
    text = shown(render, libraries=(many,))
    assert f"function_{FUNCTIONS_MAX - 1:03}" in text
    assert f"function_{FUNCTIONS_MAX:03}" not in text
    rest = sum(function.calls for function in many.functions[FUNCTIONS_MAX:])
    assert f"10 further functions {rest:,}" in text
    assert f"total {sum(function.calls for function in many.functions):,}" in text
    one_more = library({f"function_{number:03}": 1000 - number for number in range(FUNCTIONS_MAX + 1)})
    text = shown(render, libraries=(one_more,))
    assert f"function_{FUNCTIONS_MAX:03} {1000 - FUNCTIONS_MAX}" in text  # it takes no more room than the words would
    assert "further functions" not in text


def test_functions_called_as_often_stand_by_their_names_and_one_alone_has_no_total(render: Callable[..., str]) -> None:
    text = shown(render, libraries=(library({"zeta": 5, "alpha": 5}),))
    assert text.index("alpha 5 ") < text.index("zeta 5 ") < text.index("total 10 ")
    assert "total" not in shown(render, libraries=(library({"alpha": 5}),))


def test_two_copies_of_a_library_are_two_tables_and_one_path_twice_is_told_apart(render: Callable[..., str]) -> None:
    text = shown(render, libraries=(library({"f": 1}), library({"f": 2}, "/opt/libsqlite3.so.0.8.6")))
    assert text.count("libsqlite3.so.0.8.6 /") == 2
    assert "inode" not in text
    text = shown(render, libraries=(library({"f": 1}), library({"f": 2}, inode=8)))
    assert "inode 7 of device 65024" in text
    assert "inode 8 of device 65024" in text


LONG = "_ZN7weather7StationC1ERKSt6vectorIdSaIdEE"
NAMES = {
    "_Z4meani": "mean(int)",
    LONG: "weather::Station::Station(std::vector<double, std::allocator<double> > const&, std::allocator<int>)",
}


def test_cpp_functions_have_the_names_of_their_source(render: Callable[..., str]) -> None:
    both = (library({"_Z4meani": 2, "f": 1}),)
    text = shown(render, libraries=both, source_names=NAMES)
    assert "mean(int) 2 " in text
    assert "_Z" not in text
    assert "_Z4meani 2 " in shown(render, libraries=both)


@pytest.mark.parametrize("width", [60, 80, 100, 160, 200])
def test_a_long_name_is_cut_in_its_middle_where_it_does_not_fit(render: Callable[..., str], width: int) -> None:
    lines = render(drawn_audit(replace(AUDIT, libraries=(library({LONG: 1234}),), source_names=NAMES)), width)
    row = next(line for line in lines.splitlines() if line.startswith("weather::"))
    name, calls = row.split("  ")[0], row.split()[-3]
    assert calls == "1,234"
    assert len(row) <= min(width, 160)
    if width >= 160:
        assert name == NAMES[LONG]
    else:
        start, cut, end = name.partition("...")
        assert cut
        assert NAMES[LONG].startswith(start)
        assert NAMES[LONG].endswith(end)
        assert abs(len(start) - len(end)) <= 1


def test_a_library_that_is_mapped_and_never_called_says_so(render: Callable[..., str]) -> None:
    text = shown(render, libraries=(library({"sqlite3_step": 0}),))
    assert f"{SQLITE} was mapped, and none of its functions was called from outside of it." in text
    assert "share" not in text


def test_a_library_that_was_not_mapped_says_how_to_find_its_name(render: Callable[..., str]) -> None:
    text = shown(render, patterns=("libsqlite3*", "libpng*"), unmatched=("libpng*",))
    assert "Nothing was counted for libpng*: no process mapped" in text
    assert "`ldd /usr/bin/python3`" in text
    assert "LD_DEBUG=files" in text
    assert "for libsqlite3*" not in text


def test_no_process_loaded_the_counting_library(render: Callable[..., str]) -> None:
    text = shown(render, processes=0, libraries=())
    assert "/usr/bin/python3 did not load the counting library" in text
    assert "no process mapped" not in text


def comparison(ratios: Sequence[float], cpu_ratios: Sequence[float]) -> Comparison:
    """Pairs whose bare run took 2 s of both."""
    ended = iter(
        Ended(seconds=2 * wall, cpu_seconds=2 * cpu, status=0)
        for pair in zip(ratios, cpu_ratios, strict=True)
        for wall, cpu in ((1.0, 1.0), pair)
    )
    pairs = [(next(ended), next(ended)) for _ in ratios]
    given = iter(pairs)
    kept: dict[bool, Ended] = {}

    def run(counted: bool) -> Ended:
        if not kept:
            kept[False], kept[True] = next(given)
        return kept.pop(counted)

    found, troubles = compared(run, len(pairs), status=0, seed=1)
    assert found is not None
    assert not troubles
    return found


def test_the_slow_down_has_its_interval(render: Callable[..., str]) -> None:
    text = shown(render)
    assert "wall time 2.50 s while counting processor time 2.20 s while counting processes" in text
    assert "compared" not in text
    seven = comparison([1.04, 1.05, 1.02, 1.06, 1.03, 1.01], [1.1, 1.2, 1.3, 1.4, 1.5, 1.6])
    text = shown(render, comparison=seven)
    assert "wall time 2.50 s while counting, 1.03 times as long as without (95 % CI 1.01\N{EN DASH}1.06)" in text
    assert "processor time 2.20 s while counting, 1.35 times as much as without (95 % CI 1.10\N{EN DASH}1.60)" in text
    assert "compared 6 pairs of runs, with the count and without, in random order processes" in text


def test_too_few_pairs_have_no_interval_and_the_ratio_is_in_parentheses(render: Callable[..., str]) -> None:
    text = shown(render, comparison=comparison([1.04], [1.2]))
    assert "wall time 2.50 s while counting, (1.04) times as long as without" in text
    assert "processor time 2.20 s while counting, (1.20) times as much as without" in text
    assert "compared 1 pair of runs, with the count and without, in random order; a confidence interval takes 6" in text


def test_the_cost_of_a_call_is_of_all_calls_and_none_is_made_up(render: Callable[..., str]) -> None:
    dearer = comparison([1.0] * 6, [1.0, 1.005, 1.015, 1.015, 1.02, 1.05])  # 30 ms of 2 s
    assert "more a call" not in shown(render, comparison=dearer)
    million = (library({"crc32": 999_999, "adler32": 1}),)
    text = shown(render, comparison=dearer, libraries=million)
    assert "without (95 % CI 1.00\N{EN DASH}1.05), 30 ns more a call (95 % CI 0.0 to 100) compared" in text
    text = shown(render, comparison=comparison([1.0], [1.015]), libraries=million)
    assert "as much as without, (30 ns) more a call compared" in text
    text = shown(render, comparison=comparison([1.0], [0.99]), libraries=million)
    assert "(0.990) times as much as without compared" in text
    idle = comparison([1.0] * 6, [0.0] * 6)
    assert "processor time 2.20 s while counting compared" in shown(render, comparison=idle, libraries=million)


def test_the_end_of_the_command_is_told_where_it_was_not_0(render: Callable[..., str]) -> None:
    assert "ended" not in shown(render)
    assert "ended with status 3" in shown(render, exit_status=3)
    assert "ended killed by SIGTERM" in shown(render, exit_status=143, killed_by="SIGTERM")


def test_what_was_not_counted_comes_last(render: Callable[..., str]) -> None:
    text = shown(render, troubles=("the count is odd",))
    assert text.endswith(
        "warning the count is odd not counted calls through pointers that a library hands out; uncounted "
        "programs that end at once"
    )
    uncounted = (
        Uncounted(program="/bin/busybox", reason="is linked statically", processes=2),
        Uncounted(program="sudo", reason="runs with rights", processes=1),
    )
    text = shown(render, uncounted=uncounted)
    assert "not counted /bin/busybox (2 processes) is linked statically sudo runs with rights calls through" in text


def test_functions_whose_count_is_approximate_or_that_have_no_type_are_named(render: Callable[..., str]) -> None:
    (bare,) = AUDIT.libraries
    marked = tuple(replace(each, address_taken=True) for each in bare.functions)  # of four, one was never called
    text = shown(render, libraries=(replace(bare, functions=marked),))
    assert "tail calls to sqlite3_reset, sqlite3_step, sqlite3_open_v2 may be counted wrong" in text
    five = library({f"f{number}": 10 - number for number in range(5)})
    text = shown(render, libraries=(replace(five, untyped=("f0", "f1", "f2", "f4", "g")),))
    assert "no type f0, f1, f2 and 1 more: taken for functions" in text
    assert "tail calls" not in text
    assert "no type" not in shown(render)


def test_survivors_are_named_and_how_to_wait_for_them(render: Callable[..., str]) -> None:
    many = tuple(Survivor(program="/bin/sleep", pid=pid) for pid in range(1, SURVIVORS_MAX + 3))
    text = shown(render, survivors=many)
    assert "/bin/sleep, process 1, was still running: its later calls are missing" in text
    assert f"process {SURVIVORS_MAX}, was still running" in text
    assert f"process {SURVIVORS_MAX + 1}" not in text
    assert "2 further processes were still running" in text
    assert "--follow waits for processes that outlive the command" in text
    assert "--follow" not in shown(render, survivors=many[:1], followed=True)  # which Ctrl-C has ended


def test_text_from_outside_cannot_act_on_a_terminal_or_break_the_table(render: Callable[..., str]) -> None:
    odd = library({"f\x1b[31m": 2}, "/opt/a\nb/lib\x1b]0;title\x07.so")
    text = render(
        drawn_audit(
            replace(
                AUDIT,
                command=("x" * 1000, "\x1b[2J"),
                libraries=(odd,),
                troubles=("a\x1b[31mb\nc",),
                survivors=(Survivor(program="a\x1b[31mb", pid=1),),
                uncounted=(Uncounted(program="a\x1b[31mb", reason="is odd", processes=1),),
            )
        )
    )
    assert all(char.isprintable() or char == "\n" for char in text)
    assert max(map(len, text.splitlines())) <= 100
    assert len(text) < 2000
