"""What plugins let the bot say: made a message to a chat, and sent through the send chain."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from host.bot.outgoing import OutgoingMessages
from host.bot.reading import InvalidMessageError, Reading
from host.bot.segments import read_segments
from host.bot.sending import Sender, SendReport
from host.bot.store import MessageStore
from host.bot.texts import BOT_TEXTS
from host.capabilities import Chat, Outgoing, Sent

FindChat = Callable[[str], Awaitable[Chat | None]]
"""The chat of a session id, or None; the storage knows it."""


class PluginOutbox:
    """Sends what plugins say.

    Args:
        sender: the send chain.
        messages: makes messages of the bot's own.
        find_chat: where a message is to go.
        store: what was said there.
    """

    def __init__(self, sender: Sender, messages: OutgoingMessages, find_chat: FindChat, store: MessageStore) -> None:
        self._sender = sender
        self._messages = messages
        self._find_chat = find_chat
        self._store = store

    async def send(self, outgoing: Outgoing) -> Sent:
        """Send a message to the chat that it names.

        Raises:
            PayloadError: the message cannot be in a payload.
            ChainDepthError: handlers of the send hooks send messages whose handlers send messages, too deep.
        """
        chat = await self._find_chat(outgoing.stream_id)
        if chat is None:
            return Sent(sent=False, why_not=BOT_TEXTS.both("unknown_chat", {"stream_id": outgoing.stream_id}))
        reading = Reading()
        segments = read_segments(outgoing.segments, reading)
        try:
            reading.finish()
        except InvalidMessageError as error:
            return Sent(sent=False, why_not=f"{error.text()} / {error.text('zh')}")
        latest = await self._store.of(chat.session_id, 1)
        message = self._messages.into(chat, segments, latest[0] if latest else None)
        if outgoing.plain_text:
            message = replace(message, processed_plain_text=outgoing.plain_text)
        report = await self._sender.send(
            message,
            stream_id=outgoing.stream_id,
            typing=outgoing.typing,
            set_reply=outgoing.reply_message_id is not None,
            reply_message_id=outgoing.reply_message_id,
            storage_message=outgoing.keep,
            show_log=outgoing.log,
        )
        return Sent(report.sent, report.message_id, _why_not(report))


def _why_not(report: SendReport) -> str:
    if report.failure is not None:
        return f"{report.failure.text()} / {report.failure.text('zh')}"
    if report.stopped is not None:
        return f"{report.stopped.text()} / {report.stopped.text('zh')}"
    return ""
