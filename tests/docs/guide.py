"""The guide as the tests read it: pages, their headings, code blocks, tables and links."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GUIDE = DOCS / "guide"
LOCALES = ("en", "zh")

MESSAGE: dict[str, Any] = {
    "message_id": "1",
    "platform": "test",
    "message_info": {"user_info": {"user_id": "7", "user_nickname": "Lin"}},
    "raw_message": [{"type": "text", "data": "hello"}],
}
"""The least that is a message, to try the examples with."""

_FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
_LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """A fenced block. The words after its language say how it is checked.

    A ``python`` block with ``broken`` is a plugin that is refused, and one with ``old`` raises. A ``text`` block with
    ``printed`` is what the Python block before it prints, with ``check`` what the checker says of it, and with
    ``trace`` what a run over the page's recording says.
    """

    language: str
    kind: str
    code: str
    line: int

    @property
    def is_plugin(self) -> bool:
        """Whether it is a whole plugin.py."""
        return self.language == "python" and "def create_plugin(" in self.code


@dataclass(frozen=True)
class Page:
    """One Markdown file."""

    path: Path
    text: str

    @property
    def name(self) -> str:
        """Where it lies, from the root of the project."""
        return self.path.relative_to(ROOT).as_posix()

    @property
    def blocks(self) -> list[Block]:
        """Its code blocks, in order."""
        found = []
        for fence in _FENCE.finditer(self.text):
            language, _, kind = fence["info"].partition(" ")
            found.append(Block(language, kind, fence["code"], self.text.count("\n", 0, fence.start()) + 2))
        return found

    @property
    def prose(self) -> str:
        """The text without its code blocks."""
        return _FENCE.sub("", self.text)

    @property
    def headings(self) -> list[tuple[int, str]]:
        """Level and text of its headings."""
        return [(len(marks), text) for marks, text in _HEADING.findall(self.prose)]

    @property
    def anchors(self) -> list[str]:
        """What links can point to in it."""
        return [re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for _, text in self.headings]

    @property
    def links(self) -> list[str]:
        """Where its links point to."""
        return _LINK.findall(self.prose)

    @property
    def rows(self) -> list[list[str]]:
        """The cells of its table rows, row after row."""
        lines = [line for line in self.prose.splitlines() if line.startswith("|")]
        return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def page(path: Path) -> Page:
    """The page at `path`."""
    return Page(path, path.read_text(encoding="utf-8"))


def chapter(locale: str, name: str) -> Page:
    """A chapter of the guide, by the name of its file without ``.md``."""
    return page(GUIDE / locale / f"{name}.md")


def chapters() -> list[str]:
    """The names of the chapters, the page of contents among them."""
    return sorted(path.stem for path in (GUIDE / "en").glob("*.md"))


PAGES = [page(path) for path in sorted([DOCS / "README.md", *GUIDE.rglob("*.md")])]
