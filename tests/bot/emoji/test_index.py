"""Emoji by their tags: which one fits, which are alike, which makes room."""

from random import Random
from typing import Any

import pytest

from host.bot.emoji.emotions import family_of, tags_of, tidied, words_in
from host.bot.emoji.index import EmojiIndex
from tests.storage.test_emojis import emoji


def index_of(**tags: str) -> EmojiIndex:
    """Emoji by hash, with their tags."""
    index = EmojiIndex(Random(7))
    for name, description in tags.items():
        index.add(emoji(name, description=description, emotions=tags_of(description)))
    return index


FITTING = [
    ("happy", "happy"),
    ("Joyful", "happy"),
    ("开心", "happy"),
    ("开心的", "happy"),
    ("hapy", "happy"),
    ("cute; sad", "sad"),
    ("生气", "angry"),
    ("不开心", None),
    ("hungry", None),
    ("", None),
]


@pytest.mark.parametrize(("emotion", "expected"), FITTING)
def test_a_tag_fits_that_is_the_word_or_means_the_same_or_is_spelled_like_it(
    emotion: str, expected: str | None
) -> None:
    found = index_of(a="Happy", b="sad, crying cat", c="发火").fitting(emotion, 1)
    names = {"happy": "a", "sad": "b", "angry": "c", None: None}
    assert (found[0][0].image_hash if found else None) == names[expected]


def test_those_that_fit_best_come_first_and_no_more_than_wanted() -> None:
    index = index_of(a="joyful", b="happpy", c="happy", d="sad")
    assert [(each.image_hash, tag) for each, tag in index.fitting("happy", 3)] == [
        ("c", "happy"),
        ("a", "joyful"),
        ("b", "happpy"),
    ]
    assert len(index.fitting("happy", 2)) == 2


def test_the_most_alike_is_drawn_from_ten() -> None:
    index = index_of(**{f"h{number}": "happy, waving" for number in range(9)}, sad="sad", cat="waving, cat")
    drawn = {found.image_hash for _ in range(200) if (found := index.like("happy, waving cat"))}
    assert len(drawn) == 10
    assert "sad" not in drawn
    assert index_of().like("happy") is None
    assert index_of(a="x").like("unlike anything") is not None  # Somewhat alike are all.


def test_what_left_is_found_no_more() -> None:
    index = index_of(a="happy", b="happy, sad", c="angry")
    index.remove("b")
    index.remove("nobody")
    assert ([each.image_hash for each in index.all()], index.emotions()) == (["a", "c"], ["angry", "happy"])
    assert {each.image_hash for each in index.draw(9)} == {"a", "c"}
    assert index.fitting("sad", 9) == []
    index.add(emoji("a", emotions=["shy"]))
    assert (len(index), index.emotions()) == (2, ["angry", "shy"])


def test_the_least_used_of_longest_ago_makes_room_first() -> None:
    index = EmojiIndex(Random(7))
    for name, values in {
        "often": {"query_count": 9, "last_used_time": 1.0},
        "late": {"query_count": 1, "last_used_time": 8.0},
        "early": {"query_count": 1, "last_used_time": 3.0},
        "new": {"register_time": 9.0},
        "old": {"register_time": 2.0},
    }.items():
        changes: dict[str, Any] = values
        index.add(emoji(name, **changes))
    assert [each.image_hash for each in index.least_used(4)] == ["old", "new", "early", "late"]
    assert index.least_used(0) == []


def test_words_and_tags_are_read_as_people_write_them() -> None:
    assert tags_of(" happy，sad;; happy\n 累、“酷”。") == ["happy", "sad", "累", "酷"]
    assert tidied(["x" * 50]) == ["x" * 40]
    assert words_in("IMG_2041-happy_cat (copy)") == "happy cat"
    assert words_in("[动画表情] 开心") == "开心"
    assert family_of("laughing cat") == family_of("哈哈哈") == family_of("HAPPY")
    assert family_of("不开心") is None
