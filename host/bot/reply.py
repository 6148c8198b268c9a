"""What the bot answers. Here the small offline replier; one that asks a language model has the same shape."""

import re
from dataclasses import dataclass
from typing import Protocol

from host.bot.message import SessionMessage
from host.bot.profile import BotProfile
from host.bot.texts import BOT_TEXTS
from host.hooks.texts import Locale


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer.

    Args:
        text: what to say.
        quote: whether to quote the message that is answered.
    """

    text: str
    quote: bool = False


class Replier(Protocol):
    """Decides whether a message is answered, and how."""

    async def reply(self, message: SessionMessage) -> Reply | None:
        """The answer to a message that was processed, or None to stay silent."""
        ...


_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_MARKER = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]|@\S+")
_SENTENCE_END = re.compile(r"(?<=[。！？])|(?<=[.!?])\s+|\n")

_GREETING = re.compile(
    r"(hi|hello|hey|good (morning|afternoon|evening))(?![a-z])"
    r"|(你|您|大家)好|(大家)?(早上|上午|中午|下午|晚上)好|早安|嗨|哈喽",
    re.IGNORECASE,
)
_THANKS = re.compile(r"(thanks|thank you|thx)(?![a-z])|谢谢|多谢|感谢", re.IGNORECASE)
_FAREWELL = re.compile(r"(bye|goodbye|good night|see you)(?![a-z])|再见|拜拜|晚安|回头见", re.IGNORECASE)
_QUESTION = re.compile(
    r".*[?？]|.*[吗呢么][。！!~～…]*$|.*(什么|谁|哪里|哪个|怎么|如何|几点|多少)"
    r"|(what|who|whom|whose|where|when|why|how|which)(?![a-z])",
    re.IGNORECASE | re.DOTALL,
)
_KINDS = (
    ("reply_question", _QUESTION),
    ("reply_greeting", _GREETING),
    ("reply_thanks", _THANKS),
    ("reply_farewell", _FAREWELL),
)
"""The first pattern that fits says what kind of thing a text is: "hello, how are you?" is a question."""

_GIST_LENGTH = 60


class OfflineReplier:
    """Answers without any model: greets back, says honestly that a question is beyond it, repeats the gist of the rest.

    The same message always gets the same answer, in Chinese where the message holds a Chinese character, else in
    English. It stays silent to notices of the platform, to the bot's own messages, and to pictures and the like that
    nobody addressed to it.

    Args:
        profile: the bot's names.
    """

    def __init__(self, profile: BotProfile) -> None:
        self._profile = profile
        names = "|".join(re.escape(name) for name in (profile.nickname, *profile.aliases) if name)
        # Not a part of a longer Latin word: "mai" is not in "email".
        self._name = re.compile(rf"(?<![a-z0-9])(?:{names})(?![a-z0-9])[\s,，:：!！、]*", re.IGNORECASE)

    async def reply(self, message: SessionMessage) -> Reply | None:
        """The answer; it quotes a message that names the bot."""
        own_id = message.account_id or self._profile.account_id
        if message.is_notify or message.user_info.user_id == own_id:
            return None
        named = self._is_named(message, own_id)
        words = _MARKER.sub(" ", message.text).strip()
        if call := self._name.match(words):
            words = words[call.end() :]
        if not words and not (named or message.group_info is None):
            return None
        return Reply(self._answer(words, message), quote=named)

    def _is_named(self, message: SessionMessage, own_id: str) -> bool:
        """Whether the message names the bot: by the platform's word, by an @, or in its text."""
        if message.is_at or message.is_mentioned:
            return True
        mentions = (segment["data"]["target_user_id"] for segment in message.raw_message if segment["type"] == "at")
        if own_id in mentions:
            return True
        return self._name.search(message.text) is not None

    def _answer(self, words: str, message: SessionMessage) -> str:
        name = message.user_info.shown_name
        locale: Locale = "zh" if _HAN.search(words or name) else "en"
        fields = {"name": name, "nickname": self._profile.nickname, "gist": _gist(words)}
        return BOT_TEXTS.render(self._kind(words), fields, locale)

    def _kind(self, words: str) -> str:
        if not words:
            return "reply_no_words"
        return next((kind for kind, pattern in _KINDS if pattern.match(words)), "reply_statement")


def _gist(words: str) -> str:
    """The first sentence that asks, else the first, on one line, cut where it gets long."""
    sentences = _SENTENCE_END.split(words)
    sentence = next((each for each in sentences if _QUESTION.match(each)), sentences[0])
    gist = " ".join(sentence.split()).rstrip(".。")
    return gist if len(gist) <= _GIST_LENGTH else gist[:_GIST_LENGTH].rstrip() + "…"
