"""The emoji of one bot: what it collects, what it has, what it sends; and what plugins may ask of them."""

import asyncio
import time
from base64 import b64decode, b64encode
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Self

from loguru import logger

from host.bot.emoji.choosing import EmojiChooser
from host.bot.emoji.collecting import EmojiCollector
from host.bot.emoji.describing import EmojiDescriber
from host.bot.emoji.errors import EmojiRefusedError
from host.bot.emoji.library import EmojiLibrary
from host.bot.emoji.registering import EmojiRegistrar
from host.bot.emoji.settings import EmojiSettings
from host.bot.emoji.texts import EMOJI_TEXTS
from host.bot.emoji.tool import EmojiTool
from host.bot.message import Clock, SessionMessage
from host.bot.outgoing import OutgoingMessages
from host.bot.sending import Sender
from host.capabilities import KnownEmoji, RegisteredEmoji
from host.hooks import Hooks
from host.hooks.texts import Locale
from host.models import Models
from host.storage import Emoji, Emojis

MOST_BYTES = 8 * 2**20
"""Bytes of files that one answer to a plugin holds at most: what the wire to its process takes, with room to spare."""


class EmojiRoom:
    """All that the bot does about emoji. Made by `open`.

    Args:
        library: the emoji.
        hooks: the kernel.
        models: describe and choose, where there are any but the offline one.
        locale: the language of tags and texts.

    Attributes:
        chooser: finds the one that fits.
        collector: brings pictures into the library.
    """

    def __init__(self, library: EmojiLibrary, hooks: Hooks, models: Models, locale: Locale) -> None:
        self._library = library
        self._locale = locale
        self._registrar = EmojiRegistrar(hooks, library, EmojiDescriber(models, locale))
        self.chooser = EmojiChooser(hooks, library, models, locale)
        self.collector = EmojiCollector(library, self._registrar)

    @classmethod
    async def open(
        cls,
        folder: Path,
        rows: Emojis,
        hooks: Hooks,
        models: Models,
        *,
        settings: EmojiSettings | None = None,
        locale: Locale = "en",
        clock: Clock = time.time,
        random: Random | None = None,
    ) -> Self:
        """The room whose files are in a folder. Nothing is collected before `start`.

        Args:
            folder: made where it is missing.
            rows: what the database knows of pictures.
            hooks: as for the class, like the others.
            models: likewise.
            settings: the section ``[emoji]``.
            locale: likewise.
            clock: what time it is, in seconds since 1970.
            random: draws lots.

        Raises:
            DatabaseFailedError: the database refused.
            OSError: the folder cannot be made or read.
        """
        library = await EmojiLibrary.open(folder, rows, settings or EmojiSettings(), clock, random or Random())
        return cls(library, hooks, models, locale)

    def start(self) -> None:
        """Begin to collect in the background."""
        self.collector.start()

    async def aclose(self) -> None:
        """Stop to collect; what waits is gone on with at the next start."""
        await self.collector.aclose()
        await self._library.aclose()

    def follow(self, settings: EmojiSettings) -> None:
        """Go by changed settings from now on."""
        self._library.settings = settings

    def notice(self, message: SessionMessage) -> None:
        """Collect the pictures of a message that was received or sent. Returns at once."""
        self.collector.notice(message)

    async def settle(self) -> None:
        """Wait until all that was noticed, and all that is in the folder for new emoji, is dealt with."""
        await self.collector.written()
        await self.collector.look()

    def tool(self, outgoing: OutgoingMessages, sender: Sender) -> EmojiTool:
        """The planner's tool.

        Args:
            outgoing: makes the messages.
            sender: sends them.
        """
        return EmojiTool(self._library, self.chooser, outgoing, sender, self._locale)

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._library.index)

    @property
    def most(self) -> int:
        """How many there may be."""
        return self._library.settings.max_count

    def emotions(self) -> list[str]:
        """What they stand for, sorted."""
        return self._library.index.emotions()

    async def every(self) -> list[KnownEmoji]:
        """All of them, the oldest first, as far as they fit into one answer; without those whose file is unreadable."""
        return await asyncio.to_thread(self._read, [*self._library.index.all()])

    async def some(self, count: int) -> list[KnownEmoji]:
        """Different ones, drawn by lot.

        Args:
            count: how many at most.
        """
        return await asyncio.to_thread(self._read, self._library.index.draw(count))

    async def like(self, description: str) -> KnownEmoji | None:
        """One of those most like a description, or None."""
        emoji = self._library.index.like(description)
        read = await asyncio.to_thread(self._read, [emoji] if emoji else [])
        return read[0] if read else None

    async def register(self, base64: str) -> RegisteredEmoji:
        """Register a picture.

        Raises:
            EmojiRefusedError: it is not to be in the library.
            ModelError: no model answered.
            DatabaseFailedError: the database refused.
        """
        try:
            content = b64decode("".join(base64.rpartition(",")[2].removeprefix("base64://").split()), validate=True)
        except ValueError:
            raise EmojiRefusedError("not_base64") from None
        added = await self._registrar.register(content)
        code = "known" if added.known else "replaced" if added.replaced else "added"
        return RegisteredEmoji(
            EMOJI_TEXTS.render(code, {}, self._locale),
            added.emoji.image_hash,
            added.emoji.description,
            tuple(added.emoji.emotions),
            known=added.known,
            replaced=added.replaced,
        )

    async def delete(self, image_hash: str, keep_description: bool | None) -> bool | None:
        """Delete one.

        Args:
            image_hash: of its file.
            keep_description: know it again, should it be registered once more; None where it has a description.

        Returns:
            Whether its description was kept; None where there is no such emoji.

        Raises:
            DatabaseFailedError: the database refused.
        """
        emoji = self._library.index.get(image_hash.lower())
        if emoji is None:
            return None
        keep = bool(emoji.description) if keep_description is None else keep_description
        return keep if await self._library.remove(emoji.image_hash, keep_description=keep) else None

    def _read(self, emojis: Iterable[Emoji]) -> list[KnownEmoji]:
        found: list[KnownEmoji] = []
        room = MOST_BYTES
        for emoji in emojis:
            try:
                content = self._library.path(emoji).read_bytes()
            except OSError as error:
                logger.warning("The emoji {} is left out: {}", emoji.file_name, error)
                continue
            room -= len(content)
            if room < 0:
                break
            found.append(KnownEmoji(b64encode(content).decode(), emoji.description))
        return found
