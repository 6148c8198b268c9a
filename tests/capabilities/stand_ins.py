"""Stand-ins, in memory, for what the capabilities are handed: the storage, the models, the gateways. They keep to the
protocols and to nothing else; the rooms themselves have tests of their own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import md5
from typing import Any

from host.capabilities import ChatTarget, GatewayState, RoutedMessage
from host.runtime import Plugin


@dataclass(frozen=True)
class StoredChat:
    """A chat."""

    session_id: str
    platform: str = "qq"
    account_id: str | None = None
    scope: str | None = None
    user_id: str | None = None
    user_nickname: str | None = None
    user_cardname: str | None = None
    group_id: str | None = None
    group_name: str | None = None


class ChatsInMemory:
    """Stands in for the chats of the storage."""

    def __init__(self, *chats: StoredChat) -> None:
        self.chats = list(chats)

    async def get(self, session_id: str) -> StoredChat | None:
        """The chat of that name."""
        return next((each for each in self.chats if each.session_id == session_id), None)

    async def all(self, *, platform: str | None = None, chat_type: str | None = None) -> Sequence[StoredChat]:
        """The chats, of a platform and a type."""
        of_type = {None: (True, False), "group": (True,), "private": (False,)}[chat_type]
        return [
            each for each in self.chats if platform in (None, each.platform) and (each.group_id is not None) in of_type
        ]

    async def of_group(self, group_id: str, *, platform: str | None = None) -> StoredChat | None:
        """The first chat of a group."""
        return next((each for each in await self.all(platform=platform) if each.group_id == group_id), None)

    async def of_user(self, user_id: str, *, platform: str | None = None) -> StoredChat | None:
        """The first private chat with a user."""
        private = await self.all(platform=platform, chat_type="private")
        return next((each for each in private if each.user_id == user_id), None)

    async def open(self, target: ChatTarget) -> tuple[StoredChat, bool]:
        """Make sure that a chat is known."""
        name = md5(repr(target).encode(), usedforsecurity=False).hexdigest()
        if known := await self.get(name):
            return known, False
        opened = StoredChat(
            name, target.platform, target.account_id, target.scope, user_id=target.user_id, group_id=target.group_id
        )
        self.chats.append(opened)
        return opened, True


@dataclass(frozen=True)
class StoredMessage:
    """A message as a row."""

    message_id: str
    timestamp: float
    session_id: str
    text: str
    user_id: str = "555"
    own: bool = False
    command: bool = False

    def as_dict(self) -> dict[str, Any]:
        """As a session message dict."""
        picture = {"type": "image", "data": "a cat", "hash": "0f", "binary_data_base64": "aGk="}
        return {
            "message_id": self.message_id,
            "timestamp": str(self.timestamp),
            "platform": "qq",
            "account_id": "10001",
            "message_info": {"user_info": {"user_id": self.user_id, "user_nickname": "Lin", "user_cardname": None}},
            "raw_message": [{"type": "text", "data": self.text}, picture],
            "session_id": self.session_id,
            "processed_plain_text": self.text,
        }


class MessagesInMemory:
    """Stands in for the messages of the storage."""

    def __init__(self, *messages: StoredMessage) -> None:
        self.messages = sorted(messages, key=lambda each: each.timestamp)

    async def get(self, message_id: str, *, session_id: str | None = None) -> StoredMessage | None:
        """The latest of that id."""
        found = [
            each for each in self.messages if each.message_id == message_id and session_id in (None, each.session_id)
        ]
        return found[-1] if found else None

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
    ) -> Sequence[StoredMessage]:
        """Those of a time."""
        found = [
            each
            for each in self.messages
            if start <= each.timestamp <= end
            and session_id in (None, each.session_id)
            and (own or not each.own)
            and (commands or not each.command)
        ]
        if limit is None:
            return found
        return found[:limit] if earliest else found[-limit:]

    async def count(self, session_id: str, *, after: float, until: float | None = None) -> int:
        """How many are later."""
        last = float("inf") if until is None else until
        return sum(each.session_id == session_id and after < each.timestamp <= last for each in self.messages)


class NoModelError(Exception):
    """A model failed."""


@dataclass(frozen=True)
class Tokens:
    """Tokens of one call."""

    prompt_tokens: int = 12
    completion_tokens: int = 3
    total_tokens: int = 15
    cached_tokens: int = 2
    uncached_tokens: int = 10


@dataclass(frozen=True)
class Call:
    """A call of a tool."""

    id: str
    name: str
    arguments: Mapping[str, Any]
    extra_content: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Said:
    """An answer."""

    text: str
    reasoning: str = ""
    tool_calls: tuple[Call, ...] = ()
    usage: Tokens = field(default_factory=Tokens)
    model: str = "small"


@dataclass(frozen=True)
class Vectors:
    """Vectors of texts."""

    vectors: tuple[tuple[float, ...], ...]
    model: str = "embed-1"


@dataclass(frozen=True)
class Heard:
    """Speech as text."""

    text: str


@dataclass(frozen=True)
class Asked:
    """A request to a model, as it is made of what a plugin writes."""

    prompt: str | list[dict[str, Any]]
    tools: Sequence[dict[str, Any]]
    temperature: float | None
    max_tokens: int | None


def asked(
    prompt: str | list[dict[str, Any]],
    *,
    tools: Sequence[dict[str, Any]],
    temperature: float | None,
    max_tokens: int | None,
) -> Asked:
    """Make a request."""
    return Asked(prompt, tools, temperature, max_tokens)


class ParrotModels:
    """Stands in for the models: says what it was asked, and by whom.

    Attributes:
        calls: ``(task, model, caller, what was asked)``.
    """

    tasks = ("embedding", "planner", "replyer", "utils", "voice")

    def __init__(self) -> None:
        self.calls: list[tuple[str, str | None, str, Any]] = []

    async def generate(self, task: str, request: Asked, *, model: str | None = None, caller: str = "") -> Said:
        """Repeat the prompt, or call the first tool."""
        self.calls.append((task, model, caller, request))
        if request.prompt == "fail":
            raise NoModelError("all models are down")
        if request.tools:
            return Said("", tool_calls=(Call("call_1", str(request.tools[0]["name"]), {"city": "Oslo"}),))
        return Said(str(request.prompt), model=model or "small")

    async def embed(self, texts: Sequence[str], *, task: str = "embedding", caller: str = "") -> Vectors:
        """The length of each text."""
        self.calls.append((task, None, caller, list(texts)))
        if "fail" in texts:
            raise NoModelError("all models are down")
        return Vectors(tuple((float(len(text)),) for text in texts))

    async def transcribe(self, audio: bytes, *, task: str = "voice", caller: str = "") -> Heard:
        """The sound as text."""
        self.calls.append((task, None, caller, audio))
        return Heard(audio.decode())


class ToldGateways:
    """Stands in for what takes messages of plugins' gateways: accepts, and keeps what it was told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, RoutedMessage | GatewayState]] = []

    async def route_message(self, plugin: Plugin, routed: RoutedMessage) -> dict[str, Any]:
        """Accept it, unless its dedupe key is "twice"."""
        self.told.append((plugin.id, routed))
        return {"accepted": routed.dedupe_key != "twice", "route_key": {}}

    async def update_state(self, plugin: Plugin, state: GatewayState) -> dict[str, Any]:
        """Accept it, where it has a platform."""
        if not state.platform:
            raise ValueError("it needs a platform")
        self.told.append((plugin.id, state))
        return {"accepted": True, "ready": state.ready, "route_key": {}}
