"""The guide is the same in both languages, and its links lead somewhere."""

import ast
import re
from pathlib import Path

import pytest

from tests.docs.guide import GUIDE, PAGES, Page, chapter, chapters, page

EACH = pytest.mark.parametrize("name", chapters())


def without_texts(code: str) -> str:
    """The structure of Python code: texts and comments may differ from one language to the other."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            node.values = [each for each in node.values if isinstance(each, ast.FormattedValue)]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = "text"
    return ast.dump(tree)


def code_in(cells: list[str]) -> list[str]:
    """The code in a row, in no order: each language has its own word order."""
    return sorted(code for cell in cells for code in re.findall("`[^`]+`", cell))


def test_both_languages_have_the_same_chapters() -> None:
    assert sorted(path.name for path in (GUIDE / "zh").iterdir()) == sorted(
        path.name for path in (GUIDE / "en").iterdir()
    )


@EACH
def test_a_chapter_has_the_same_headings_and_tables_in_both_languages(name: str) -> None:
    en, zh = chapter("en", name), chapter("zh", name)
    assert [level for level, _ in zh.headings] == [level for level, _ in en.headings]
    assert [len(cells) for cells in zh.rows] == [len(cells) for cells in en.rows]
    assert [code_in(cells) for cells in zh.rows] == [code_in(cells) for cells in en.rows]


@EACH
def test_a_chapter_has_the_same_code_in_both_languages(name: str) -> None:
    en, zh = chapter("en", name).blocks, chapter("zh", name).blocks
    assert [(block.language, block.kind) for block in zh] == [(block.language, block.kind) for block in en]
    for ours, theirs in zip(en, zh, strict=True):
        if ours.language == "python":
            assert without_texts(ours.code) == without_texts(theirs.code), f"line {ours.line} and {theirs.line}"
        elif ours.language == "sh":
            assert ours.code == theirs.code


@pytest.mark.parametrize("here", PAGES, ids=lambda here: here.name)
def test_relative_links_lead_to_a_file_and_a_heading_of_it(here: Page) -> None:
    for link in here.links:
        if link.startswith(("https://", "http://")):
            continue
        target, _, anchor = link.partition("#")
        path = Path(here.path.parent / target).resolve() if target else here.path
        assert path.exists(), f"{here.name} links to {link}"
        if anchor:
            assert anchor in page(path).anchors, f"{here.name} links to {link}"


@pytest.mark.parametrize("here", PAGES, ids=lambda here: here.name)
def test_the_headings_of_a_page_have_anchors_of_their_own(here: Page) -> None:
    assert len(set(here.anchors)) == len(here.anchors)


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_the_contents_name_every_chapter(locale: str) -> None:
    linked = {link.removesuffix(".md") for link in chapter(locale, "README").links}
    assert set(chapters()) - {"README"} <= linked
