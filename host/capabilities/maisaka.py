"""``maisaka.*``: the bot's own thinking: what it has before it, when it speaks up, how it words things."""

import time
from base64 import b64decode
from collections.abc import Awaitable, Callable, Iterable
from hashlib import sha256
from typing import Annotated, Any

from loguru import logger
from pydantic import Field
from typing_extensions import TypedDict

from host.capabilities.arguments import Arguments, Id, Words, also
from host.capabilities.capability import Capability, CapabilitySpec
from host.capabilities.chat import Chat
from host.capabilities.errors import ArgumentProblem, RefusalError, WrongArgumentsError
from host.capabilities.host_tasks import HostTasks
from host.capabilities.initiative import Initiative, Intent, Note, Pictures, Wording
from host.capabilities.segments import BYTES, of_parts
from host.runtime import Plugin
from host.storage import StorageError
from maibot_sdk.hooks import Text

LONGEST_REFERENCE = 500_000
LONGEST_FORMAT = 8_000
LONGEST_MODEL = 200
MOST_ENCODED = (16 << 20) - (64 << 10)
"""Characters of a picture in base64 that one answer can hold."""
_PICTURES = ("image", "emoji")
_OTHER_BYTES = ("base64", "image_base64", "emoji_base64")


class Appended(TypedDict):
    """Where the note stands, and as what."""

    success: bool
    index: int
    stream_id: str
    visible_text: str
    source_kind: str
    replyable: bool


class Picture(TypedDict):
    """A picture, and the SHA-256 of its bytes in hex."""

    binary_data_base64: str
    binary_hash: str


class Resolved(TypedDict):
    """A picture."""

    success: bool
    image: Picture


class Triggered(TypedDict):
    """The planner will be asked."""

    success: bool
    stream_id: str
    task_id: str
    queued: bool


class Worded(TypedDict):
    """A text, and the expressions that it was to use."""

    success: bool
    text: str
    selected_expression_ids: list[int]


class _Append(Arguments):
    stream_id: Id = also("stream_id", "chat_id")
    segments: Annotated[list[dict[str, Any]], Field(min_length=1)]
    visible_text: str = ""
    source_kind: str = ""
    message_id: str = ""
    replyable: bool = False
    user_info: dict[str, Any] | None = None


class _Resolve(Arguments):
    stream_id: Id
    source_id: Id
    index: Annotated[int, Field(ge=0)] = 0


class _Trigger(Arguments):
    stream_id: Id = also("stream_id", "chat_id", "session_id")
    intent: Id = also("intent", "prompt", "text")
    reason: str = ""
    priority: str = ""
    metadata: dict[str, Any] = Field(default_factory=dict)


class _Generate(Arguments):
    stream_id: Id
    reference: Words
    format_instruction: str = ""
    model_name: str = ""


APPEND = CapabilitySpec(
    "maisaka.context.append",
    _Append,
    Appended,
    Text("Puts something into what the bot knows of a chat; nothing is sent.", "把内容放入会话上下文；不会发送。"),
)
RESOLVE = CapabilitySpec(
    "maisaka.context.resolve_image",
    _Resolve,
    Resolved,
    Text(
        "A picture of a message, while the bot is at work on it.",
        "取得消息中的图片；只在机器人处理该消息期间可用。",
    ),
)
TRIGGER = CapabilitySpec(
    "maisaka.proactive.trigger",
    _Trigger,
    Triggered,
    Text(
        "Has the bot think about speaking up in a chat; it may stay silent.",
        "让机器人考虑在会话中主动发言；它可以保持沉默。",
    ),
)
GENERATE = CapabilitySpec(
    "maisaka.reply.generate",
    _Generate,
    Worded,
    Text("Has the bot word a text in its own voice; nothing is sent.", "让机器人用自己的口吻写一段话；不会发送。"),
)
MAISAKA = (APPEND, RESOLVE, TRIGGER, GENERATE)


class MaisakaFamily:
    """The bot's own thinking.

    Args:
        initiative: the bot's, as it is now.
        find_chat: the chat of a session id, or None.
        pictures: of messages.
        tasks: where what is triggered goes on.
        clock: what time it is, in seconds since 1970.
    """

    def __init__(
        self,
        initiative: Callable[[], Initiative],
        find_chat: Callable[[str], Awaitable[Chat | None]],
        pictures: Pictures,
        tasks: HostTasks,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._initiative = initiative
        self._find_chat = find_chat
        self._pictures = pictures
        self._tasks = tasks
        self._clock = clock
        self._last_task = 0

    def offers(self) -> Iterable[Capability]:
        """``maisaka.*``."""
        return (
            APPEND.by(self._append),
            RESOLVE.by(self._resolve),
            TRIGGER.by(self._trigger),
            GENERATE.by(self._generate),
        )

    async def _append(self, plugin: Plugin, asked: _Append) -> Appended:
        source_kind = asked.source_kind or f"plugin:{plugin.id}"
        note = Note(
            segments=_segments(asked.segments),
            source_kind=source_kind,
            text=asked.visible_text,
            message_id=asked.message_id,
            user=_speaker(asked) if asked.replyable else None,
        )
        noted = await self._initiative().note(await self._chat(asked.stream_id), note)
        return {
            "success": True,
            "index": noted.index,
            "stream_id": asked.stream_id,
            "visible_text": noted.text,
            "source_kind": source_kind,
            "replyable": asked.replyable,
        }

    async def _resolve(self, plugin: Plugin, asked: _Resolve) -> Resolved:
        await self._chat(asked.stream_id)
        content = await self._pictures.content(asked.source_id, session_id=asked.stream_id)
        if content is None:
            raise RefusalError("no_such_message", message_id=asked.source_id, stream_id=asked.stream_id)
        pictures = [segment for segment in content if segment.get("type") in _PICTURES]
        if asked.index >= len(pictures):
            raise RefusalError("no_such_picture", message_id=asked.source_id, count=len(pictures), index=asked.index)
        encoded = pictures[asked.index].get(BYTES)
        if not isinstance(encoded, str):
            raise RefusalError("picture_gone", message_id=asked.source_id)
        if len(encoded) > MOST_ENCODED:
            raise RefusalError("picture_too_large", found=len(encoded), allowed=MOST_ENCODED)
        image: Picture = {"binary_data_base64": encoded, "binary_hash": sha256(b64decode(encoded)).hexdigest()}
        return {"success": True, "image": image}

    async def _trigger(self, plugin: Plugin, asked: _Trigger) -> Triggered:
        chat = await self._chat(asked.stream_id)
        self._last_task = max(int(self._clock() * 1000), self._last_task + 1)
        task_id = f"proactive:{plugin.id}:{self._last_task}"
        intent = Intent(
            task_id=task_id,
            plugin_id=plugin.id,
            about=asked.intent,
            reason=asked.reason,
            priority=asked.priority,
            metadata=asked.metadata,
        )
        self._tasks.start(self._speak_up(chat, intent))
        return {"success": True, "stream_id": asked.stream_id, "task_id": task_id, "queued": True}

    async def _speak_up(self, chat: Chat, intent: Intent) -> None:
        try:
            await self._initiative().speak_up(chat, intent)
        except StorageError as error:
            logger.error("{} comes to nothing: {}", intent.task_id, error)

    async def _generate(self, plugin: Plugin, asked: _Generate) -> Worded:
        for name, most in (
            ("reference", LONGEST_REFERENCE),
            ("format_instruction", LONGEST_FORMAT),
            ("model_name", LONGEST_MODEL),
        ):
            if len(getattr(asked, name)) > most:
                raise RefusalError("too_long", name=name, found=len(getattr(asked, name)), allowed=most)
        wording = Wording(
            reference=asked.reference, format_instruction=asked.format_instruction, model=asked.model_name
        )
        text = await self._initiative().word(await self._chat(asked.stream_id), wording)
        return {"success": True, "text": text, "selected_expression_ids": []}

    async def _chat(self, stream_id: str) -> Chat:
        chat = await self._find_chat(stream_id)
        if chat is None:
            raise RefusalError("no_such_chat", stream_id=stream_id)
        return chat


def _segments(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The segments as `of_parts` reads them; bytes may stand under further names."""
    return of_parts([_with_bytes(part) for part in parts])


def _with_bytes(part: dict[str, Any]) -> dict[str, Any]:
    found = next((part[name] for name in _OTHER_BYTES if part.get(name)), None)
    if found is None or part.get(BYTES):
        return part
    return {**{key: value for key, value in part.items() if key not in _OTHER_BYTES}, BYTES: found}


def _speaker(asked: _Append) -> dict[str, str]:
    """Who said a note that can be answered.

    Raises:
        WrongArgumentsError: the call does not say that, or does not say the note's id.
    """
    given = asked.user_info or {}
    user = {
        name: str(given[name]) for name in ("user_id", "user_nickname", "user_cardname") if given.get(name) is not None
    }
    problems = [ArgumentProblem("message_id", "str")] if not asked.message_id.strip() else []
    if not user.get("user_id", "").strip():
        problems.append(ArgumentProblem("user_info.user_id", "str"))
    if problems:
        raise WrongArgumentsError(APPEND.name, tuple(problems))
    return user
