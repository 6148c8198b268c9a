"""The console as a platform: what is typed becomes messages of a local operator, what the bot says is written out."""

import itertools
import time
from collections.abc import Callable
from typing import Any

from host.bot.message import Clock, SessionMessage, UserInfo
from host.bot.plain_text import plain_text
from host.bot.segments import text_segment
from host.bot.texts import BOT_TEXTS
from host.hooks.texts import Locale

CONSOLE_PLATFORM = "bot_console"


class ConsoleGateway:
    """A private chat with whoever sits at the terminal. As the fallback of a replay it shows what goes to any platform.

    Args:
        write: takes one line of output, without its end.
        locale: the language of its lines.
        clock: what time it is.
    """

    platform = CONSOLE_PLATFORM

    def __init__(self, write: Callable[[str], None], *, locale: Locale = "en", clock: Clock = time.time) -> None:
        self._write = write
        self._locale = locale
        self._clock = clock
        self._typed = itertools.count(1)
        self._delivered = itertools.count(1)

    def message(self, line: str) -> dict[str, Any]:
        """The message dict of a typed line, ready for `Bot.receive`."""
        now = self._clock()
        operator = UserInfo("operator", BOT_TEXTS.render("operator", {}, self._locale))
        message = SessionMessage(
            message_id=f"console_{int(now * 1000)}_{next(self._typed)}",
            timestamp=now,
            platform=self.platform,
            user_info=operator,
            # Whoever sits at the host's own terminal may call every command.
            additional_config={"is_local_operator": True},
            raw_message=[text_segment(line)],
        )
        return message.to_dict()

    async def deliver(self, message: SessionMessage, *, typing: bool, reply_message_id: str | None) -> str:
        """Write the message out, a line that says "is typing" first where that is wanted."""
        name = message.user_info.shown_name
        if typing:
            self._write(BOT_TEXTS.render("console_typing", {"name": name}, self._locale))
        # The quote is told by its id: the marker in the text would say it twice.
        text = plain_text([segment for segment in message.raw_message if segment["type"] != "reply"], self._locale)
        code = "console_quotes" if reply_message_id else "console_says"
        self._write(BOT_TEXTS.render(code, {"name": name, "text": text, "target": reply_message_id}, self._locale))
        return f"console_out_{next(self._delivered)}"
