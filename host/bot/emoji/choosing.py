"""Which emoji fits: chosen by a model, else by its tags, between the hooks."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from loguru import logger

from host.bot.emoji.describing import can_ask
from host.bot.emoji.library import EmojiLibrary
from host.bot.emoji.texts import EMOJI_TEXTS
from host.bot.hook_site import HandlerFailure, Journal
from host.hooks import HookResult, Hooks
from host.hooks.texts import Locale
from host.models import Caller, ModelError, ModelRequest, Models, user
from host.storage import Emoji

BEFORE = "emoji.maisaka.before_select"
AFTER = "emoji.maisaka.after_select"
TASK = "emoji"
SAMPLE_SIZE = 20
_KNOWN_SHOWN = 30
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class EmojiWanted:
    """An emoji that is to be sent.

    Args:
        stream_id: the chat.
        emotion: what it is to stand for.
        reasoning: why it is wanted.
        context_texts: the last messages.
        sample_size: how many candidates are looked at.
    """

    stream_id: str
    emotion: str
    reasoning: str
    context_texts: tuple[str, ...]
    sample_size: int = SAMPLE_SIZE

    def payload(self) -> dict[str, Any]:
        """The keys that both hooks have."""
        return {
            "stream_id": self.stream_id,
            "requested_emotion": self.emotion,
            "reasoning": self.reasoning,
            "context_texts": [*self.context_texts],
            "sample_size": self.sample_size,
            "abort_message": "",
        }


@dataclass(frozen=True, slots=True)
class EmojiChoice:
    """What was chosen.

    Args:
        emoji: to be sent.
        requested: the emotion that was asked for, as the hooks left it.
        matched: the emotion that decided.
    """

    emoji: Emoji
    requested: str
    matched: str


class NoEmojiError(Exception):
    """No emoji is to be sent; the text says why."""


class EmojiChooser:
    """Chooses emoji of the library. Any number of choices may be under way at once.

    Args:
        hooks: the kernel.
        library: what there is.
        models: who is asked, for the task ``emoji``; the offline model is not.
        locale: the language of texts.
    """

    def __init__(self, hooks: Hooks, library: EmojiLibrary, models: Models, locale: Locale) -> None:
        self._hooks = hooks
        self._library = library
        self._models = models
        self._locale = locale

    async def choose(self, wanted: EmojiWanted, journal: Journal) -> EmojiChoice:
        """Choose the one that fits best.

        Args:
            wanted: what is wanted.
            journal: takes down what happens at hooks.

        Raises:
            NoEmojiError: none fits, or a plugin stopped it.
            ChainDepthError: hooks fired hooks too deep.
        """
        kwargs = await self._consult(BEFORE, wanted.payload(), journal)
        size = kwargs["sample_size"]
        wanted = replace(
            wanted,
            emotion=str(kwargs["requested_emotion"]),
            reasoning=str(kwargs["reasoning"]),
            context_texts=tuple(map(str, kwargs["context_texts"])),
            sample_size=size if size > 0 else wanted.sample_size,
        )
        emoji, matched = await self._best(wanted)
        payload = {
            **wanted.payload(),
            "selected_emoji": self._library.as_dict(emoji) if emoji else None,
            "selected_emoji_hash": emoji.image_hash if emoji else "",
            "matched_emotion": matched,
        }
        kwargs = await self._consult(AFTER, payload, journal)
        emoji = self._named_by(kwargs, payload) or emoji
        if emoji is None:
            known = ", ".join(self._library.index.emotions()[:_KNOWN_SHOWN])
            raise NoEmojiError(self._say("none_fits", requested=wanted.emotion, known=known))
        return EmojiChoice(emoji, str(kwargs["requested_emotion"]), str(kwargs["matched_emotion"]))

    async def _best(self, wanted: EmojiWanted) -> tuple[Emoji | None, str]:
        """The one that fits best, and the tag by which; of equally good ones, drawn by lot."""
        index = self._library.index
        fitting = {emoji.image_hash: (emoji, tag) for emoji, tag in index.fitting(wanted.emotion, wanted.sample_size)}
        if can_ask(self._models, TASK):
            others = index.draw(wanted.sample_size)
            candidates = {each.image_hash: (each, each.emotions[0]) for each in others} | fitting
            ordered = [*fitting, *(each for each in candidates if each not in fitting)][: wanted.sample_size]
            try:
                return await self._chosen_by_model(wanted, [candidates[each] for each in ordered])
            except ModelError as error:
                logger.warning("The emoji is chosen by its tags: {}", error)
        return next(iter(fitting.values()), (None, ""))

    async def _chosen_by_model(
        self, wanted: EmojiWanted, candidates: Sequence[tuple[Emoji, str]]
    ) -> tuple[Emoji | None, str]:
        lines = [f"{number}. {', '.join(emoji.emotions)}" for number, (emoji, _) in enumerate(candidates, 1)]
        prompt = self._say(
            "choose",
            emotion=wanted.emotion,
            reason=wanted.reasoning or "-",
            context="\n".join(wanted.context_texts) or "-",
            stickers="\n".join(lines),
        )
        caller = Caller(TASK, session_id=wanted.stream_id)
        answer = await self._models.generate(TASK, ModelRequest((user(prompt),)), caller=caller)
        said = _NUMBER.search(answer.text)
        number = int(said.group()) if said else 0
        return candidates[number - 1] if 0 < number <= len(candidates) else (None, "")

    def _named_by(self, changed: Mapping[str, Any], before: Mapping[str, Any]) -> Emoji | None:
        """The registered emoji that a plugin put in the place of the chosen one. A hash that was changed goes before a
        dict that was."""
        hashes = []
        if (image_hash := changed["selected_emoji_hash"]) != before["selected_emoji_hash"]:
            hashes.append(image_hash)
        if (emoji := changed["selected_emoji"]) != before["selected_emoji"] and isinstance(emoji, Mapping):
            hashes += [emoji.get("file_hash"), emoji.get("hash")]
        found = (self._library.index.get(each.strip().lower()) for each in hashes if isinstance(each, str))
        return next(filter(None, found), None)

    async def _consult(self, hook: str, payload: dict[str, Any], journal: Journal) -> Mapping[str, Any]:
        result = await self._hooks.invoke(hook, payload)
        journal.failures += [HandlerFailure(hook, error) for error in result.errors]
        if result.aborted:
            raise NoEmojiError(self._why(result))
        return result.kwargs

    def _why(self, result: HookResult) -> str:
        return str(result.kwargs["abort_message"] or "").strip() or self._say("stopped")

    def _say(self, code: str, **fields: object) -> str:
        return EMOJI_TEXTS.render(code, fields, self._locale)
