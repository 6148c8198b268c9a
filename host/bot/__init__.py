"""The chat bot: what happens to a message, in order. The story is told in `turn`."""

from host.bot.answering import Pause
from host.bot.bounds import AnsweringSettings
from host.bot.commands import CommandPolicy, CommandRule
from host.bot.console import CONSOLE_PLATFORM, ConsoleGateway
from host.bot.frequency import TalkFrequency
from host.bot.gateway import WEB_PLATFORM, DeliveryError, DeliveryFailure, Gateway, Gateways
from host.bot.hook_site import HandlerFailure, IgnoredMessage, Stop
from host.bot.identity import NoChatError, session_id
from host.bot.message import GroupInfo, SessionMessage, UserInfo
from host.bot.outbox import PluginOutbox
from host.bot.outcome import Outcome, Status
from host.bot.outgoing import OutgoingMessages
from host.bot.plugin_gateways import PluginGateways
from host.bot.profile import BotProfile
from host.bot.reading import InvalidMessageError, MessageProblem
from host.bot.recording import RecordedMessage, RecordingError, read_recording, sample_chat
from host.bot.sending import Sender, SendReport
from host.bot.splitting import SplittingSettings
from host.bot.store import MessageStore, RecentMessages
from host.bot.turn import Bot
from host.bot.turns import Turns, TurnSettings

__all__ = [
    "CONSOLE_PLATFORM",
    "WEB_PLATFORM",
    "AnsweringSettings",
    "Bot",
    "BotProfile",
    "CommandPolicy",
    "CommandRule",
    "ConsoleGateway",
    "DeliveryError",
    "DeliveryFailure",
    "Gateway",
    "Gateways",
    "GroupInfo",
    "HandlerFailure",
    "IgnoredMessage",
    "InvalidMessageError",
    "MessageProblem",
    "MessageStore",
    "NoChatError",
    "Outcome",
    "OutgoingMessages",
    "Pause",
    "PluginGateways",
    "PluginOutbox",
    "RecentMessages",
    "RecordedMessage",
    "RecordingError",
    "SendReport",
    "Sender",
    "SessionMessage",
    "SplittingSettings",
    "Status",
    "Stop",
    "TalkFrequency",
    "TurnSettings",
    "Turns",
    "UserInfo",
    "read_recording",
    "sample_chat",
    "session_id",
]
