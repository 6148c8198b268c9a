"""How a picture comes into the library: checked, described, looked over by plugins, stored."""

import asyncio
from typing import Any

from host.bot.emoji.describing import EmojiDescriber
from host.bot.emoji.emotions import tags_of, tidied
from host.bot.emoji.errors import EmojiRefusedError
from host.bot.emoji.library import Added, EmojiLibrary
from host.bot.emoji.picture import Picture, checked
from host.hooks import Hooks

AFTER_DESCRIPTION = "emoji.register.after_build_description"
AFTER_EMOTION = "emoji.register.after_build_emotion"


class EmojiRegistrar:
    """Registers pictures. Any number may be under way at once.

    Args:
        hooks: the kernel.
        library: where they come to.
        describer: says what they show.
    """

    def __init__(self, hooks: Hooks, library: EmojiLibrary, describer: EmojiDescriber) -> None:
        self._hooks = hooks
        self._library = library
        self._describer = describer

    async def register(self, content: bytes, name: str = "") -> Added:
        """Register a picture. One that was in the library before is known again without a model.

        Args:
            content: the bytes of its file.
            name: of its file, or what the platform calls it.

        Raises:
            EmojiRefusedError: it is not to be in the library.
            ModelError: no model answered.
            DatabaseFailedError: the database refused.
            OSError: its file cannot be written.
            ChainDepthError: hooks fired hooks too deep.
        """
        picture = await asyncio.to_thread(checked, content, self._library.settings)
        if known := self._library.index.get(picture.hash):
            return Added(known, known=True)
        before = await self._library.known(picture.hash)
        description = before.description if before else ""
        description = await self._described(picture, description or await self._describer.describe(picture, name))
        return await self._library.add(picture, description, await self._emotions(picture, description))

    async def _described(self, picture: Picture, description: str) -> str:
        emoji = self._library.as_dict(self._library.draft(picture, description))
        payload = {"emoji": emoji, "description": description, "image_format": picture.format}
        changed = str((await self._consult(AFTER_DESCRIPTION, payload))["description"] or "").strip()
        if not tags_of(changed):
            raise EmojiRefusedError("no_description")
        return changed

    async def _emotions(self, picture: Picture, description: str) -> list[str]:
        tags = tags_of(description)
        emoji = self._library.as_dict(self._library.draft(picture, description, tags))
        payload = {"emoji": emoji, "description": description, "emotions": tags}
        changed = (await self._consult(AFTER_EMOTION, payload))["emotions"]
        emotions = tags_of(changed) if isinstance(changed, str) else tidied([str(each) for each in changed])
        if not emotions:
            raise EmojiRefusedError("no_emotions")
        return emotions

    async def _consult(self, hook: str, payload: dict[str, Any]) -> dict[str, Any]:
        result = await self._hooks.invoke(hook, payload)
        if result.stopped_by is not None:
            raise EmojiRefusedError("aborted", plugin_id=result.stopped_by[0], hook=hook)
        return dict(result.kwargs)
