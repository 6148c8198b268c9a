"""What the offline model takes from a request: the words said last, by whom, in which language, and to whom."""

import re
from dataclasses import dataclass
from hashlib import blake2b

from host.hooks.texts import Locale
from host.models.request import Message, ModelRequest

HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_MARK = r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]|【[^】]*】|[(（][^)）]*[)）]|<[^>]*>"
_MARKS = re.compile(rf"^(?:\s*(?:{_MARK}))+")
_MENTIONS = re.compile(rf"^(?:\s*(?:{_MARK}|@[^\s@]+(?=\s|$)))+")
_SPEAKER = re.compile(
    # As the bot tells a chat, with ids behind the name, and whom it is said to; or a name alone.
    r"^\s*(?:(?P<known>[^\n]{1,64}?)\s?[(（](?:user|用户)\s[^)）\n]*?(?:msg_id\s(?P<id>[^\s)）]+))?[)）]"
    r"(?P<to_bot>\sto you|对你说)?[:：]\s*"
    r"|(?P<alone>[^\s:：,，。?？!！/\"“]{1,24})[:：](?!//)\s*)"
)
_TOLD = re.compile(
    r"^\[[^\]\n]+\] [^\n]{1,64}?\s?[(（](?:user|用户)\s[^)）\n]*msg_id\s[^)）\n]*[)）]"
    r"(?:\sto you|对你说)?[:：].*(?:\n  .*)*",
    re.MULTILINE,
)
"""A message of a chat among the rules: the one that is to be answered, whatever was said after it."""
_NAMES = re.compile(
    r"(?:your name is|you are called|also called|你的名字是|你的名字叫|你叫|别名(?:是|为)?|也叫)\s*[:：]?\s*"
    r"[\"'“「《]?([^\s\"'”」》,，。.;；:：!！、()（）]{1,32})",
    re.IGNORECASE,
)
_PRIVATE = re.compile(r"private chat|direct message|私聊", re.IGNORECASE)
_REFERENCE = re.compile(r"^(?:For reference:|参考信息：)\n(.+?)(?=\n\n|\Z)", re.DOTALL | re.MULTILINE)
QUESTION = re.compile(
    r"[?？]|[吗呢么][。！!~～…]*$|什么|谁|哪里|哪个|怎么|如何|几点|多少|为什么"
    r"|^(?:what|who|whom|whose|where|when|why|how|which|can|could|do|does|is|are)(?![a-z])",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(
    r"(?:[,，、…]|\.\.\.)\s*$|^(?:wait|hold on|one moment|等等|等一下|稍等)[\s.。!！]*$", re.IGNORECASE
)
_TO_ALL = re.compile(
    r"(?:hi|hello|hey|good (?:morning|afternoon|evening|night))(?: (?:everyone|everybody|all|there|folks|friends))?"
    r"\s*(?:[!！.。,，~～]|$)"
    r"|(?:(?:大家|各位|你们?|您)?(?:早上|上午|中午|下午|晚上)?好|(?:大家|各位)?(?:早安|晚安|嗨|哈喽))[呀啊]?\s*(?:[!！.。,，~～]|$)",
    re.IGNORECASE,
)
_MESSAGE_ID = re.compile(r"(?:msg_?id|message_?id|消息\s*id)[\"']?\s*[=:：]\s*[\"']?([\w-]+)", re.IGNORECASE)
_KINDS = {
    "image": "picture",
    "图片": "picture",
    "sticker": "sticker",
    "表情包": "sticker",
    "voice": "voice",
    "语音": "voice",
    "file": "unread",
    "文件": "unread",
    "forwarded messages": "unread",
    "转发的消息": "unread",
    "other content": "unread",
    "其他内容": "unread",
}
_SHOWN = re.compile(rf"\[({'|'.join(_KINDS)})(?:[:：]\s*([^\[\]]*))?")


@dataclass(frozen=True, slots=True)
class Heard:
    """What was said last, and to whom.

    Args:
        line: the message of a chat that the system message tells, else the last thing that the last user's message
            tells; on one line.
        words: the same without marks, speaker and the bot's name in front; of a voice message what it says.
        speaker: who said it, or "".
        names: what the bot is called.
        to_bot: the line says that it is said to the bot.
        private: whether the system message speaks of a private chat.
        shows: what there is in the place of words: ``picture``, ``sticker``, ``voice`` or ``unread``; else "".
        message_id: of the message, where the request tells it.
        reference: facts that the system message gives for the answer, or "".
    """

    line: str
    words: str
    speaker: str
    names: tuple[str, ...]
    to_bot: bool
    private: bool
    shows: str
    message_id: str | None
    reference: str

    @property
    def locale(self) -> Locale:
        """Chinese where the words hold a Chinese character, else English."""
        return "zh" if HAN.search(self.words or self.line) else "en"

    @property
    def addressed(self) -> bool:
        """Whether the line is said to the bot, or names it."""
        return self.to_bot or any(_named(name).search(self.line) for name in self.names)

    @property
    def asks(self) -> bool:
        """Whether the words look like a question."""
        return QUESTION.search(self.words) is not None

    @property
    def unfinished(self) -> bool:
        """Whether more seems to come."""
        return _UNFINISHED.search(self.words) is not None

    @property
    def greets_all(self) -> bool:
        """Whether the words greet whoever is there, and nobody else by name."""
        return _TO_ALL.match(self.words) is not None

    def choice(self, count: int) -> int:
        """A number below `count`, always the same for the same words."""
        said = self.words or self.line
        return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=4).digest()[0] % count


def heard(request: ModelRequest) -> Heard:
    """What the offline model takes from the request."""
    rules = "\n".join(message.text for message in request.messages if message.role == "system")
    last = next((message for message in reversed(request.messages) if message.role == "user"), Message("user"))
    names = tuple(dict.fromkeys(found.group(1) for found in _NAMES.finditer(rules)))
    told = _TOLD.findall(rules)
    line = _last_line(told[-1] if told else last.text)
    rest = _MARKS.sub("", line)
    speaker = _SPEAKER.match(rest)
    said = rest[speaker.end() :] if speaker else line
    words, shows = _words(said, names), ""
    if not words and (shown := _SHOWN.search(said)):
        words, shows = (shown[2].strip(), "") if shown[2] and _KINDS[shown[1]] == "voice" else ("", _KINDS[shown[1]])
    elif not words and last.images:
        shows = "picture"
    ids = _MESSAGE_ID.findall(last.text)
    reference = _REFERENCE.search(rules)
    return Heard(
        line=line,
        words=words,
        speaker=(speaker["known"] or speaker["alone"]).strip() if speaker else "",
        names=names,
        to_bot=speaker is not None and speaker["to_bot"] is not None,
        private=_PRIVATE.search(rules) is not None,
        shows=shows,
        message_id=(speaker and speaker["id"]) or (ids[-1] if ids else None),
        reference=reference[1].strip() if reference else "",
    )


def _last_line(text: str) -> str:
    """The last line that is not blank, with what is indented below it, as the bot tells a message of several lines."""
    lines = [line for line in text.splitlines() if line.strip()]
    first = next((index for index in reversed(range(len(lines))) if not lines[index].startswith("  ")), 0)
    return " ".join(line.strip() for line in lines[first:])


def _words(said: str, names: tuple[str, ...]) -> str:
    words = _MENTIONS.sub("", said).strip()
    for name in names:
        words = re.sub(rf"^@?{_named(name).pattern}[\s,，:：!！、]*", "", words, count=1, flags=re.IGNORECASE)
    return words.strip()


def _named(name: str) -> re.Pattern[str]:
    """The name, not as a part of a longer Latin word: "mai" is not in "email"."""
    return re.compile(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", re.IGNORECASE)
