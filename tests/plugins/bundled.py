"""A bot with one bundled plugin, loaded from its folder as an author would copy it."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

from host.hooks import Registration, Source, declarations_of
from maibot_sdk import MaiBotPlugin, PluginContext, PluginPaths
from tests.bot.chat import Chat

PLUGINS = Path(__file__).parents[2] / "plugins"
FOLDERS = ["message_log", "send_modifier", "word_filter"]

ODD_SEGMENTS: list[dict[str, Any]] = [
    {"type": "text", "data": "fine"},
    {"type": "image"},
    {"type": "at", "data": {"target_user_id": "1"}},
    {"type": "reply", "data": "771"},
    {"type": "forward", "data": []},
    {"type": "poke", "data": 5},
    {"type": "file", "data": {}},
]
"""One of each kind, as bare as the bot takes them."""


def load(folder: str) -> ModuleType:
    """The module of a bundled plugin."""
    spec = importlib.util.spec_from_file_location(f"bundled_{folder}", PLUGINS / folder / "plugin.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


async def start(chat: Chat, folder: str, data: Path) -> Registration:
    """Load a bundled plugin into a chat; `data` holds its folders."""
    plugin: MaiBotPlugin = load(folder).create_plugin()
    plugin_id = f"maibot-host.{folder.replace('_', '-')}"
    plugin._set_context(PluginContext(plugin_id, paths=PluginPaths(data / "data", data / "temp")))
    if "on_load" in vars(type(plugin)):
        await plugin.on_load()
    return chat.hooks.register(plugin_id, declarations_of(plugin, plugin.get_components()), source=Source.BUILTIN)
