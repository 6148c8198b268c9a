"""What an emoji shows: told by a model that sees, else by its name."""

import asyncio
from base64 import b64encode

from host.bot.emoji.emotions import words_in
from host.bot.emoji.picture import Picture, shown
from host.bot.emoji.texts import EMOJI_TEXTS
from host.hooks.texts import Locale
from host.models import Caller, ImagePart, ModelRequest, Models, user
from host.models.settings import OFFLINE_KIND

TASK = "vision"


class EmojiDescriber:
    """Describes pictures as tags, the emotion that fits best first.

    Args:
        models: who is asked, for the task ``vision``; the offline model sees nothing, and is not asked.
        locale: the language of the tags.
    """

    def __init__(self, models: Models, locale: Locale) -> None:
        self._models = models
        self._locale = locale

    async def describe(self, picture: Picture, name: str) -> str:
        """What a picture shows; "" where nothing is known of it.

        Args:
            picture: a sound one.
            name: of its file, or what the platform calls it.

        Raises:
            ModelError: no model answered.
        """
        if not can_ask(self._models, TASK):
            return ", ".join(words_in(name).split())
        frames = EMOJI_TEXTS.render("describe_frames", {}, self._locale) if picture.frames > 1 else ""
        prompt = EMOJI_TEXTS.render("describe", {"frames": frames}, self._locale)
        seen = b64encode(await asyncio.to_thread(shown, picture)).decode()
        request = ModelRequest((user(prompt, ImagePart("png", seen)),))
        return (await self._models.generate(TASK, request, caller=Caller("emoji"))).text.strip()


def can_ask(models: Models, task: str) -> bool:
    """Whether a model other than the offline one can do a task."""
    kinds = {provider.name: provider.kind for provider in models.settings.providers}
    return any(kinds.get(entry.provider, OFFLINE_KIND) != OFFLINE_KIND for entry in models.pool(task))
