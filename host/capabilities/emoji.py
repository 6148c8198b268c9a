"""``emoji.*``: the library from which the bot sends stickers."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol

from pydantic import Field
from typing_extensions import TypedDict

from host.capabilities.arguments import Arguments, Id, Words
from host.capabilities.capability import Answer, Capability, CapabilitySpec, NoArguments
from host.capabilities.errors import Explained, SaidError
from host.capabilities.texts import CAPABILITY_TEXTS
from host.hooks.texts import Locale
from host.runtime import Plugin
from maibot_sdk.hooks import Text


@dataclass(frozen=True, slots=True)
class KnownEmoji:
    """An emoji of the library.

    Args:
        base64: its file.
        description: what it shows, as tags.
    """

    base64: str
    description: str


@dataclass(frozen=True, slots=True)
class RegisteredEmoji:
    """What came of registering a picture.

    Args:
        told: the same in a sentence.
        hash: SHA-256 of its file, in hex.
        description: what it shows, as tags.
        emotions: what it stands for.
        known: it was there before.
        replaced: another one made room.
    """

    told: str
    hash: str
    description: str
    emotions: tuple[str, ...]
    known: bool = False
    replaced: bool = False


class Emojis(Protocol):
    """The library; the bot has it."""

    @property
    def count(self) -> int:
        """How many there are."""

    @property
    def most(self) -> int:
        """How many there may be."""

    def emotions(self) -> list[str]:
        """What they stand for, sorted."""

    async def every(self) -> Sequence[KnownEmoji]:
        """All of them, as far as they fit into one answer."""

    async def some(self, count: int) -> Sequence[KnownEmoji]:
        """Different ones, drawn by lot."""

    async def like(self, description: str) -> KnownEmoji | None:
        """One of those most like a description."""

    async def register(self, base64: str) -> RegisteredEmoji:
        """Take a picture in."""

    async def delete(self, image_hash: str, keep_description: bool | None) -> bool | None:
        """Delete one; whether its description was kept, None where there is no such emoji."""


class EmojiDict(TypedDict):
    """An emoji: its file, what it shows as tags, and the first of them."""

    base64: str
    description: str
    emotion: str


class MaybeEmoji(TypedDict):
    """An emoji, or None."""

    success: bool
    emoji: EmojiDict | None


class ManyEmojis(TypedDict):
    """Emoji."""

    success: bool
    emojis: list[EmojiDict]


class EmojiCount(TypedDict):
    """A number."""

    success: bool
    count: int


class EmotionList(TypedDict):
    """What there is an emoji for, sorted."""

    success: bool
    emotions: list[str]


class EmojiNumbers(TypedDict):
    """How full the library is."""

    current_count: int
    max_count: int
    available_emojis: int


class EmojiInfoAnswer(TypedDict):
    """How full the library is."""

    success: bool
    info: EmojiNumbers


class EmojiRegistered(TypedDict):
    """What came of it; of one that was there already no more than that."""

    success: bool
    message: str
    description: str | None
    emotions: list[str] | None
    replaced: bool
    hash: str | None


class EmojiDeleted(TypedDict):
    """What came of it."""

    success: bool
    message: str
    hash: str
    keep_desc: bool


class _Description(Arguments):
    description: Words


class _Random(Arguments):
    count: Annotated[int, Field(ge=0)] = 1


class _Register(Arguments):
    emoji_base64: Words


class _Delete(Arguments):
    emoji_hash: Id
    keep_desc: bool | None = None


GET_BY_DESCRIPTION = CapabilitySpec(
    "emoji.get_by_description",
    _Description,
    MaybeEmoji,
    Text("One of the ten emoji most like a description, drawn by lot.", "从与描述最相近的十个表情中随机取一个。"),
)
GET_RANDOM = CapabilitySpec(
    "emoji.get_random", _Random, ManyEmojis, Text("Different emoji, drawn by lot.", "随机取若干不同的表情。")
)
GET_COUNT = CapabilitySpec("emoji.get_count", NoArguments, EmojiCount, Text("How many there are.", "表情总数。"))
GET_EMOTIONS = CapabilitySpec(
    "emoji.get_emotions", NoArguments, EmotionList, Text("All emotions that there is one for.", "已有表情的全部情绪。")
)
GET_ALL = CapabilitySpec(
    "emoji.get_all",
    NoArguments,
    ManyEmojis,
    Text("All emoji, the oldest first, up to 8 MiB of files.", "全部表情，最早的在前，文件合计不超过 8 MiB。"),
)
GET_INFO = CapabilitySpec(
    "emoji.get_info", NoArguments, EmojiInfoAnswer, Text("How full the library is.", "表情库的容量情况。")
)
REGISTER = CapabilitySpec(
    "emoji.register",
    _Register,
    EmojiRegistered,
    Text("Takes a picture into the library.", "把一张图片加入表情库。"),
    failing={"description": None, "emotions": None, "replaced": None, "hash": None},
)
DELETE = CapabilitySpec(
    "emoji.delete",
    _Delete,
    EmojiDeleted,
    Text("Takes an emoji out of the library.", "从表情库中删除一个表情。"),
)
EMOJI = (GET_BY_DESCRIPTION, GET_RANDOM, GET_COUNT, GET_EMOTIONS, GET_ALL, GET_INFO, REGISTER, DELETE)

_SEPARATOR = re.compile(r"[,，、]")


class EmojiFamily:
    """The library of emoji.

    Args:
        emojis: it.
        failing: what its errors are; each says itself in both languages.
        locale: the language of words that stand in for missing ones.
    """

    def __init__(self, emojis: Emojis, failing: tuple[type[Exception], ...] = (), locale: Locale = "en") -> None:
        self._emojis = emojis
        self._failing = failing
        self._locale = locale

    def offers(self) -> Iterable[Capability]:
        """``emoji.*``."""
        return (
            GET_BY_DESCRIPTION.by(self._by_description),
            GET_RANDOM.by(self._random),
            GET_COUNT.by(self._count),
            GET_EMOTIONS.by(self._emotions),
            GET_ALL.by(self._all),
            GET_INFO.by(self._info),
            REGISTER.by(self._register),
            DELETE.by(self._delete),
        )

    async def _by_description(self, plugin: Plugin, asked: _Description) -> MaybeEmoji:
        found = await self._emojis.like(asked.description)
        return {"success": True, "emoji": _as_dict(found, "") if found else None}

    async def _random(self, plugin: Plugin, asked: _Random) -> ManyEmojis:
        return self._many(await self._emojis.some(asked.count))

    async def _count(self, plugin: Plugin, asked: NoArguments) -> EmojiCount:
        return {"success": True, "count": self._emojis.count}

    async def _emotions(self, plugin: Plugin, asked: NoArguments) -> EmotionList:
        return {"success": True, "emotions": self._emojis.emotions()}

    async def _all(self, plugin: Plugin, asked: NoArguments) -> ManyEmojis:
        return self._many(await self._emojis.every())

    async def _info(self, plugin: Plugin, asked: NoArguments) -> EmojiInfoAnswer:
        count = self._emojis.count
        return {
            "success": True,
            "info": {"current_count": count, "max_count": self._emojis.most, "available_emojis": count},
        }

    async def _register(self, plugin: Plugin, asked: _Register) -> Answer:
        try:
            registered = await self._emojis.register(asked.emoji_base64)
        except self._failing as error:
            said = _said(error)
            return {**REGISTER.failing, **said, "message": said["error"]}
        return EmojiRegistered(
            success=True,
            message=registered.told,
            description=None if registered.known else registered.description,
            emotions=None if registered.known else [*registered.emotions],
            replaced=registered.replaced,
            hash=None if registered.known else registered.hash,
        )

    async def _delete(self, plugin: Plugin, asked: _Delete) -> Answer:
        kept = await self._emojis.delete(asked.emoji_hash, asked.keep_desc)
        if kept is None:
            told = CAPABILITY_TEXTS.both("no_such_emoji", {"hash": asked.emoji_hash})
            return {"success": False, "error": told, "message": told, "hash": asked.emoji_hash}
        deleted = CAPABILITY_TEXTS.render("emoji_deleted", {}, self._locale)
        return EmojiDeleted(success=True, message=deleted, hash=asked.emoji_hash, keep_desc=kept)

    def _many(self, found: Sequence[KnownEmoji]) -> ManyEmojis:
        nothing = CAPABILITY_TEXTS.render("no_emotion", {}, self._locale)
        return {"success": True, "emojis": [_as_dict(each, nothing) for each in found]}


def _as_dict(emoji: KnownEmoji, nothing: str) -> EmojiDict:
    first = _SEPARATOR.split(emoji.description, maxsplit=1)[0].strip()
    return {"base64": emoji.base64, "description": emoji.description, "emotion": first or nothing}


def _said(error: Exception) -> dict[str, str | bool]:
    if isinstance(error, Explained):
        return SaidError(error).answer()
    return {"success": False, "error": str(error)}
