"""Which tool the offline model calls."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from host.models.offline.heard import HAN, Heard
from host.models.request import Tool

REPLY, NO_REPLY, WAIT, SEND_EMOJI = "reply", "no_reply", "wait", "send_emoji"
PLANNING_TOOLS = frozenset({REPLY, NO_REPLY, WAIT, SEND_EMOJI, "finish", "continue"})
"""Tools by which a plan itself is told, or the bot speaks; they are never chosen for the words of their description."""
_UNNAMED = PLANNING_TOOLS - {SEND_EMOJI}

_WORD = re.compile(r"[a-z][a-z0-9]{2,}")
_HAN_RUN = re.compile(HAN.pattern + "{2,}")
_STOP_WORDS = frozenset(
    _WORD.findall(
        "the and for with from that this when use used tool tools get gets set send give gives given let can could "
        "will would should has have had are was were not all any one two its his her your you they them what which who "
        "whom how why where about into onto over some user users message messages chat text name please current call "
        "calls return returns want wants like just only also more most than then there here"
    )
)
_STOP_PAIRS = frozenset(
    {
        "用户",
        "工具",
        "使用",
        "一个",
        "当前",
        "消息",
        "时候",
        "需要",
        "可以",
        "什么",
        "我们",
        "他们",
        "这个",
        "那个",
        "用于",
    }
)
_ENOUGH = 2


def named_tool(tools: Sequence[Tool], said: Heard) -> Tool | None:
    """The tool that the text names: its name, `_` and `-` read as spaces too, stands there as a word of its own."""
    line = said.line.lower()
    named = [tool for tool in tools if tool.name not in _UNNAMED and _is_named(tool.name.lower(), line)]
    return max(named, key=lambda tool: len(tool.name), default=None)


def fitting_tool(tools: Sequence[Tool], said: Heard) -> Tool | None:
    """The tool whose name and description share the most words with the text, and enough of them."""
    words = _words_of(said.line)
    scored = [(_score(tool, words), tool) for tool in tools if tool.name not in PLANNING_TOOLS]
    score, tool = max(scored, key=lambda each: each[0], default=(0, None))
    return tool if score >= _ENOUGH else None


def _is_named(name: str, line: str) -> bool:
    forms = {name, re.sub(r"[_-]+", " ", name)}
    return any(
        form in line and re.search(rf"(?<![a-z0-9_]){re.escape(form)}(?![a-z0-9_])", line) is not None for form in forms
    )


def _score(tool: Tool, words: frozenset[str]) -> int:
    """A word of the name weighs as much as two of the description."""
    of_name = _words_of(re.sub(r"[_-]+", " ", tool.name))
    return 2 * len(of_name & words) + len((_words_of(tool.description) - of_name) & words)


@lru_cache(maxsize=1024)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(_pieces(text.lower()))


def _pieces(text: str) -> Iterable[str]:
    """English words without those that stand everywhere, and pairs of Chinese characters."""
    yield from (word for word in _WORD.findall(text) if word not in _STOP_WORDS)
    for run in _HAN_RUN.findall(text):
        yield from (pair for pair in map("".join, pairwise(run)) if pair not in _STOP_PAIRS)
