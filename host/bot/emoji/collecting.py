"""Pictures on their way into the library: from chats and from the owner's folder, described in the background."""

import asyncio
import os
import time
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from loguru import logger

from host.bot.emoji.emotions import words_in
from host.bot.emoji.errors import EmojiRefusedError
from host.bot.emoji.library import EmojiLibrary, written
from host.bot.emoji.picture import hash_of
from host.bot.emoji.registering import EmojiRegistrar
from host.bot.message import SessionMessage
from host.hooks import ChainDepthError, PayloadError
from host.models import ModelError
from host.storage import StorageError

_AT_HAND = 16
"""How many pictures of messages wait in memory to be written to the folder."""
_UNFINISHED_SECONDS = 10.0
"""A file of the owner that cannot be read may still be copied, for so long after its last change."""
_KINDS: Mapping[str, tuple[str, ...]] = {"nothing": (), "stickers": ("emoji",), "pictures": ("emoji", "image")}


@dataclass(frozen=True, slots=True)
class _Seen:
    """A picture of a message."""

    base64: str
    name: str


class EmojiCollector:
    """Brings pictures into the library, none of them in the way of anything else.

    Pictures of messages are written to the folder ``new``, where the owner may put files, too; one after another is
    registered from there, so that a restart loses none. A picture from a chat that is refused is remembered, and not
    tried again; a file of the owner goes to the folder ``refused``, and the log says why. Where a model or the database
    fails, the files wait for the next look.

    Args:
        library: the library.
        registrar: registers.
    """

    def __init__(self, library: EmojiLibrary, registrar: EmojiRegistrar) -> None:
        self._library = library
        self._registrar = registrar
        self._seen: asyncio.Queue[_Seen] = asyncio.Queue(_AT_HAND)
        self._wake = asyncio.Event()
        self._looking = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to work in the background."""
        names = {self._keep_pictures: "emoji from chats", self._keep_looking: "new emoji"}
        self._tasks = [asyncio.create_task(work(), name=name) for work, name in names.items()]

    async def aclose(self) -> None:
        """Stop. What is in the folder stays for the next start."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def notice(self, message: SessionMessage) -> None:
        """Take the pictures of a message that was received or sent, as far as the owner wants it. Returns at once.

        Args:
            message: of any chat.
        """
        settings = self._library.settings
        for segment in message.raw_message:
            data = segment.get("binary_data_base64")
            if segment["type"] not in _KINDS[settings.collect] or not isinstance(data, str) or not data:
                continue
            if len(data) * 3 // 4096 > settings.max_kib or segment.get("hash") in self._library.index:
                continue
            if self._seen.full():
                logger.debug("A picture is not collected: too many are at hand")
                return
            self._seen.put_nowait(_Seen(data, str(segment.get("data") or "")))

    async def written(self) -> None:
        """Wait until all that was noticed is in the folder, or let go."""
        await self._seen.join()

    async def look(self) -> None:
        """Register what is in the folder now. Ends early where a model or the database fails."""
        async with self._looking:
            for path in await asyncio.to_thread(self._waiting):
                try:
                    await self._consider(path)
                except (ModelError, StorageError, OSError, ChainDepthError, PayloadError) as error:
                    logger.warning("New emoji wait for the next look: {}", error)
                    return

    async def _keep_pictures(self) -> None:
        while True:
            seen = await self._seen.get()
            try:
                if await self._write(seen):
                    self._wake.set()
            except (OSError, StorageError) as error:
                logger.warning("A picture is not collected: {}", error)
            finally:
                self._seen.task_done()

    async def _keep_looking(self) -> None:
        while True:
            self._wake.clear()
            await self.look()
            try:
                async with asyncio.timeout(self._library.settings.look_seconds):
                    await self._wake.wait()
            except TimeoutError:
                continue

    async def _write(self, seen: _Seen) -> bool:
        """Put a picture into the folder, unless something is known of it or too many wait; whether it is there."""
        content, image_hash = await asyncio.to_thread(_decoded, seen.base64)
        if not content or await self._library.known(image_hash) is not None:
            return False
        name = f"{words_in(seen.name)[:40]}.{image_hash}".lstrip(".")
        return await asyncio.to_thread(self._write_file, self._library.new / name, content)

    def _write_file(self, path: Path, content: bytes) -> bool:
        if len(self._waiting()) >= self._library.settings.max_waiting:
            logger.debug("A picture is not collected: too many wait to be described")
            return False
        written(path, content)
        return True

    def _waiting(self) -> list[Path]:
        """The files in the folder, by name."""
        entries = [entry for entry in os.scandir(self._library.new) if entry.is_file()]
        return sorted(Path(entry) for entry in entries if not entry.name.startswith("."))

    async def _consider(self, path: Path) -> None:
        """Register a file, and clear it away; or leave it, or put it aside."""
        content = await asyncio.to_thread(_beginning, path, self._library.settings.max_kib * 1024 + 1)
        image_hash = hash_of(content)
        of_chat = path.name.endswith(image_hash)
        if of_chat and await self._library.known(image_hash) is not None:
            await asyncio.to_thread(path.unlink)
            return
        name = path.name.removesuffix(image_hash) if of_chat else path.stem
        try:
            await self._registrar.register(content, name)
        except EmojiRefusedError as refused:
            if of_chat:
                logger.debug("A picture of a chat is no emoji: {}", refused)
                await self._library.refuse(image_hash)
                await asyncio.to_thread(path.unlink)
            else:
                await asyncio.to_thread(self._put_aside, path, refused)
            return
        await asyncio.to_thread(path.unlink)

    def _put_aside(self, path: Path, refused: EmojiRefusedError) -> None:
        if time.time() - path.stat().st_mtime >= _UNFINISHED_SECONDS:
            path.replace(self._library.refused / path.name)
            logger.warning("{} is no emoji, and now in {}: {}", path.name, self._library.refused, refused)


def _decoded(base64: str) -> tuple[bytes, str]:
    """The bytes of a picture and their hash; no bytes where it is no base64."""
    try:
        content = b64decode(base64, validate=True)
    except ValueError:
        content = b""
    return content, hash_of(content)


def _beginning(path: Path, size: int) -> bytes:
    """As much of a file as tells that it is too large."""
    with path.open("rb") as file:
        return file.read(size)
