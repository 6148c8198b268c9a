"""The send chain: a message that was built goes through its hooks to the gateway of its platform."""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from loguru import logger

from host.bot.events import Events
from host.bot.gateway import DeliveryError, DeliveryFailure, Gateways, ShowsTyping
from host.bot.hook_site import HandlerFailure, HookAbortedError, IgnoredMessage, Journal, Stop, fire
from host.bot.identity import Route
from host.bot.message import Clock, SessionMessage
from host.bot.segments import reply_segment
from host.bot.store import MessageStore
from host.hooks import Hooks
from host.hooks.texts import Locale
from maibot_sdk.types import EventType


@dataclass(frozen=True, slots=True, kw_only=True)
class SendReport:
    """What became of a message to send.

    Args:
        sent: whether a gateway took it.
        message: as it was at the end, with the platform's id when there is one.
        message_id: the id that the platform gave it, or None.
        stopped: the handler that kept it from being sent, or None.
        failure: why no gateway took it, or None.
        failures: handlers that failed on the way.
        ignored: messages that came back from a hook unusable.
    """

    sent: bool
    message: SessionMessage
    message_id: str | None = None
    stopped: Stop | None = None
    failure: DeliveryFailure | None = None
    failures: tuple[HandlerFailure, ...] = ()
    ignored: tuple[IgnoredMessage, ...] = ()


@dataclass(frozen=True, slots=True)
class _Options:
    """What a hook may change beside the message."""

    typing: bool
    set_reply: bool
    storage_message: bool
    show_log: bool

    def payload(self) -> dict[str, bool]:
        return {
            "typing": self.typing,
            "set_reply": self.set_reply,
            "storage_message": self.storage_message,
            "show_log": self.show_log,
        }


class Sender:
    """Sends messages. Any number may be on their way at once.

    Args:
        hooks: the kernel.
        gateways: the ways out.
        store: keeps what was sent.
        clock: what time it is.
        locale: the language of markers in plain text.
        events: told before each hook that may stop a message, and at the end; nobody is told by default.
    """

    def __init__(
        self,
        hooks: Hooks,
        gateways: Gateways,
        *,
        store: MessageStore,
        clock: Clock,
        locale: Locale = "en",
        events: Events | None = None,
    ) -> None:
        self._hooks = hooks
        self._events = events or Events(hooks, clock=clock)
        self._gateways = gateways
        self._store = store
        self._clock = clock
        self._locale = locale

    async def send(
        self,
        message: SessionMessage,
        *,
        stream_id: str,
        typing: bool = False,
        set_reply: bool = False,
        reply_message_id: str | None = None,
        storage_message: bool = True,
        show_log: bool = True,
    ) -> SendReport:
        """Send a message.

        Args:
            message: an outbound message; its plain text is made where it has none.
            stream_id: the session id of the chat that it goes to.
            typing: look as if someone were typing first.
            set_reply: quote the message `reply_message_id`.
            reply_message_id: the message that this one answers, or None.
            storage_message: keep it once it is sent.
            show_log: write it to the log once it is sent.

        Raises:
            PayloadError: the message cannot be in a payload.
            ChainDepthError: handlers of the send hooks sent messages whose handlers sent messages, too deep.
        """
        if message.processed_plain_text is None:
            message = message.processed(self._locale)
        options = _Options(typing, set_reply, storage_message, show_log)
        journal = Journal()
        try:
            message = await self._tell(EventType.POST_SEND_PRE_PROCESS, message)
            message, options = await self._after_build(message, options, stream_id, journal)
            message = await self._tell(EventType.POST_SEND, message)
            message, options, reply_message_id = await self._before_send(message, options, reply_message_id, journal)
        except HookAbortedError as aborted:
            return _report(journal, sent=False, message=message, stopped=aborted.stop)

        if options.set_reply and reply_message_id:
            message = _quoting(message, reply_message_id)
        message, platform_id, failure = await self._deliver(message, options, reply_message_id)
        sent = failure is None
        if sent and options.storage_message:
            await self._store.add(message)
        if sent and options.show_log:
            logger.info("Sent to {} ({}): {}", message.session_id, message.platform, " ".join(message.text.split()))
        await self._after_send(message, options, reply_message_id, sent, journal)
        if sent:
            await self._events.tell(EventType.AFTER_SEND, message)
        return _report(journal, sent=sent, message=message, message_id=platform_id, failure=failure)

    def show_typing(self, heard: SessionMessage, seconds: float) -> None:
        """Let the gateway of a chat show that the bot is typing, where it can.

        Args:
            heard: a message of the chat; what is being typed answers it.
            seconds: after how long the next message is sent.
        """
        with suppress(DeliveryError):
            gateway = self._gateways.find(heard.platform, _route(heard))
            if isinstance(gateway, ShowsTyping):
                gateway.show_typing(heard, seconds)

    async def _tell(self, event: EventType, message: SessionMessage) -> SessionMessage:
        changed, stop = await self._events.tell(event, message)
        if stop is not None:
            raise HookAbortedError(stop)
        return changed if changed is message else self._told_again(changed, message)

    async def _after_build(
        self, message: SessionMessage, options: _Options, stream_id: str, journal: Journal
    ) -> tuple[SessionMessage, _Options]:
        changed, kwargs = await self._fire(
            "send_service.after_build_message",
            message,
            journal,
            stream_id=stream_id,
            processed_plain_text=message.text,
            **options.payload(),
        )
        return changed, _read_options(kwargs)

    async def _before_send(
        self, message: SessionMessage, options: _Options, reply_message_id: str | None, journal: Journal
    ) -> tuple[SessionMessage, _Options, str | None]:
        changed, kwargs = await self._fire(
            "send_service.before_send", message, journal, reply_message_id=reply_message_id, **options.payload()
        )
        reference = kwargs["reply_message_id"]
        return changed, _read_options(kwargs), None if reference in (None, "") else str(reference)

    async def _fire(
        self, hook: str, message: SessionMessage, journal: Journal, **others: Any
    ) -> tuple[SessionMessage, dict[str, Any]]:
        changed, kwargs = await fire(self._hooks, hook, message, journal, clock=self._clock, **others)
        return self._told_again(changed, message), dict(kwargs)

    def _told_again(self, changed: SessionMessage, message: SessionMessage) -> SessionMessage:
        """The message as a plugin changed it, with its chat, and with the text of its segments."""
        if not changed.session_id:
            changed = replace(changed, session_id=message.session_id)
        # Who changes the segments seldom changes the text of them as well; what is logged and kept is what is sent.
        same_text = changed.processed_plain_text == message.processed_plain_text
        if changed.processed_plain_text is None or (same_text and changed.raw_message != message.raw_message):
            changed = changed.processed(self._locale)
        return changed

    async def _deliver(
        self, message: SessionMessage, options: _Options, reply_message_id: str | None
    ) -> tuple[SessionMessage, str | None, DeliveryFailure | None]:
        quoted = reply_message_id if options.set_reply else None
        try:
            gateway = self._gateways.find(message.platform, _route(message))
            platform_id = await gateway.deliver(message, typing=options.typing, reply_message_id=quoted)
        except DeliveryError as error:
            logger.warning("Not sent: {}", error.failure.text())
            return message, None, error.failure
        except Exception as error:  # A gateway is somebody else's code; what it raises ends this message, not the bot.
            logger.opt(exception=error).error("The gateway of {} failed", message.platform)
            cause = f"{type(error).__name__}: {error}"
            return message, None, DeliveryFailure("delivery_failed", message.platform, error=cause)
        return replace(message, message_id=platform_id or message.message_id), platform_id, None

    async def _after_send(
        self, message: SessionMessage, options: _Options, reply_message_id: str | None, sent: bool, journal: Journal
    ) -> None:
        """Tell how it ended. Nothing of what comes back is read."""
        payload = {
            "message": message.to_dict(),
            "sent": sent,
            "reply_message_id": reply_message_id,
            **options.payload(),
        }
        result = await self._hooks.invoke("send_service.after_send", payload)
        journal.failures += [HandlerFailure(result.hook_name, error) for error in result.errors]


def _route(message: SessionMessage) -> Route:
    return Route(message.account_id, message.scope)


def _read_options(kwargs: dict[str, Any]) -> _Options:
    return _Options(
        bool(kwargs["typing"]), bool(kwargs["set_reply"]), bool(kwargs["storage_message"]), bool(kwargs["show_log"])
    )


def _quoting(message: SessionMessage, target: str) -> SessionMessage:
    """The message with the quote in front, unless a segment quotes already."""
    segments = message.raw_message
    if not any(segment["type"] == "reply" for segment in segments):
        segments = [reply_segment(target), *segments]
    return replace(message, raw_message=segments, reply_to=target)


def _report(journal: Journal, **found: Any) -> SendReport:
    return SendReport(failures=tuple(journal.failures), ignored=tuple(journal.ignored), **found)
