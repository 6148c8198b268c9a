"""All capabilities that this host can do, as data."""

from typing import Any

from host.capabilities.api import APIS
from host.capabilities.capability import CapabilitySpec
from host.capabilities.chat import CHAT
from host.capabilities.component import COMPONENT
from host.capabilities.config import CONFIG
from host.capabilities.emoji import EMOJI
from host.capabilities.llm import LLM
from host.capabilities.message import MESSAGE
from host.capabilities.plugin_moves import MOVES
from host.capabilities.send import SEND

CAPABILITIES: tuple[CapabilitySpec[Any], ...] = (
    *SEND,
    *CONFIG,
    *LLM,
    *MESSAGE,
    *CHAT,
    *APIS,
    *COMPONENT,
    *MOVES,
    *EMOJI,
)
