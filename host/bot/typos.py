"""Typing errors as people make them who type Chinese by its sound: another character that sounds the same."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

_COMMON = (range(0xB0, 0xD8), range(0xA1, 0xFF))
"""Rows and columns of GB 2312 that hold the 3,755 characters in common use; people type no others by mistake."""


class Typist:
    """Puts typing errors in.

    Args:
        rate: which share of the characters becomes another; 0 to 1.
        random: chooses; a seeded one makes the same errors each time.
    """

    def __init__(self, rate: float, random: Random | None = None) -> None:
        self._rate = rate
        self._random = random or Random()

    async def type(self, text: str) -> str:
        """A text with typing errors, of the same length. Whatever is not Chinese stays.

        The tables of sounds are loaded with the first text, in a thread: that takes its time, and some 60 MB.
        """
        sounds = await asyncio.to_thread(_sounds_of, text)
        return "".join(self._typed(letter, sound) for letter, sound in zip(text, sounds, strict=True))

    def _typed(self, letter: str, sound: str) -> str:
        others = [each for each in _common_by_sound().get(sound, "") if each != letter]
        return self._random.choice(others) if others and self._random.random() < self._rate else letter


def _sounds_of(text: str) -> list[str]:
    """How each character of a text sounds where it stands; "" for what is not Chinese."""
    from pypinyin import Style, lazy_pinyin

    _common_by_sound()
    # The library takes a list in the place of a text here, as its papers say and its types do not.
    errors: Any = _apart
    return lazy_pinyin(text, style=Style.TONE3, neutral_tone_with_five=True, errors=errors)


def _apart(letters: str) -> list[str]:
    """An empty sound for each character of a run that has none."""
    return [""] * len(letters)


@cache
def _common_by_sound() -> Mapping[str, str]:
    from pypinyin import Style, lazy_pinyin

    rows, columns = _COMMON
    found: dict[str, str] = defaultdict(str)
    for code in (bytes((row, column)) for row in rows for column in columns):
        letter = code.decode("gb2312", errors="ignore")
        if letter:
            found[lazy_pinyin(letter, style=Style.TONE3, neutral_tone_with_five=True)[0]] += letter
    return found
