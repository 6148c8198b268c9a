"""Reasoning at the start of a text is taken out, however the text is cut into pieces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.models.thinking import ThinkingSplitter, split_thinking


@pytest.mark.parametrize(
    ("whole", "text", "reasoning"),
    [
        ("Hi.", "Hi.", ""),
        ("<think>Hm.</think>Hi.", "Hi.", "Hm."),
        ("\n <think>Hm.</think>\n\nHi.", "Hi.", "Hm."),
        ("<think></think>Hi.", "Hi.", ""),
        ("<think>cut off", "", "cut off"),
        ("<think>a</thi b</think>c", "c", "a</thi b"),
        ("Use <think>this</think>.", "Use <think>this</think>.", ""),
        ("<thinking>x", "<thinking>x", ""),
        ("<thi", "<thi", ""),
        ("  ", "  ", ""),
    ],
)
@given(st.data())
def test_every_way_of_cutting_tells_the_same(whole: str, text: str, reasoning: str, data: st.DataObject) -> None:
    assert split_thinking(whole) == (text, reasoning)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=8)))
    splitter = ThinkingSplitter()
    told = [splitter.feed(whole[begin:end]) for begin, end in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    told.append(splitter.end())
    assert ("".join(each[0] for each in told), "".join(each[1] for each in told)) == (text, reasoning)
