"""`codec` in Node does the work of every case, and its decoders take what the library takes, and nothing else."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.anywhere import runtime_or_skip
from support.codec_hosts import check_decoders, check_run, prepared

from ffibench.paths import asset

NAME = "node/cbor-x"
FOLDER = asset("experiments/codec/shims/node/cbor-x")
DECODES = Path(__file__).with_name("data") / "decodes.mjs"
NUMBERS = r"""
const { request } = await import(process.argv[1]);
for (const text of process.argv.slice(2)) {
    const number = Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
    const block = request.encode(["", number]);
    const [, decoded] = request.decode(block, block.length);
    console.log(`${block.readBigInt64LE(8)} ${decoded} ${typeof decoded}`);
}
"""
VIEW = r"""
const { payload, view } = await import(process.argv[1]);
const block = payload.encode([Buffer.from("abc")]);
const [[copied], [seen]] = [payload, view].map(({ decode }) => decode(block, block.length));
block.write("xyz", 8);
console.log(`${copied} ${seen}`);
"""


@pytest.mark.parametrize("size", [1, 70_000])
def test_every_case_is_right(size: int) -> None:
    check_run(NAME, size)


def test_its_decoders_take_what_the_library_takes() -> None:
    runtime, module = prepared(NAME)
    check_decoders([runtime.executable, DECODES, module, FOLDER])


def said(script: str, *arguments: str) -> str:
    command = [runtime_or_skip("node").executable, "--input-type=module", "-e", script, "--"]
    shapes = (FOLDER / "_struct.mjs").as_uri()
    answer = subprocess.run([*command, shapes, *arguments], capture_output=True, text=True, check=False, timeout=60)
    assert answer.stderr == ""
    return answer.stdout


def test_numbers_of_64_bits_are_exact() -> None:
    small = [0, -1, 2**31, -(2**31) - 1, 2**32, -(2**32), 2**53 - 1, -(2**53) + 1]
    large = [2**53, -(2**53), 2**63 - 1, -(2**63)]
    lines = said(NUMBERS, *map(str, [*small, *large])).splitlines()
    assert lines == [f"{each} {each} {'number' if each in small else 'bigint'}" for each in [*small, *large]]


def test_a_view_changes_with_the_block_and_a_copy_does_not() -> None:
    assert said(VIEW) == "abc xyz\n"
