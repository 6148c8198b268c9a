"""The library of emoji: their files in a folder, their rows in the database, and both in step."""

import asyncio
import os
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Self, TypeVar

from loguru import logger

from host.bot.emoji.errors import EmojiRefusedError
from host.bot.emoji.index import EmojiIndex
from host.bot.emoji.picture import Picture
from host.bot.emoji.settings import EmojiSettings
from host.bot.message import Clock
from host.storage import Emoji, Emojis, EmojiState, StorageError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Added:
    """What came of adding a picture.

    Args:
        emoji: as it is in the library now.
        known: it was there before.
        replaced: others made room for it.
    """

    emoji: Emoji
    known: bool = False
    replaced: bool = False


class EmojiLibrary:
    """The emoji that the bot may send.

    A file lies under its hash in ``registered``. It is written before its row is, and deleted after: what the database
    refuses leaves no file behind, and no row is without one. Made by `open`.

    Args:
        folder: of the library.
        rows: what the database knows of pictures.
        settings: what it may hold; may be replaced at any time.
        clock: what time it is, in seconds since 1970.
        random: draws lots.

    Attributes:
        index: those that are in it, for whoever looks for one.
        settings: as given.
    """

    def __init__(self, folder: Path, rows: Emojis, settings: EmojiSettings, clock: Clock, random: Random) -> None:
        self.index = EmojiIndex(random)
        self.settings = settings
        self.new = folder / "new"
        self.refused = folder / "refused"
        self._files = folder / "registered"
        self._rows = rows
        self._clock = clock
        self._changing = asyncio.Lock()
        self._changes: set[asyncio.Task[Any]] = set()

    @classmethod
    async def open(cls, folder: Path, rows: Emojis, settings: EmojiSettings, clock: Clock, random: Random) -> Self:
        """The library that is kept there.

        A row whose file somebody deleted leaves the library; a file without a row is looked at as if it were new.

        Raises:
            DatabaseFailedError: the database refused.
            OSError: the folder cannot be made or read.
        """
        library = cls(folder, rows, settings, clock, random)
        there = await asyncio.to_thread(library._listed)
        for emoji in await rows.registered():
            if emoji.file_name in there:
                there.discard(emoji.file_name)
                library.index.add(emoji)
            else:
                logger.warning("The emoji {} leaves the library: its file is gone", emoji.file_name)
                await rows.remove(emoji.image_hash)
        for name in there:
            await asyncio.to_thread((library._files / name).replace, library.new / name)
        return library

    async def aclose(self) -> None:
        """Wait for what is being changed."""
        if self._changes:
            await asyncio.wait(self._changes)

    async def known(self, image_hash: str) -> Emoji | None:
        """What is known of a picture, whether it is in the library or not.

        Raises:
            DatabaseFailedError: the database refused.
        """
        return self.index.get(image_hash) or await self._rows.get(image_hash)

    def path(self, emoji: Emoji) -> Path:
        """Where the file of one lies."""
        return self._files / emoji.file_name

    def as_dict(self, emoji: Emoji) -> dict[str, Any]:
        """One as payloads of hooks have it."""
        return {
            "file_hash": emoji.image_hash,
            "file_name": emoji.file_name,
            "full_path": str(self.path(emoji)),
            "description": emoji.description,
            "emotions": [*emoji.emotions],
            "query_count": emoji.query_count,
        }

    def draft(self, picture: Picture, description: str = "", emotions: Sequence[str] = ()) -> Emoji:
        """A picture as it will be in the library."""
        now = self._clock()
        return Emoji(
            image_hash=picture.hash,
            file_name=f"{picture.hash}.{picture.format}",
            image_format=picture.format,
            description=description,
            emotions=[*emotions],
            state=EmojiState.REGISTERED,
            record_time=now,
            register_time=now,
        )

    async def read(self, emoji: Emoji) -> bytes:
        """The bytes of one.

        Raises:
            OSError: its file cannot be read.
        """
        return await asyncio.to_thread(self.path(emoji).read_bytes)

    async def add(self, picture: Picture, description: str, emotions: Sequence[str]) -> Added:
        """Take a picture in. Where the library is full, the least used ones make room.

        Args:
            picture: a sound one.
            description: what it shows.
            emotions: what it stands for.

        Raises:
            EmojiRefusedError: the library is full, and nothing is to make room.
            DatabaseFailedError: the database refused; then nothing is changed.
            OSError: the file cannot be written; likewise.
        """
        return await self._whole(self._add(picture, description, emotions))

    async def remove(self, image_hash: str, *, keep_description: bool) -> bool:
        """Take one out. It is not collected from chats again.

        Args:
            image_hash: of its file.
            keep_description: know it again, should it be registered once more.

        Returns:
            Whether it was there.

        Raises:
            DatabaseFailedError: the database refused; then it is still there.
        """
        return await self._whole(self._remove(image_hash, keep_description))

    async def refuse(self, image_hash: str, image_format: str = "") -> None:
        """Remember that a picture is not to be in the library.

        Raises:
            DatabaseFailedError: the database refused.
        """
        row = Emoji(
            image_hash=image_hash, image_format=image_format, state=EmojiState.REFUSED, record_time=self._clock()
        )
        await self._rows.put(row)

    async def used(self, emoji: Emoji) -> None:
        """Count that one was sent. Where the database cannot be written to, that is logged, and counts until the end of
        the program."""
        emoji.query_count += 1
        emoji.last_used_time = self._clock()
        try:
            await self._rows.use(emoji.image_hash, now=emoji.last_used_time)
        except StorageError as error:
            logger.warning("The use of the emoji {} is not stored: {}", emoji.file_name, error)

    async def _add(self, picture: Picture, description: str, emotions: Sequence[str]) -> Added:
        async with self._changing:
            if known := self.index.get(picture.hash):
                return Added(known, known=True)
            too_many = len(self.index) + 1 - self.settings.max_count
            if too_many > 0 and not self.settings.replace:
                raise EmojiRefusedError("library_full", allowed=self.settings.max_count)
            leaving = self.index.least_used(too_many)
            draft = self.draft(picture, description, emotions)
            await asyncio.to_thread(written, self.path(draft), picture.content)
            try:
                emoji = await self._rows.put(draft, removed=[each.image_hash for each in leaving])
            except StorageError:
                await asyncio.to_thread(self.path(draft).unlink)
                raise
            self.index.add(emoji)
            for each in leaving:
                await self._drop(each)
            return Added(emoji, replaced=bool(leaving))

    async def _remove(self, image_hash: str, keep_description: bool) -> bool:
        async with self._changing:
            emoji = self.index.get(image_hash)
            if emoji is None:
                return False
            await self._rows.remove(image_hash, forget=not keep_description)
            await self._drop(emoji)
            return True

    async def _drop(self, emoji: Emoji) -> None:
        self.index.remove(emoji.image_hash)
        try:
            await asyncio.to_thread(self.path(emoji).unlink, missing_ok=True)
        except OSError as error:
            logger.warning("The file of the emoji {} stays behind: {}", emoji.file_name, error)

    async def _whole(self, change: Coroutine[Any, Any, T]) -> T:
        """Run a change to its end, even if whoever asked for it is cancelled meanwhile."""
        task = asyncio.create_task(change)
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)
        return await asyncio.shield(task)

    def _listed(self) -> set[str]:
        for folder in (self.new, self.refused, self._files):
            folder.mkdir(parents=True, exist_ok=True)
        return {entry.name for entry in os.scandir(self._files) if entry.is_file()}


def written(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    unfinished.write_bytes(content)
    unfinished.replace(path)
