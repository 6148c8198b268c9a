"""``chat.*``: the chats that the bot takes part in, here called streams."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from typing_extensions import TypedDict

from host.capabilities.arguments import Arguments, Id, also
from host.capabilities.capability import Answer, Capability, CapabilitySpec
from host.capabilities.errors import ArgumentProblem, WrongArgumentsError
from host.runtime import Plugin
from maibot_sdk.hooks import Text

ChatType = Literal["group", "private"]
EVERY_PLATFORM = "all_platforms"


class Chat(Protocol):
    """A chat, as it is stored."""

    @property
    def session_id(self) -> str: ...
    @property
    def platform(self) -> str: ...
    @property
    def account_id(self) -> str | None: ...
    @property
    def scope(self) -> str | None: ...
    @property
    def user_id(self) -> str | None: ...
    @property
    def user_nickname(self) -> str | None: ...
    @property
    def user_cardname(self) -> str | None: ...
    @property
    def group_id(self) -> str | None: ...
    @property
    def group_name(self) -> str | None: ...


class Chats(Protocol):
    """The chats that are known, in the order in which they came to be. The storage has such a room."""

    async def all(self, *, platform: str | None = None, chat_type: ChatType | None = None) -> Sequence[Chat]:
        """The chats, those of a platform, those of a type."""

    async def of_group(self, group_id: str, *, platform: str | None = None) -> Chat | None:
        """The first chat of a group, or None."""

    async def of_user(self, user_id: str, *, platform: str | None = None) -> Chat | None:
        """The first private chat with a user, or None."""


@dataclass(frozen=True, slots=True)
class ChatTarget:
    """What names a chat: a group or a user, and the route there.

    Args:
        platform: its platform.
        group_id: the group, or None.
        user_id: the partner of a private chat, or None.
        account_id: the bot's account, or None.
        scope: the routing label, or None.
    """

    platform: str
    group_id: str | None = None
    user_id: str | None = None
    account_id: str | None = None
    scope: str | None = None


OpenChat = Callable[[ChatTarget], Awaitable[tuple[Chat, bool]]]
"""Makes sure that a chat is known: the chat, and whether it is new."""


class Stream(TypedDict):
    """A chat as plugins know it."""

    session_id: str
    stream_id: str
    platform: str
    user_id: str | None
    user_nickname: str | None
    user_cardname: str | None
    group_id: str | None
    group_name: str | None
    account_id: str | None
    scope: str | None
    is_group_session: bool
    chat_type: ChatType


class Streams(TypedDict):
    """Some chats."""

    success: bool
    streams: list[Stream]


class MaybeStream(TypedDict):
    """A chat, or None."""

    success: bool
    stream: Stream | None


class Opened(TypedDict):
    """A chat, and whether it is new; the keys of the chat stand beside these too."""

    success: bool
    created: bool
    stream: Stream


class _OfPlatform(Arguments):
    platform: str = "qq"


class _OfGroup(_OfPlatform):
    group_id: Id


class _OfUser(_OfPlatform):
    user_id: Id


class _Open(Arguments):
    platform: str = "qq"
    chat_type: str = also("chat_type", "type", default="")
    user_id: str = ""
    group_id: str = ""
    account_id: str = ""
    scope: str = ""


ALL = CapabilitySpec(
    "chat.get_all_streams",
    _OfPlatform,
    Streams,
    Text("The chats of a platform; of every one with all_platforms.", "某平台的会话；all_platforms 表示所有平台。"),
)
GROUPS = CapabilitySpec("chat.get_group_streams", _OfPlatform, Streams, Text("The chats of groups.", "群聊会话。"))
PRIVATE = CapabilitySpec("chat.get_private_streams", _OfPlatform, Streams, Text("The private chats.", "私聊会话。"))
OF_GROUP = CapabilitySpec(
    "chat.get_stream_by_group_id", _OfGroup, MaybeStream, Text("The chat of a group.", "某个群的会话。")
)
OF_USER = CapabilitySpec(
    "chat.get_stream_by_user_id", _OfUser, MaybeStream, Text("The private chat with a user.", "与某用户的私聊会话。")
)
OPEN = CapabilitySpec(
    "chat.open_session", _Open, Opened, Text("Makes sure that a chat exists.", "确保某个会话存在并取得它。")
)
CHAT = (ALL, GROUPS, PRIVATE, OF_GROUP, OF_USER, OPEN)


class ChatFamily:
    """The chats of the bot.

    Args:
        chats: those that are known.
        opening: makes one known.
    """

    def __init__(self, chats: Chats, opening: OpenChat) -> None:
        self._chats = chats
        self._open_chat = opening

    def offers(self) -> Iterable[Capability]:
        """``chat.*``, but for pictures."""
        return (
            ALL.by(lambda plugin, asked: self._streams(asked, None)),
            GROUPS.by(lambda plugin, asked: self._streams(asked, "group")),
            PRIVATE.by(lambda plugin, asked: self._streams(asked, "private")),
            OF_GROUP.by(self._of_group),
            OF_USER.by(self._of_user),
            OPEN.by(self._open),
        )

    async def _streams(self, asked: _OfPlatform, chat_type: ChatType | None) -> Streams:
        found = await self._chats.all(platform=_platform(asked), chat_type=chat_type)
        return {"success": True, "streams": [stream_of(chat) for chat in found]}

    async def _of_group(self, plugin: Plugin, asked: _OfGroup) -> MaybeStream:
        return _maybe(await self._chats.of_group(asked.group_id, platform=_platform(asked)))

    async def _of_user(self, plugin: Plugin, asked: _OfUser) -> MaybeStream:
        return _maybe(await self._chats.of_user(asked.user_id, platform=_platform(asked)))

    async def _open(self, plugin: Plugin, asked: _Open) -> Answer:
        named = asked.chat_type.strip().lower()
        group = named == "group" or (named != "private" and bool(asked.group_id))
        target = ChatTarget(
            asked.platform,
            group_id=_needed("group_id", asked.group_id) if group else None,
            user_id=None if group else _needed("user_id", asked.user_id),
            account_id=asked.account_id or None,
            scope=asked.scope or None,
        )
        chat, created = await self._open_chat(target)
        stream = stream_of(chat)
        return {**stream, "success": True, "created": created, "stream": stream}


def stream_of(chat: Chat) -> Stream:
    """A chat as plugins know it."""
    is_group = bool(chat.group_id)
    return {
        "session_id": chat.session_id,
        "stream_id": chat.session_id,
        "platform": chat.platform,
        "user_id": chat.user_id,
        "user_nickname": chat.user_nickname,
        "user_cardname": chat.user_cardname,
        "group_id": chat.group_id,
        "group_name": chat.group_name,
        "account_id": chat.account_id,
        "scope": chat.scope,
        "is_group_session": is_group,
        "chat_type": "group" if is_group else "private",
    }


def _maybe(chat: Chat | None) -> MaybeStream:
    return {"success": True, "stream": None if chat is None else stream_of(chat)}


def _platform(asked: _OfPlatform) -> str | None:
    return None if asked.platform == EVERY_PLATFORM else asked.platform


def _needed(name: str, value: str) -> str:
    if not value.strip():
        raise WrongArgumentsError(OPEN.name, (ArgumentProblem(name, "str"),))
    return value.strip()
