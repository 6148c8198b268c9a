"""How talkative the bot is in a chat: about which messages of a group the planner is asked at all."""

from host.bot.addressing import Addressing
from host.bot.message import SessionMessage
from host.bot.profile import BotProfile

MOST_CHATS = 10_000
"""Of how many chats something is remembered; the one that was set or spoken in longest ago makes room."""
_NEARLY = 1e-9


class TalkFrequency:
    """Counts, chat by chat, which messages the bot thinks about. Nothing of it outlives the process.

    The talk value of a chat is the owner's times the chat's adjustment. Of the messages that do not speak to the bot
    each adds it to an account, and one that fills the account up to 1 is thought about and empties it: with 0.25 that
    is every fourth message, always.

    Attributes:
        talk_value: the owner's, 0 or more.
    """

    def __init__(self, talk_value: float = 1.0) -> None:
        self.talk_value = talk_value
        self._adjusts: dict[str, float] = {}
        self._accounts: dict[str, float] = {}

    def adjust(self, session_id: str) -> float:
        """The adjustment of a chat, 1 unless it was set."""
        return self._adjusts.get(session_id, 1.0)

    def set_adjust(self, session_id: str, value: float) -> None:
        """Adjust a chat; a value below 0 counts as 0."""
        _put(self._adjusts, session_id, max(value, 0.0))

    def value(self, session_id: str) -> float:
        """The talk value of a chat."""
        return self.talk_value * self.adjust(session_id)

    def thinks_about_next(self, session_id: str) -> bool:
        """Count a message of a chat; whether the bot thinks about it."""
        account = self._accounts.pop(session_id, 0.0) + min(self.value(session_id), 1.0)
        full = account >= 1 - _NEARLY
        left = account - 1 if full else account
        if left > _NEARLY:
            _put(self._accounts, session_id, left)
        return full


def _put(values: dict[str, float], session_id: str, value: float) -> None:
    values.pop(session_id, None)
    values[session_id] = value
    if len(values) > MOST_CHATS:
        del values[next(iter(values))]


class Attention:
    """Knows what the bot thinks about. That is everything that is said to it: in private, or by its name; of the rest,
    as much as it is talkative.

    Args:
        frequency: counts.
        profile: has the bot's names.
    """

    def __init__(self, frequency: TalkFrequency, profile: BotProfile) -> None:
        self._frequency = frequency
        self._addressing = Addressing(profile)

    def has(self, heard: SessionMessage) -> bool:
        """Count a message; whether the bot thinks about it."""
        if heard.group_info is None or heard.is_notify or self._addressing.names_bot(heard):
            return True
        return self._frequency.thinks_about_next(heard.session_id)
