"""What the offline model takes from a request: the words said last, in which language, by whom the bot is called."""

import re
from dataclasses import dataclass
from hashlib import blake2b

from host.hooks.texts import Locale
from host.models.request import Message, ModelRequest

HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_MARKS = re.compile(r"^(?:\s*[\[【(（<][^\]】)）>\n]*[\]】)）>])+")
_SPEAKER = re.compile(r"^\s*([^\s:：,，。?？!！/\"“]{1,24})[:：](?!//)\s*")
_NAMES = re.compile(
    r"(?:your name is|you are called|also called|你的名字是|你的名字叫|你叫|别名(?:是|为)?|也叫)\s*[:：]?\s*"
    r"[\"'“「《]?([^\s\"'”」》,，。.;；:：!！、()（）]{1,32})",
    re.IGNORECASE,
)
_PRIVATE = re.compile(r"private chat|direct message|私聊", re.IGNORECASE)
_QUESTION = re.compile(
    r"[?？]|[吗呢么][。！!~～…]*$|什么|谁|哪里|哪个|怎么|如何|几点|多少|为什么"
    r"|^(?:what|who|whom|whose|where|when|why|how|which|can|could|do|does|is|are)(?![a-z])",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(
    r"(?:[,，、…]|\.\.\.)\s*$|^(?:wait|hold on|one moment|等等|等一下|稍等)[\s.。!！]*$", re.IGNORECASE
)
_MESSAGE_ID = re.compile(r"(?:msg_?id|message_?id|消息\s*id)[\"']?\s*[=:：]\s*[\"']?([\w-]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Heard:
    """What was said last, and to whom.

    Args:
        line: the last line of the last user's message, as it stands.
        words: the line without marks, speaker and the bot's name in front.
        names: what the bot is called.
        private: whether the system message speaks of a private chat.
        pictures: how many the last user's message holds.
        message_id: of the message, where the request tells it.
    """

    line: str
    words: str
    names: tuple[str, ...]
    private: bool
    pictures: int
    message_id: str | None

    @property
    def locale(self) -> Locale:
        """Chinese where the words hold a Chinese character, else English."""
        return "zh" if HAN.search(self.words or self.line) else "en"

    @property
    def addressed(self) -> bool:
        """Whether the line names the bot."""
        return any(_named(name).search(self.line) for name in self.names)

    @property
    def asks(self) -> bool:
        """Whether the words look like a question."""
        return _QUESTION.search(self.words) is not None

    @property
    def unfinished(self) -> bool:
        """Whether more seems to come."""
        return _UNFINISHED.search(self.words) is not None

    def choice(self, count: int) -> int:
        """A number below `count`, always the same for the same words."""
        return blake2b(self.words.encode("utf-8", "surrogatepass"), digest_size=4).digest()[0] % count


def heard(request: ModelRequest) -> Heard:
    """What the offline model takes from the request."""
    rules = "\n".join(message.text for message in request.messages if message.role == "system")
    last = next((message for message in reversed(request.messages) if message.role == "user"), Message("user"))
    names = tuple(dict.fromkeys(found.group(1) for found in _NAMES.finditer(rules)))
    lines = [line.strip() for line in last.text.splitlines() if line.strip()]
    line = lines[-1] if lines else ""
    ids = _MESSAGE_ID.findall(last.text)
    return Heard(
        line=line,
        words=_words(line, names),
        names=names,
        private=_PRIVATE.search(rules) is not None,
        pictures=len(last.images),
        message_id=ids[-1] if ids else None,
    )


def _words(line: str, names: tuple[str, ...]) -> str:
    words = _SPEAKER.sub("", _MARKS.sub("", line), count=1).strip()
    for name in names:
        words = re.sub(rf"^@?{_named(name).pattern}[\s,，:：!！、]*", "", words, count=1, flags=re.IGNORECASE)
    return words.strip()


def _named(name: str) -> re.Pattern[str]:
    """The name, not as a part of a longer Latin word: "mai" is not in "email"."""
    return re.compile(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", re.IGNORECASE)
