"""A bot's emoji over a real database and folder; its models are offline, or asked over HTTP."""

from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from host.bot.emoji import EmojiRoom, EmojiSettings
from host.hooks import Declaration, Hooks
from host.models import Models, ModelSettings
from host.storage import Emoji, Storage
from tests.bot.chat import NOW, hooks_of_the_bot, parsed
from tests.bot.emoji.pictures import picture, segment

DESCRIPTION = "emoji.register.after_build_description"
EMOTION = "emoji.register.after_build_emotion"


@dataclass(slots=True)
class Emojis:
    """The room, and short ways to use it.

    Args:
        room: the room.
        hooks: its kernel.
        storage: its database.
        folder: its files.
    """

    room: EmojiRoom
    hooks: Hooks
    storage: Storage
    folder: Path

    def on(self, hook: str, handler: Callable[..., Any], plugin: str = "test.plugin") -> None:
        """Subscribe one function as a plugin of its own."""
        self.hooks.register(plugin, [Declaration(hook=hook, handler=handler, name="handler")])

    def returning(self, hook: str, returned: Any) -> None:
        """Subscribe a handler that returns `returned`."""

        async def handler(**kwargs: Any) -> Any:
            return returned

        self.on(hook, handler)

    def changing(self, hook: str, **keys: Any) -> None:
        """Subscribe a handler that changes keys of the payload."""
        self.returning(hook, {"modified_kwargs": keys})

    def put(self, name: str, content: bytes | None = None) -> Path:
        """Put a file into the owner's folder: without a content, a picture of the colour that it is called by."""
        path = self.folder / "new" / name
        path.write_bytes(picture(path.stem.split("_")[-1]) if content is None else content)
        return path

    async def hear(self, content: bytes, kind: str = "emoji", name: str = "") -> None:
        """Have it notice a picture in a message, and wait until it dealt with it."""
        self.room.notice(parsed(raw_message=[segment(content, kind, name)]))
        await self.room.settle()

    async def registered(self, content: bytes) -> Emoji:
        """Register a picture by a plugin's call; the row."""
        hash_ = (await self.room.register(b64encode(content).decode())).hash
        found = await self.storage.emojis.get(hash_)
        assert found is not None
        return found

    async def described(self) -> list[str]:
        """What the pictures of the library show, in the order in which they came."""
        return [each.description for each in await self.storage.emojis.registered()]

    def files(self, folder: str = "registered") -> list[str]:
        """The names of the files in a folder."""
        return sorted(path.name for path in (self.folder / folder).iterdir())


@asynccontextmanager
async def emojis(
    data: Path,
    *,
    models: Models | None = None,
    hooks: Hooks | None = None,
    collects: bool = True,
    where: str | None = None,
    **settings: Any,
) -> AsyncIterator[Emojis]:
    """The emoji of a data folder.

    Args:
        data: the folder.
        models: offline without.
        hooks: the kernel; a new one without.
        collects: in the background, too.
        where: the database, in the folder without.
        settings: of the section ``[emoji]``.
    """
    own = Models(ModelSettings())
    hooks = hooks or hooks_of_the_bot()
    async with Storage.open(where or data / "maibot.db") as storage:
        room = await EmojiRoom.open(
            data / "emoji",
            storage.emojis,
            hooks,
            models or own,
            settings=EmojiSettings(**settings),
            clock=lambda: NOW,
            random=Random(7),
        )
        if collects:
            room.start()
        try:
            yield Emojis(room, hooks, storage, data / "emoji")
        finally:
            await room.aclose()
            await own.aclose()
