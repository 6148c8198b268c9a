"""All capabilities that this host can do, as data."""

from typing import Any

from host.capabilities.api import APIS
from host.capabilities.avatar import AVATAR
from host.capabilities.capability import CapabilitySpec
from host.capabilities.chat import CHAT
from host.capabilities.component import COMPONENT
from host.capabilities.config import CONFIG
from host.capabilities.database import DATABASE
from host.capabilities.frequency import FREQUENCY
from host.capabilities.knowledge import KNOWLEDGE
from host.capabilities.llm import LLM
from host.capabilities.maisaka import MAISAKA
from host.capabilities.market import MARKET
from host.capabilities.message import MESSAGE
from host.capabilities.person import PERSON
from host.capabilities.plugin_moves import MOVES
from host.capabilities.plugin_settings import PLUGIN_SETTINGS
from host.capabilities.render import RENDER
from host.capabilities.send import SEND
from host.capabilities.statistics import STATISTICS
from host.capabilities.tool import TOOL

CAPABILITIES: tuple[CapabilitySpec[Any], ...] = (
    *SEND,
    *CONFIG,
    *LLM,
    *MESSAGE,
    *CHAT,
    *APIS,
    *COMPONENT,
    *MOVES,
    *PERSON,
    *DATABASE,
    *FREQUENCY,
    *TOOL,
    *MAISAKA,
    *RENDER,
    *KNOWLEDGE,
    *STATISTICS,
    *AVATAR,
    *PLUGIN_SETTINGS,
    *MARKET,
)
