"""The receive chain: what plugins make of a message that came in, before it is part of its chat."""

from dataclasses import replace

from host.bot.events import Events
from host.bot.hook_site import HookAbortedError, Journal, Stop, fire, fire_heard
from host.bot.message import Clock, SessionMessage
from host.hooks import Hooks, PayloadError
from host.hooks.portable import InvalidValueError, portable
from host.hooks.texts import Locale
from maibot_sdk.types import EventType

BEFORE = "chat.receive.before_process"
AFTER = "chat.receive.after_process"


class ReceiveChain:
    """Takes messages through the hooks and events of receiving. Any number may be on their way; none waits for another.

    Args:
        hooks: the kernel.
        events: told before the first hook, and after the last.
        clock: what time it is.
        locale: the language of markers in plain text.
    """

    def __init__(self, hooks: Hooks, events: Events, clock: Clock, locale: Locale) -> None:
        self._hooks = hooks
        self._events = events
        self._clock = clock
        self._locale = locale

    async def run(self, heard: SessionMessage, journal: Journal) -> tuple[SessionMessage, Stop | None]:
        """The message as plugins leave it, with its chat and its plain text; and who stopped it, if anybody did.

        The text that comes back is what is answered, whatever the segments say.

        Args:
            heard: a message that is stored.
            journal: takes down what happens at hooks.

        Raises:
            PayloadError: it cannot be in a payload.
            ChainDepthError: hooks fired hooks too deep.
        """
        heard, stop = await self._events.tell(EventType.ON_MESSAGE_PRE_PROCESS, heard)
        if stop is not None:
            return heard, stop
        try:
            heard, _ = await fire(self._hooks, BEFORE, heard, journal, clock=self._clock)
            heard = heard.identified().processed(self._locale)
            heard, _ = await fire_heard(self._hooks, AFTER, heard, journal, clock=self._clock, locale=self._locale)
        except HookAbortedError as aborted:
            return heard, aborted.stop
        heard, stop = await self._events.tell(EventType.ON_MESSAGE, heard)
        return heard.identified() if heard.processed_plain_text else heard.identified().processed(self._locale), stop


def checked(heard: SessionMessage) -> SessionMessage:
    """The message, with routing data that can be stored and be in payloads.

    Raises:
        PayloadError: with what in it can be neither.
    """
    try:
        data = portable(heard.to_dict(), "message")
    except InvalidValueError as error:
        raise PayloadError(BEFORE, [error.issue]) from None
    return replace(heard, raw_message=data["raw_message"], additional_config=data["message_info"]["additional_config"])
