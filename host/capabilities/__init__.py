"""What a plugin may ask of the host: one module a family, over what the host has.

capabilities = Capabilities(gateways)          # before the plugins are made: it is what their calls go to
plugins = Plugins(hooks, roots, Inline(data_dir, answer=capabilities), data_dir)
capabilities.add(SendFamily(outbox), ConfigFamily(settings, plugins), ApiFamily(ApiTable(plugins)))
"""

from host.capabilities.api import ApiFamily
from host.capabilities.api_table import ApiTable
from host.capabilities.calls import Capabilities
from host.capabilities.capability import Capability, CapabilitySpec, Family
from host.capabilities.chat import Chat, ChatFamily, Chats, ChatTarget, OpenChat
from host.capabilities.component import ComponentFamily
from host.capabilities.config import ConfigFamily
from host.capabilities.emoji import EmojiFamily, KnownEmoji, RegisteredEmoji
from host.capabilities.errors import (
    BadPayloadError,
    CallRefusedError,
    DeniedError,
    NoGatewaysError,
    RefusalError,
    UnknownCapabilityError,
)
from host.capabilities.gateways import GatewayState, PluginGateways, RoutedMessage
from host.capabilities.grants import Denial
from host.capabilities.language_models import LanguageModels
from host.capabilities.llm import Asking, LLMFamily
from host.capabilities.message import MessageFamily, Messages
from host.capabilities.model_requests import model_request
from host.capabilities.outbox import Outbox, Outgoing, Sent
from host.capabilities.plugin_moves import PluginMoves
from host.capabilities.published_config import published
from host.capabilities.readable import Readable
from host.capabilities.send import SendFamily

__all__ = [
    "ApiFamily",
    "ApiTable",
    "Asking",
    "BadPayloadError",
    "CallRefusedError",
    "Capabilities",
    "Capability",
    "CapabilitySpec",
    "Chat",
    "ChatFamily",
    "ChatTarget",
    "Chats",
    "ComponentFamily",
    "ConfigFamily",
    "Denial",
    "DeniedError",
    "EmojiFamily",
    "Family",
    "GatewayState",
    "KnownEmoji",
    "LLMFamily",
    "LanguageModels",
    "MessageFamily",
    "Messages",
    "NoGatewaysError",
    "OpenChat",
    "Outbox",
    "Outgoing",
    "PluginGateways",
    "PluginMoves",
    "Readable",
    "RefusalError",
    "RegisteredEmoji",
    "RoutedMessage",
    "SendFamily",
    "Sent",
    "UnknownCapabilityError",
    "model_request",
    "published",
]
