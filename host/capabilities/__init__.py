"""What a plugin may ask of the host: one module a family, over what the host has.

capabilities = Capabilities(gateways)          # before the plugins are made: it is what their calls go to
plugins = Plugins(hooks, roots, Inline(data_dir, answer=capabilities), data_dir)
capabilities.add(SendFamily(outbox), ConfigFamily(settings, plugins), ApiFamily(ApiTable(plugins)))
"""

from host.capabilities.api import ApiFamily
from host.capabilities.api_table import ApiTable
from host.capabilities.avatar import AvatarFamily
from host.capabilities.browser import Chromium, RenderSettings
from host.capabilities.calls import Capabilities
from host.capabilities.capability import Capability, CapabilitySpec, Family
from host.capabilities.chat import Chat, ChatFamily, Chats, ChatTarget, OpenChat
from host.capabilities.component import ComponentFamily
from host.capabilities.config import ConfigFamily
from host.capabilities.database import DatabaseFamily
from host.capabilities.errors import (
    BadPayloadError,
    CallRefusedError,
    DeniedError,
    NoGatewaysError,
    RefusalError,
    RevokedError,
    SaidError,
    UnknownCapabilityError,
)
from host.capabilities.frequency import FrequencyFamily
from host.capabilities.gateways import GatewayState, PluginGateways, RoutedMessage
from host.capabilities.grants import Denial, Grant, standing
from host.capabilities.host_tasks import HostTasks
from host.capabilities.initiative import Initiative, Intent, Note, Noted, Wording
from host.capabilities.knowledge import KnowledgeFamily
from host.capabilities.language_models import LanguageModels
from host.capabilities.llm import Asking, LLMFamily
from host.capabilities.maisaka import MaisakaFamily
from host.capabilities.market import MarketFamily
from host.capabilities.market_index import INDEX_FILE
from host.capabilities.message import MessageFamily, Messages
from host.capabilities.model_requests import model_request
from host.capabilities.outbox import Outbox, Outgoing, Sent
from host.capabilities.person import PersonFamily
from host.capabilities.plugin_moves import PluginMoves
from host.capabilities.plugin_settings import PluginSettingsFamily
from host.capabilities.published_config import published
from host.capabilities.readable import Readable
from host.capabilities.render import RenderFamily
from host.capabilities.revocations import REVOCATIONS_FILE, Revocations, RevocationsFileError
from host.capabilities.send import SendFamily
from host.capabilities.statistics import StatisticsFamily
from host.capabilities.tool import ToolFamily

__all__ = [
    "INDEX_FILE",
    "REVOCATIONS_FILE",
    "ApiFamily",
    "ApiTable",
    "Asking",
    "AvatarFamily",
    "BadPayloadError",
    "CallRefusedError",
    "Capabilities",
    "Capability",
    "CapabilitySpec",
    "Chat",
    "ChatFamily",
    "ChatTarget",
    "Chats",
    "Chromium",
    "ComponentFamily",
    "ConfigFamily",
    "DatabaseFamily",
    "Denial",
    "DeniedError",
    "Family",
    "FrequencyFamily",
    "GatewayState",
    "Grant",
    "HostTasks",
    "Initiative",
    "Intent",
    "KnowledgeFamily",
    "LLMFamily",
    "LanguageModels",
    "MaisakaFamily",
    "MarketFamily",
    "MessageFamily",
    "Messages",
    "NoGatewaysError",
    "Note",
    "Noted",
    "OpenChat",
    "Outbox",
    "Outgoing",
    "PersonFamily",
    "PluginGateways",
    "PluginMoves",
    "PluginSettingsFamily",
    "Readable",
    "RefusalError",
    "RenderFamily",
    "RenderSettings",
    "Revocations",
    "RevocationsFileError",
    "RevokedError",
    "RoutedMessage",
    "SaidError",
    "SendFamily",
    "Sent",
    "StatisticsFamily",
    "ToolFamily",
    "UnknownCapabilityError",
    "Wording",
    "model_request",
    "published",
    "standing",
]
