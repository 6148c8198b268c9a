"""Typing errors are characters that sound the same, and nothing else of a text changes."""

from random import Random

from pypinyin import Style, lazy_pinyin

from host.bot.typos import Typist

TEXT = "今天的天气真好，ok？(◕‿◕) 龘 we go 一起去公园"


async def test_a_typing_error_sounds_like_what_was_meant_and_the_rest_stays() -> None:
    typed = await Typist(1.0, Random(1)).type(TEXT)
    assert len(typed) == len(TEXT)
    changed = [(was, now) for was, now in zip(TEXT, typed, strict=True) if was != now]
    assert len(changed) > 8
    assert "，ok？(◕‿◕) " in typed
    assert " we go " in typed
    for was, now in changed:
        assert lazy_pinyin(now, style=Style.NORMAL) == lazy_pinyin(was, style=Style.NORMAL)


async def test_as_many_characters_change_as_the_rate_says() -> None:
    meant = "天气真好" * 500
    typed = await Typist(0.02, Random(1)).type(meant)
    assert 20 < sum(was != now for was, now in zip(meant, typed, strict=True)) < 60
    assert await Typist(0.0).type(meant) == meant
