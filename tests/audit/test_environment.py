"""What makes a command count, beside what its user has set."""

from __future__ import annotations

from pathlib import Path

import pytest

from ffibench.audit.environment import THREAD_LOCAL, counting_environment

OURS = Path("/cache/counting/libcount.so")


@pytest.fixture(autouse=True)
def nothing_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LD_AUDIT", "FFIBENCH_COUNT", "GLIBC_TUNABLES"):
        monkeypatch.delenv(name, raising=False)


def test_a_user_s_own_audit_libraries_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    assert counting_environment(OURS, "/counts")["LD_AUDIT"] == str(OURS)
    monkeypatch.setenv("LD_AUDIT", "/usr/lib/one.so:/usr/lib/libcount.so")
    assert counting_environment(OURS, "/counts")["LD_AUDIT"] == f"/usr/lib/one.so:/usr/lib/libcount.so:{OURS}"


def test_inside_an_audit_the_inner_one_counts_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or each call would count twice, by both libraries into the one file that both are told."""
    monkeypatch.setenv("LD_AUDIT", "/usr/lib/one.so:/other/cache/libcount.so")
    monkeypatch.setenv("FFIBENCH_COUNT", "/outer/counts")
    environment = counting_environment(OURS, "fd:5")
    assert environment["LD_AUDIT"] == f"/usr/lib/one.so:{OURS}"
    assert environment["FFIBENCH_COUNT"] == "fd:5"


def test_a_user_s_own_space_for_thread_local_data_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    assert counting_environment(OURS, "/counts")["GLIBC_TUNABLES"] == f"{THREAD_LOCAL}=23552"
    monkeypatch.setenv("GLIBC_TUNABLES", "glibc.malloc.check=0")
    assert counting_environment(OURS, "/counts")["GLIBC_TUNABLES"] == f"glibc.malloc.check=0:{THREAD_LOCAL}=23552"
    monkeypatch.setenv("GLIBC_TUNABLES", f"{THREAD_LOCAL}=99")
    assert counting_environment(OURS, "/counts")["GLIBC_TUNABLES"] == f"{THREAD_LOCAL}=99"
