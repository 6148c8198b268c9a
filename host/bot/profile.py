"""Who the bot is in its chats."""

from dataclasses import dataclass

from host.bot.message import UserInfo
from host.hooks.texts import Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class BotProfile:
    """The bot's own names, from the owner's settings.

    Args:
        nickname: what it is called, not empty; a message that names it speaks to it.
        aliases: other names that it listens to.
        account_id: its user id on platforms whose messages do not say which bot account they came in on.
        personality: what it is like, told to its models; "" for nothing.
        reply_style: how it speaks, told to the model that words replies; "" for nothing.
        locale: the language of markers in plain text, such as ``[image]``; ``"en"`` or ``"zh"``.
    """

    nickname: str = "Mai"
    aliases: tuple[str, ...] = ()
    account_id: str = "maibot"
    locale: Locale = "en"
    personality: str = ""
    reply_style: str = ""

    def user_info(self, account_id: str | None) -> UserInfo:
        """The bot as the sender of a message that goes out by the given account."""
        return UserInfo(account_id or self.account_id, self.nickname)
