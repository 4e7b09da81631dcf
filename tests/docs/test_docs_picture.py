"""tools/terminal_svg.py draws the report of a run file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.pages import ROOT

TOOL = ROOT / "tools/terminal_svg.py"


def draw(*arguments: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(TOOL), *arguments], capture_output=True, text=True, check=False)


def test_it_draws_what_is_printed(run_file: Path, tmp_path: Path) -> None:
    assert draw(run_file, tmp_path / "run.svg").returncode == 0
    picture = (tmp_path / "run.svg").read_text(encoding="utf-8")
    shown = "".join(ElementTree.fromstring(picture).itertext())
    for text in ("ffibench run xsub", "python/ctypes", "control", "sha256"):
        assert text in shown.replace("\N{NO-BREAK SPACE}", " ")


def test_one_run_gives_one_picture(run_file: Path, tmp_path: Path) -> None:
    for name in ("first.svg", "second.svg"):
        draw(run_file, tmp_path / name)
    assert (tmp_path / "first.svg").read_bytes() == (tmp_path / "second.svg").read_bytes()


def test_what_is_no_run_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{}", encoding="utf-8")
    answer = draw(tmp_path / "run.json", tmp_path / "run.svg")
    assert answer.returncode == 1
    assert answer.stderr.startswith("Error: ")
    assert "Traceback" not in answer.stderr
    assert not (tmp_path / "run.svg").exists()


@pytest.mark.parametrize("columns", [80, 160])
def test_it_is_as_wide_as_is_asked_for(run_file: Path, tmp_path: Path, columns: int) -> None:
    assert draw(run_file, tmp_path / "run.svg", Path(str(columns))).returncode == 0
    svg = ElementTree.parse(tmp_path / "run.svg").getroot()
    column = 12.2  # pixels, by rich
    assert float(svg.attrib["viewBox"].split()[2]) == pytest.approx(columns * column + 18, abs=2 * column)


def test_its_title_is_the_command(run_file: Path, tmp_path: Path) -> None:
    assert draw(run_file, tmp_path / "run.svg", Path("80"), Path("ffibench run xsub -c c")).returncode == 0
    shown = "".join(ElementTree.parse(tmp_path / "run.svg").getroot().itertext())
    assert "ffibench run xsub -c c" in shown.replace("\N{NO-BREAK SPACE}", " ")


def test_a_width_is_a_number(run_file: Path, tmp_path: Path) -> None:
    assert draw(run_file, tmp_path / "run.svg", Path("wide")).returncode == 2
