"""Firing a hook over a message, and taking back what the handlers made of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from loguru import logger

from host.bot.guest import NOBODY, Guest
from host.bot.message import Clock, SessionMessage
from host.bot.reading import InvalidMessageError, MessageProblem
from host.bot.texts import BOT_TEXTS
from host.hooks import HandlerError, Hooks
from host.hooks.texts import Locale


@dataclass(frozen=True, slots=True)
class Stop:
    """Who ended a message's way, and where.

    Args:
        hook: the hook that was aborted.
        plugin_id: the plugin that did so.
        handler: its handler.
    """

    hook: str
    plugin_id: str
    handler: str

    def text(self, locale: Locale = "en") -> str:
        """The place and the handler, in a few words."""
        fields = {"hook": self.hook, "plugin_id": self.plugin_id, "handler": self.handler}
        return BOT_TEXTS.render("stopped_by", fields, locale)


class HookAbortedError(Exception):
    """A handler ended the message's way.

    Args:
        stop: which one, and where.
    """

    def __init__(self, stop: Stop) -> None:
        self.stop = stop
        super().__init__(stop.text())


@dataclass(frozen=True, slots=True)
class HandlerFailure:
    """A handler's failure, met on the way.

    Args:
        hook: where.
        error: which handler, and what happened.
    """

    hook: str
    error: HandlerError


@dataclass(frozen=True, slots=True)
class IgnoredMessage:
    """A message that came back from a hook and could not be used; the bot went on with the one that it had.

    Args:
        hook: where it came back.
        problems: what is wrong with it.
    """

    hook: str
    problems: tuple[MessageProblem, ...]


@dataclass(slots=True)
class Journal:
    """What happened at the hooks on one message's way.

    Args:
        guest: what another family of hooks does about the message.
        failures: the handlers that failed, in order. Observers are not waited for and so are not here.
        ignored: the messages that could not be used.
    """

    guest: Guest = NOBODY
    failures: list[HandlerFailure] = field(default_factory=list)
    ignored: list[IgnoredMessage] = field(default_factory=list)


async def fire(
    hooks: Hooks, hook: str, message: SessionMessage, journal: Journal, *, clock: Clock, **others: Any
) -> tuple[SessionMessage, Mapping[str, Any]]:
    """Fire a hook whose payload has a ``message``.

    Args:
        hooks: the kernel.
        hook: the hook's name.
        message: what goes in.
        journal: takes down what happens.
        clock: what time it is.
        others: the other keys of the payload.

    Returns:
        The message made anew from what came back (the one given, where that is unusable), and the whole payload that
        came back.

    Raises:
        HookAbortedError: a handler aborted.
        PayloadError: the message cannot be in a payload.
        ChainDepthError: hooks fired hooks too deep.
    """
    result = await hooks.invoke(hook, {"message": message.to_dict(), **others})
    journal.failures += [HandlerFailure(hook, error) for error in result.errors]
    if result.stopped_by is not None:
        raise HookAbortedError(Stop(hook, *result.stopped_by))
    try:
        return SessionMessage.from_dict(result.kwargs["message"], clock=clock), result.kwargs
    except InvalidMessageError as error:
        logger.warning("The message that came back from {} is ignored: {}", hook, error)
        journal.ignored.append(IgnoredMessage(hook, error.problems))
        return message, result.kwargs


async def consult(hooks: Hooks, hook: str, payload: Mapping[str, Any], journal: Journal) -> Mapping[str, Any]:
    """Fire a hook whose payload has no message, and which cannot be aborted.

    Args:
        hooks: the kernel.
        hook: the hook's name.
        payload: what goes in.
        journal: takes down what happens.

    Returns:
        The payload that came back.

    Raises:
        PayloadError: something cannot be in a payload.
        ChainDepthError: hooks fired hooks too deep.
    """
    result = await hooks.invoke(hook, payload)
    journal.failures += [HandlerFailure(hook, error) for error in result.errors]
    return result.kwargs


async def fire_heard(
    hooks: Hooks, hook: str, heard: SessionMessage, journal: Journal, *, clock: Clock, locale: Locale, **others: Any
) -> tuple[SessionMessage, Mapping[str, Any]]:
    """`fire` over a message that came in: it comes back with the id of its chat, and with plain text.

    Args:
        hooks: as for `fire`, like the others.
        hook: the hook's name.
        heard: what goes in.
        journal: takes down what happens.
        clock: what time it is.
        locale: the language of markers in plain text, where a handler left it out.
        others: the other keys of the payload.

    Raises:
        HookAbortedError: as for `fire`, like the other errors.
    """
    heard, kwargs = await fire(hooks, hook, heard, journal, clock=clock, **others)
    if heard.processed_plain_text is None:
        heard = heard.processed(locale)
    return heard.identified(), kwargs
