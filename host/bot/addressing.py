"""Whether a message speaks to the bot."""

import re

from host.bot.message import SessionMessage
from host.bot.profile import BotProfile


class Addressing:
    """Knows the bot's names.

    Args:
        profile: has them.
    """

    def __init__(self, profile: BotProfile) -> None:
        self._account_id = profile.account_id
        names = "|".join(re.escape(name) for name in (profile.nickname, *profile.aliases) if name)
        # Not a part of a longer Latin word: "mai" is not in "email".
        self._name = re.compile(rf"(?<![a-z0-9])(?:{names})(?![a-z0-9])", re.IGNORECASE)

    def names_bot(self, message: SessionMessage) -> bool:
        """Whether a message names the bot: by the platform's word, by an @, or in its text."""
        if message.is_at or message.is_mentioned:
            return True
        mentions = (segment["data"]["target_user_id"] for segment in message.raw_message if segment["type"] == "at")
        if (message.account_id or self._account_id) in mentions:
            return True
        return self._name.search(message.text) is not None
