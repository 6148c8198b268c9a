"""Messages as text for a prompt or a person: a line each, with the time, the name and what was said."""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from host.capabilities.texts import CAPABILITY_TEXTS
from host.hooks.texts import Locale

MODES = ("relative", "normal", "normal_no_ymd", "")
"""How the time is told: since when, date and time, time alone, not at all."""
LONGEST = 200
"""Characters of a line that is cut."""
_STEPS = ((86_400, "days_ago"), (3_600, "hours_ago"), (60, "minutes_ago"))


class Readable:
    """Writes session message dicts as text.

    Args:
        account_id: the bot's user id where a message does not say its account, as it is now.
        clock: what time it is, in seconds since 1970.
        locale: of the words between.
    """

    def __init__(
        self, account_id: Callable[[], str], clock: Callable[[], float] = time.time, locale: Locale = "en"
    ) -> None:
        self._account_id = account_id
        self._clock = clock
        self._locale = locale

    def text(self, messages: Sequence[Mapping[str, Any]], mode: str, *, you: bool, short: bool) -> str:
        """A line for each message.

        Args:
            messages: the dicts; what plugins give back may lack keys.
            mode: one of `MODES`.
            you: call the bot "you".
            short: cut what was said after `LONGEST` characters.
        """
        return "\n".join(self._line(message, mode, you=you, short=short) for message in messages)

    def _line(self, message: Mapping[str, Any], mode: str, *, you: bool, short: bool) -> str:
        words = _words(message)
        if short and len(words) > LONGEST:
            words = f"{words[:LONGEST]}…"
        when = self._when(message, mode)
        said = self._say("readable_line", name=self._name(message, you=you), text=words)
        return f"[{when}] {said}" if when else said

    def _name(self, message: Mapping[str, Any], *, you: bool) -> str:
        user = _inner(_inner(message, "message_info"), "user_info")
        user_id = str(user.get("user_id") or "")
        if you and user_id and user_id in {message.get("account_id"), self._account_id()}:
            return self._say("you")
        return str(user.get("user_cardname") or user.get("user_nickname") or user_id)

    def _when(self, message: Mapping[str, Any], mode: str) -> str:
        try:
            moment = float(message.get("timestamp") or 0)
            told = datetime.fromtimestamp(moment)
        except (TypeError, ValueError, OverflowError, OSError):
            return ""
        if mode == "normal":
            return told.strftime("%Y-%m-%d %H:%M:%S")
        if mode == "normal_no_ymd":
            return told.strftime("%H:%M:%S")
        return self._since(self._clock() - moment) if mode else ""

    def _since(self, seconds: float) -> str:
        for length, code in _STEPS:
            if seconds >= length:
                return self._say(code, number=int(seconds // length))
        return self._say("just_now")

    def _say(self, code: str, **fields: object) -> str:
        return CAPABILITY_TEXTS.render(code, fields, self._locale)


def _words(message: Mapping[str, Any]) -> str:
    """What was said: the plain text, or the text of the segments where it has none yet."""
    plain = message.get("processed_plain_text")
    if isinstance(plain, str):
        return plain
    content = message.get("raw_message")
    segments = content if isinstance(content, list) else []
    return "".join(str(each.get("data") or "") for each in segments if isinstance(each, Mapping) and _is_text(each))


def _is_text(segment: Mapping[str, Any]) -> bool:
    return segment.get("type") == "text"


def _inner(owner: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    inner = owner.get(key)
    return inner if isinstance(inner, Mapping) else {}
