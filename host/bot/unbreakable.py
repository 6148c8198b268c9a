"""What in a text belongs together: quotes, brackets, code, addresses, kaomoji."""

import re

_CODE = r"```.*?(?:```|\Z)|``[^\n]+?``|`[^`\n]+`"
_ADDRESS = (
    r"(?:[a-z][a-z0-9+.-]{1,15}://|www\.)[^\s<>\"'`，。！？、；：（）【】《》“”]+|[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+"
)
_ARM = r"[~～ヾノづっ੭oO♪♡☆★︵︶┻━┳┴┬╯╰┐┌ლ\\/¯_*✧]{0,6}"
_KAOMOJI = (
    rf"{_ARM}[(（](?=[^()（）\n]{{0,20}}[\^´`・ω≧≦▽∇°□╥ಥ﹏•ᴗ◕‿ˊˋ￣﹃ᗜ◡д皿益⊙ツ_=><*;；])[^()（）\n]{{1,20}}[)）]{_ARM}"
)
_EYE = r"[><TtOo0@QqXx^=;uU\-]"
_EMOTICON = rf"(?<!\w)(?:[:;=8xX][-'o^]?[)(\]\[DPp3|*]|{_EYE}[._,\-]{{1,3}}{_EYE})(?!\w)"
_WHOLE = re.compile(f"{_CODE}|{_ADDRESS}|{_KAOMOJI}|{_EMOTICON}", re.DOTALL | re.IGNORECASE)

_PAIRS = {
    "(": ")",
    "（": "）",
    "[": "]",
    "【": "】",
    "{": "}",
    "《": "》",
    "〈": "〉",
    "「": "」",
    "『": "』",
    "“": "”",
    "‘": "’",
    '"': '"',
    "'": "'",
}
_CLOSING = frozenset(_PAIRS.values())
_APOSTROPHES = frozenset("'’")


def unbreakable(text: str) -> list[bool]:
    """For each place in `text`, from 0 to its length, whether cutting there would cut something that belongs together.

    A quote or bracket that is never closed belongs to nothing, an unclosed block of code reaches to the end.
    """
    depth = [0] * (len(text) + 2)

    def bind(start: int, end: int) -> None:
        depth[start + 1] += 1
        depth[end] -= 1

    pairs = _Pairs(text)
    position = 0
    for whole in _WHOLE.finditer(text):
        for start, end in pairs.within(position, whole.start()):
            bind(start, end)
        bind(*whole.span())
        position = whole.end()
    for start, end in pairs.within(position, len(text)):
        bind(start, end)

    closed, current = [], 0
    for change in depth[: len(text) + 1]:
        current += change
        closed.append(current > 0)
    return closed


class _Pairs:
    """Finds quotes and brackets, going through a text from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[tuple[str, int]] = []
        self._waiting: dict[str, int] = {}

    def within(self, start: int, stop: int) -> list[tuple[int, int]]:
        """The pairs that are closed between `start` and `stop`, with where they begin and end."""
        found = []
        for index in range(start, stop):
            letter = self._text[index]
            if letter == "\n" and self._text[index + 1 : index + 2] == "\n":
                self._open.clear()
                self._waiting.clear()
            elif letter in _CLOSING and self._waiting.get(_kind(letter)) and self._closes(index):
                found.append((self._close(_kind(letter)), index + 1))
            elif letter in _PAIRS and self._opens(index):
                kind = _kind(_PAIRS[letter])
                self._open.append((kind, index))
                self._waiting[kind] = self._waiting.get(kind, 0) + 1
        return found

    def _close(self, kind: str) -> int:
        """Close the last pair of a kind, and forget what was opened inside and never closed; where it began."""
        while True:
            opened, index = self._open.pop()
            self._waiting[opened] -= 1
            if opened == kind:
                return index

    def _opens(self, index: int) -> bool:
        return self._text[index] != "'" or not self._is_word(index - 1)

    def _closes(self, index: int) -> bool:
        return self._text[index] not in _APOSTROPHES or not (self._is_word(index - 1) and self._is_word(index + 1))

    def _is_word(self, index: int) -> bool:
        return 0 <= index < len(self._text) and self._text[index].isalnum() and self._text[index].isascii()


def _kind(closing: str) -> str:
    """Round brackets of either width close each other."""
    return ")" if closing == "）" else closing
