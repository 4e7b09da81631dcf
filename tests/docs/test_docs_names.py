"""What the documentation names is there: files, environment variables, links, sessions; and it keeps to its words."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path, PurePath

import pytest
from support.pages import PAGES, ROOT, blocks, prose, section

from ffibench.catalog import find_experiment
from ffibench.languages import languages
from ffibench.shims.technology import technologies

NAMES = sorted(PAGES)
FOLDERS = "ffibench|native|experiments|tests|docs|tools|\\.ci|\\.github"
PATH = re.compile(rf"(?<![\w/.~-])(?:{FOLDERS})/[\w./*-]+")
PLACEHOLDER = re.compile(r"[A-Z_]+(\.\w+)?")
LINK = re.compile(r"\[[^\]]+\]\((?!https?://)(?P<target>[^)#]*)(?:#(?P<anchor>[^)]+))?\)")
LINES_MAX = 200

# What a reader who does not know this project would stumble over.
AVOIDED = re.compile(
    r"told against|told apart|comes out|for want of room|had not settled|too wide|under the count|were to be"
    r"|\b(mend|mends|doubts|wishes)\b"
)


def paths(page: str) -> set[str]:
    """The paths of this repository in a page, but for links, what a tool printed, and files that readers write."""
    text = PAGES[page]
    written = {block.file for block in blocks(text) if block.file}
    written |= {f"{parent}{slash}" for path in written for parent in PurePath(path).parents for slash in ("", "/")}
    shown = [block.text for block in blocks(text) if block.language != "text"]
    found = {path.rstrip(".") for part in (LINK.sub("", prose(text)), *shown) for path in PATH.findall(part)}
    return {path for path in found if path not in written}


def existing(path: str) -> str:
    """The path, up to what stands for any name."""
    parts = path.split("/")
    placeholders = [number for number, part in enumerate(parts) if PLACEHOLDER.fullmatch(part)]
    return "/".join(parts[: placeholders[0]] if placeholders else parts)


@pytest.mark.parametrize("page", NAMES)
def test_every_path_exists(page: str) -> None:
    missing = {path for path in paths(page) if not any(ROOT.glob(existing(path).rstrip("/")))}
    assert missing == set()


def test_paths_are_found() -> None:
    assert "ffibench/model/experiment.py" in paths("docs/extending.md")
    assert existing("docs/experiments/NAME.md") == "docs/experiments"


@pytest.mark.parametrize("page", NAMES)
def test_every_link_leads_somewhere(page: str) -> None:
    for link in LINK.finditer(prose(PAGES[page])):
        target = (ROOT / page).parent / link["target"] if link["target"] else ROOT / page
        assert target.is_file(), link[0]
        if link["anchor"]:
            headings = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            anchors = {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}
            assert link["anchor"] in anchors, link[0]


@pytest.mark.parametrize("page", [name for name in NAMES if name.startswith("docs/")])
def test_the_site_has_what_its_pages_link_to(page: str) -> None:
    for link in LINK.finditer(prose(PAGES[page])):
        assert ((ROOT / page).parent / link["target"]).resolve().is_relative_to(ROOT / "docs"), link[0]


@pytest.mark.parametrize("page", NAMES)
def test_environment_variables_are_read_somewhere(page: str) -> None:
    sources = [path.read_text(encoding="utf-8") for top in ("ffibench", "native", "tests") for path in code(ROOT / top)]
    for name in set(re.findall(r"\b_?FFIBENCH_(?!OPAQUE)[A-Z]+\b", PAGES[page])) - {"_FFIBENCH_COMPLETE"}:
        assert any(re.search(rf"{name}\b", source) for source in sources), name


def code(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.suffix in {".py", ".c", ".h"}]


@pytest.mark.parametrize("page", NAMES)
def test_the_words_are_plain(page: str) -> None:
    assert AVOIDED.findall(prose(PAGES[page])) == []


@pytest.mark.parametrize("page", NAMES)
def test_copies_are_as_the_original(page: str) -> None:
    for block in blocks(PAGES[page]):
        kind, _, path = block.marker.partition(": ")
        if kind == "same as":
            assert block.text == (ROOT / path).read_text(encoding="utf-8")


def test_the_example_is_the_tested_one() -> None:
    example = {block.file: block.text for block in blocks(section("docs/extending.md", "An experiment")) if block.file}
    data = ROOT / "tests/cli/data"
    assert example == {
        str(path.relative_to(data)): path.read_text(encoding="utf-8") for path in data.glob("tally/*") if path.is_file()
    }


def test_a_contestant_s_comment_is_one_that_is_used() -> None:
    (comment,) = [
        block.text.strip() for block in blocks(PAGES["docs/extending.md"]) if block.text.startswith("ffibench: ")
    ]
    used = [path.read_text(encoding="utf-8") for path in ROOT.glob("experiments/*/*.py")]
    assert any(comment in text for text in used)


def test_the_readme_is_short() -> None:
    assert len(PAGES["README.md"].splitlines()) <= LINES_MAX


def test_sessions_are_those_of_nox() -> None:
    tree = ast.parse((ROOT / "noxfile.py").read_text(encoding="utf-8"))
    sessions = {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and "session" in map(name, node.decorator_list)
    }
    values = {
        ast.unparse(node.targets[0]): ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List)
    }
    rows = re.findall(r"^\| `(\w+)` \|.*\| (yes|no) \|$", section("CONTRIBUTING.md", "Run the tests"), re.MULTILINE)
    assert {session for session, _ in rows} == sessions
    assert {session for session, default in rows if default == "yes"} == set(values["nox.options.sessions"])
    workflow = (ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8")
    (pythons,) = re.findall(r"^ +python: (\[.*\])$", workflow, re.MULTILINE)
    (others,) = re.findall(r"^ +session: \[(.*)\]$", workflow, re.MULTILINE)
    assert json.loads(pythons) == values["PYTHONS"]
    assert {"tests", *others.split(", ")} == set(values["nox.options.sessions"])


def name(decorator: ast.expr) -> str:
    """The last word of a decorator: `session` of `@nox.session(python=PYTHONS)`."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return called.attr if isinstance(called, ast.Attribute) else ""


def test_the_page_of_languages_has_every_binding_of_every_language() -> None:
    """Of those that take part where they are asked for; the page names the others in a sentence."""
    rows = re.findall(r"^\| (\w[^|]*) \| (`[^|]*) \|", PAGES["docs/languages.md"], re.MULTILINE)
    listed = {title.strip(): set(re.findall(r"`([\w~-]+)`", bindings)) - {"xsub"} for title, bindings in rows}
    own = [*technologies(), *find_experiment("xsub").own]
    there = {
        language.title: {name for each in own if each.language == language.name for name in each.bindings}
        for language in languages().values()
        if language.asked
    }
    assert listed == there
