"""A reply goes out in natural pieces: nothing is lost, and what belongs together stays together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.bot.splitting import Piece, SplittingSettings, split_reply
from host.bot.unbreakable import unbreakable

SHORT = SplittingSettings(min_length=1, max_length=20, max_pieces=99)

SENTENCES = SplittingSettings(min_length=1, max_length=60, max_pieces=99)

PUNCTUATION = [*"。，！?～“”\"'()`（）… \n", "```", ". ", "\n\n"]
OTHERS = ["a.b", "(≧▽≦)~", "T.T", "word", "你好", "https://a.b/c?d!"]
TEXTS = st.lists(st.sampled_from([*PUNCTUATION, *OTHERS]), max_size=40).map("".join) | st.text(max_size=60)
SETTINGS = st.builds(
    SplittingSettings,
    min_length=st.integers(1, 10),
    max_length=st.integers(1, 30),
    max_pieces=st.integers(1, 8),
)


def texts(reply: str, settings: SplittingSettings = SHORT) -> list[str]:
    return [piece.text for piece in split_reply(reply, settings)]


@given(TEXTS, SETTINGS)
def test_nothing_but_blanks_between_pieces_is_lost_and_the_order_is_kept(
    reply: str, settings: SplittingSettings
) -> None:
    rest = reply
    for piece in split_reply(reply, settings):
        before, found, rest = rest.partition(piece.text)
        assert found
        assert not before.strip()
        assert piece.text == piece.text.strip() != ""
    assert not rest.strip()


@given(TEXTS, SETTINGS)
def test_there_are_never_too_many_pieces_and_pauses_keep_their_bounds(reply: str, settings: SplittingSettings) -> None:
    pieces = split_reply(reply, settings)
    assert len(pieces) <= settings.max_pieces
    assert all(settings.min_pause_seconds <= piece.pause_seconds <= settings.max_pause_seconds for piece in pieces)


@given(TEXTS, SETTINGS)
def test_nothing_that_belongs_together_is_cut(reply: str, settings: SplittingSettings) -> None:
    closed = unbreakable(reply)
    place = 0
    for piece in split_reply(reply, settings):
        start = reply.index(piece.text, place)
        place = start + len(piece.text)
        assert not closed[start]
        assert not closed[place] or not reply[place:].strip()


@given(st.lists(st.sampled_from(["你好呀", "word", "，", "。", " ", ". "]), max_size=40).map("".join))
def test_a_piece_is_longer_than_allowed_only_where_there_is_no_place_to_cut(reply: str) -> None:
    for piece in texts(reply):
        # Marks alone are no piece of their own, and may come on top.
        words = piece.rstrip("，。. ")
        assert len(words) <= SHORT.max_length or not any(mark in words for mark in "，。 ")


@pytest.mark.parametrize(
    ("reply", "pieces"),
    [
        ("", []),
        (" \n ", []),
        ("你好呀！今天天气真好。去公园吗？", ["你好呀！", "今天天气真好。", "去公园吗？"]),
        ("Hello there. How are you? Fine!", ["Hello there.", "How are you?", "Fine!"]),
        ("第一行\n第二行", ["第一行", "第二行"]),
        ("他说“好的。我来！”然后走了。", ["他说“好的。我来！”", "然后走了。"]),
        ("你好。“我来。”", ["你好。", "“我来。”"]),
        ("don't go. 'Really. Stay.' ok.", ["don't go.", "'Really. Stay.' ok."]),
        ("版本是 3.14，见 v1.2.3 和 node.js 吧。好", ["版本是 3.14，见 v1.2.3 和 node.js 吧。", "好"]),
        ("Dr. Smith, e.g. him. Yes.", ["Dr. Smith, e.g. him.", "Yes."]),
        ("1. one\n2. two", ["1. one", "2. two"]),
        ("看 https://a.b/c?d=1!e。好", ["看 https://a.b/c?d=1!e。", "好"]),
        ("写信给 a.b@c.de. 好", ["写信给 a.b@c.de.", "好"]),
        ("`a! b` 是代码。对", ["`a! b` 是代码。", "对"]),
        ("```\na。b\n\nc!\n```\n看看。", ["```\na。b\n\nc!\n```", "看看。"]),
        ("```\nnever closed。a\nb", ["```\nnever closed。a\nb"]),
        ("可爱(≧▽≦)~哈！~(￣▽￣)~嘿！", ["可爱(≧▽≦)~", "哈！~(￣▽￣)~", "嘿！"]),
        ("好的！(≧▽≦)", ["好的！(≧▽≦)"]),
        ("T.T 好难过。呜", ["T.T 好难过。", "呜"]),
        ("（括号。里面）外面。好", ["（括号。里面）外面。", "好"]),
        ("(never closed。外面", ["(never closed。", "外面"]),
        ("3~5个。好", ["3~5个。", "好"]),
        ("好的～马上来", ["好的～", "马上来"]),
        ("a != b! c", ["a != b!", "c"]),
    ],
)
def test_replies_are_split_where_a_person_would(reply: str, pieces: list[str]) -> None:
    assert texts(reply, SENTENCES) == pieces


def test_a_long_sentence_is_split_at_commas_and_then_at_spaces() -> None:
    assert texts("今天天气真的非常好啊，我们一起去公园玩吧，你觉得怎么样呢") == [
        "今天天气真的非常好啊，",
        "我们一起去公园玩吧，你觉得怎么样呢",
    ]
    assert texts("one two three four five six") == ["one two three four", "five six"]


def test_short_pieces_join_their_neighbour() -> None:
    assert texts("嗯。好的呀，我知道了。", SplittingSettings()) == ["嗯。好的呀，我知道了。"]


def test_too_many_pieces_are_joined_evenly() -> None:
    settings = SplittingSettings(min_length=1, max_length=10, max_pieces=2)
    assert texts("一一。二二。三三。四四。", settings) == ["一一。二二。", "三三。四四。"]


def test_without_splitting_the_reply_is_one_piece() -> None:
    assert texts(" 你好。再见。 ", SplittingSettings(enabled=False)) == ["你好。再见。"]


def test_longer_pieces_take_longer_to_type() -> None:
    settings = SplittingSettings(
        han_per_second=2, letters_per_second=10, min_pause_seconds=0.5, max_pause_seconds=3, min_length=1
    )
    assert split_reply("好\n你好呀\nhello world\n这一句话太长太长了", settings) == [
        Piece("好", 0.5),
        Piece("你好呀", 1.5),
        Piece("hello world", 1.1),
        Piece("这一句话太长太长了", 3),
    ]
