"""The chat bot: what happens to a message, in order. The story is told in `turn`."""

from host.bot.bounds import AnsweringSettings
from host.bot.commands import CommandPolicy, CommandRule
from host.bot.console import CONSOLE_PLATFORM, ConsoleGateway
from host.bot.emoji import EmojiRefusedError, EmojiRoom, EmojiSettings
from host.bot.gateway import DeliveryFailure, Gateway, Gateways
from host.bot.hook_site import HandlerFailure, IgnoredMessage, Stop
from host.bot.identity import NoChatError, session_id
from host.bot.message import GroupInfo, SessionMessage, UserInfo
from host.bot.outbox import PluginOutbox
from host.bot.outcome import Outcome, Status
from host.bot.outgoing import OutgoingMessages
from host.bot.profile import BotProfile
from host.bot.reading import InvalidMessageError, MessageProblem
from host.bot.recording import RecordedMessage, RecordingError, read_recording, sample_chat
from host.bot.reply import OfflineReplier, Replier, Reply
from host.bot.sending import Sender, SendReport
from host.bot.splitting import SplittingSettings
from host.bot.store import MessageStore, RecentMessages
from host.bot.turn import Bot
from host.bot.turns import Turns, TurnSettings

__all__ = [
    "CONSOLE_PLATFORM",
    "AnsweringSettings",
    "Bot",
    "BotProfile",
    "CommandPolicy",
    "CommandRule",
    "ConsoleGateway",
    "DeliveryFailure",
    "EmojiRefusedError",
    "EmojiRoom",
    "EmojiSettings",
    "Gateway",
    "Gateways",
    "GroupInfo",
    "HandlerFailure",
    "IgnoredMessage",
    "InvalidMessageError",
    "MessageProblem",
    "MessageStore",
    "NoChatError",
    "OfflineReplier",
    "Outcome",
    "OutgoingMessages",
    "PluginOutbox",
    "RecentMessages",
    "RecordedMessage",
    "RecordingError",
    "Replier",
    "Reply",
    "SendReport",
    "Sender",
    "SessionMessage",
    "SplittingSettings",
    "Status",
    "Stop",
    "TurnSettings",
    "Turns",
    "UserInfo",
    "read_recording",
    "sample_chat",
    "session_id",
]
