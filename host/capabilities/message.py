"""``message.*``: what was said, as the storage keeps it."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Generic, Protocol, TypeVar

from pydantic import Field
from typing_extensions import TypedDict

from host.capabilities.arguments import Arguments, Id, also
from host.capabilities.capability import Capability, CapabilitySpec
from host.capabilities.errors import ArgumentProblem, RefusalError, WrongArgumentsError
from host.capabilities.readable import MODES, Readable
from host.capabilities.segments import without_bytes
from host.runtime import Plugin
from maibot_sdk.hooks import Text

Row = TypeVar("Row")
Found = TypeVar("Found", covariant=True)


class Messages(Protocol[Found]):
    """The messages of all chats. The storage has such a room. Times are seconds since 1970."""

    async def get(self, message_id: str, *, session_id: str | None = None) -> Found | None:
        """The latest message with a platform's id, of one chat or of any."""

    async def between(
        self,
        start: float,
        end: float,
        *,
        session_id: str | None = None,
        limit: int | None = None,
        earliest: bool = False,
        own: bool = True,
        commands: bool = True,
    ) -> Sequence[Found]:
        """The messages of a time, both ends included, the oldest first; with a limit the latest of them, or the
        earliest; without the bot's own, without commands."""

    async def count(self, session_id: str, *, after: float, until: float | None = None) -> int:
        """How many messages a chat has that are later than a moment, up to another one."""


class MaybeMessage(TypedDict):
    """A session message dict, or None."""

    success: bool
    message: dict[str, Any] | None


class ManyMessages(TypedDict):
    """Session message dicts, the oldest first."""

    success: bool
    messages: list[dict[str, Any]]


class Count(TypedDict):
    """A number."""

    success: bool
    count: int


class ReadableText(TypedDict):
    """A line for each message."""

    success: bool
    text: str


Limit = Annotated[int, Field(ge=0)]


class _ById(Arguments):
    message_id: Id = also("message_id", "msg_id")
    chat_id: str = ""
    stream_id: str = ""
    include_binary_data: bool = False


class _Listing(Arguments):
    limit: Limit = 0
    limit_mode: str = "latest"
    filter_mai: bool = False
    include_binary_data: bool = False


class _ByTime(_Listing):
    start_time: float = 0.0
    end_time: float = 0.0


class _ByTimeInChat(_ByTime):
    chat_id: Id
    filter_command: bool = False


class _Recent(_Listing):
    chat_id: Id
    hours: Annotated[float, Field(ge=0)] = 24.0
    limit: Limit = 100


class _CountNew(Arguments):
    chat_id: Id
    since: float | None = None
    start_time: float = 0.0
    end_time: float | None = None


class _BuildReadable(Arguments):
    messages: list[dict[str, Any]] | None = None
    chat_id: str = ""
    start_time: float = 0.0
    end_time: float = 0.0
    limit: Limit = 0
    replace_bot_name: bool = True
    timestamp_mode: str | None = "relative"
    truncate: bool = False


BY_ID = CapabilitySpec("message.get_by_id", _ById, MaybeMessage, Text("A message by its id.", "按 ID 查找消息。"))
BY_TIME = CapabilitySpec(
    "message.get_by_time",
    _ByTime,
    ManyMessages,
    Text("The messages of a time, of all chats.", "某段时间内所有会话的消息。"),
)
BY_TIME_IN_CHAT = CapabilitySpec(
    "message.get_by_time_in_chat",
    _ByTimeInChat,
    ManyMessages,
    Text("The messages of a time in one chat.", "某段时间内一个会话的消息。"),
)
RECENT = CapabilitySpec(
    "message.get_recent", _Recent, ManyMessages, Text("The latest messages of a chat.", "一个会话最近的消息。")
)
COUNT_NEW = CapabilitySpec(
    "message.count_new", _CountNew, Count, Text("How many came to a chat after a time.", "某时刻之后一个会话的消息数。")
)
BUILD_READABLE = CapabilitySpec(
    "message.build_readable",
    _BuildReadable,
    ReadableText,
    Text("Messages as text, a line each.", "把消息写成文本，每条一行。"),
)
MESSAGE = (BY_ID, BY_TIME, BY_TIME_IN_CHAT, RECENT, COUNT_NEW, BUILD_READABLE)


class MessageFamily(Generic[Row]):
    """What was said.

    Args:
        messages: where it is kept.
        as_dict: a stored message as a session message dict, with its segments.
        readable: writes messages as text.
        clock: what time it is, in seconds since 1970.
    """

    def __init__(
        self,
        messages: Messages[Row],
        as_dict: Callable[[Row], Mapping[str, Any]],
        readable: Readable,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._messages = messages
        self._as_dict = as_dict
        self._readable = readable
        self._clock = clock

    def offers(self) -> Iterable[Capability]:
        """``message.*``."""
        return (
            BY_ID.by(self._by_id),
            BY_TIME.by(lambda plugin, asked: self._list(asked, asked.start_time, asked.end_time)),
            BY_TIME_IN_CHAT.by(self._by_time_in_chat),
            RECENT.by(self._recent),
            COUNT_NEW.by(self._count_new),
            BUILD_READABLE.by(self._build_readable),
        )

    async def _by_id(self, plugin: Plugin, asked: _ById) -> MaybeMessage:
        found = await self._messages.get(asked.message_id, session_id=asked.chat_id or asked.stream_id or None)
        message = None if found is None else self._shown(found, binary=asked.include_binary_data)
        return {"success": True, "message": message}

    async def _by_time_in_chat(self, plugin: Plugin, asked: _ByTimeInChat) -> ManyMessages:
        commands = not asked.filter_command
        return await self._list(asked, asked.start_time, asked.end_time, session_id=asked.chat_id, commands=commands)

    async def _recent(self, plugin: Plugin, asked: _Recent) -> ManyMessages:
        now = self._clock()
        return await self._list(asked, now - asked.hours * 3600, now, session_id=asked.chat_id)

    async def _count_new(self, plugin: Plugin, asked: _CountNew) -> Count:
        after = asked.start_time if asked.since is None else asked.since
        return {"success": True, "count": await self._messages.count(asked.chat_id, after=after, until=asked.end_time)}

    async def _build_readable(self, plugin: Plugin, asked: _BuildReadable) -> ReadableText:
        mode = asked.timestamp_mode or ""
        if mode not in MODES:
            raise RefusalError("timestamp_mode", found=repr(mode), allowed=", ".join(map(repr, MODES)))
        messages: Sequence[Mapping[str, Any]]
        if asked.messages is not None:
            messages = asked.messages
        elif asked.chat_id:
            limit = asked.limit or None
            rows = await self._messages.between(asked.start_time, asked.end_time, session_id=asked.chat_id, limit=limit)
            messages = list(map(self._as_dict, rows))
        else:
            raise WrongArgumentsError(BUILD_READABLE.name, (ArgumentProblem("messages", "list[dict]"),))
        text = self._readable.text(messages, mode, you=asked.replace_bot_name, short=asked.truncate)
        return {"success": True, "text": text}

    async def _list(
        self, asked: _Listing, start: float, end: float, *, session_id: str | None = None, commands: bool = True
    ) -> ManyMessages:
        found = await self._messages.between(
            start,
            end,
            session_id=session_id,
            limit=asked.limit or None,
            earliest=asked.limit_mode == "earliest",
            own=not asked.filter_mai,
            commands=commands,
        )
        return {"success": True, "messages": [self._shown(row, binary=asked.include_binary_data) for row in found]}

    def _shown(self, row: Row, *, binary: bool) -> dict[str, Any]:
        message = dict(self._as_dict(row))
        return message if binary else {**message, "raw_message": without_bytes(message["raw_message"])}
