"""``knowledge.*``: what the bot knows, found by its words."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from typing_extensions import TypedDict

from host.capabilities.arguments import Arguments, Id
from host.capabilities.capability import Capability, CapabilitySpec
from host.capabilities.errors import ArgumentProblem, WrongArgumentsError
from host.capabilities.texts import CAPABILITY_TEXTS
from host.hooks.texts import Locale
from host.runtime import Plugin
from host.storage import Knowledge, Known, Where
from maibot_sdk.hooks import Text

DEFAULT_LIMIT, MOST = 5, 100
"""How many lines there are where a plugin does not say, and at most."""
LONGEST_LINE = 160


class Content(TypedDict):
    """A text: an introduction and numbered lines, or a sentence that nothing is known."""

    success: bool
    content: str


class _Search(Arguments):
    query: Id
    limit: Any = DEFAULT_LIMIT
    chat_id: str = ""
    person_id: str = ""
    user_id: str = ""
    group_id: str = ""
    time_start: str | float | None = None
    time_end: str | float | None = None


SEARCH = CapabilitySpec(
    "knowledge.search",
    _Search,
    Content,
    Text(
        "What was said in the bot's chats, and what it remembers of people, by words in any script.",
        "按词语（任何文字）查找聊天中说过的话和机器人记得的人物信息。",
    ),
)
KNOWLEDGE = (SEARCH,)


class KnowledgeFamily:
    """What the bot knows.

    Args:
        knowledge: keeps it.
        locale: of the words between.
    """

    def __init__(self, knowledge: Knowledge, locale: Locale = "en") -> None:
        self._knowledge = knowledge
        self._locale = locale

    def offers(self) -> Iterable[Capability]:
        """``knowledge.*``."""
        return (SEARCH.by(self._search),)

    async def _search(self, plugin: Plugin, asked: _Search) -> Content:
        where = Where(
            session_id=asked.chat_id or None,
            group_id=asked.group_id or None,
            user_id=asked.user_id or None,
            person_id=asked.person_id or None,
            since=_moment("time_start", asked.time_start),
            until=_moment("time_end", asked.time_end),
        )
        found = await self._knowledge.search(asked.query, _limit(asked.limit), where)
        if not found:
            return {"success": True, "content": self._say("nothing_known", query=asked.query)}
        lines = [f"{number}. {self._line(known)}"[:LONGEST_LINE] for number, known in enumerate(found, 1)]
        return {"success": True, "content": "\n".join([self._say("known", query=asked.query), *lines])}

    def _line(self, known: Known) -> str:
        words = " ".join(known.text.split())
        if known.kind != "message":
            return self._say("known_of", name=known.speaker, text=words)
        when = f"{datetime.fromtimestamp(known.timestamp):%Y-%m-%d %H:%M}"
        return self._say("known_said", time=when, name=known.speaker, text=words)

    def _say(self, code: str, **fields: object) -> str:
        return CAPABILITY_TEXTS.render(code, fields, self._locale)


def _limit(given: object) -> int:
    """What is no number counts as the default, and less than 1 as 1, as authors know it."""
    try:
        return min(max(int(str(given)), 1), MOST)
    except ValueError:
        return DEFAULT_LIMIT


def _moment(name: str, given: str | float | None) -> float | None:
    """Seconds since 1970 of a number or an ISO time; None for nothing."""
    if given is None or given == "":
        return None
    try:
        return float(given)
    except ValueError:
        try:
            return datetime.fromisoformat(str(given)).timestamp()
        except (ValueError, OverflowError):
            problem = ArgumentProblem(name, "float | ISO time", f"{given!r:.60}")
            raise WrongArgumentsError(SEARCH.name, (problem,)) from None
