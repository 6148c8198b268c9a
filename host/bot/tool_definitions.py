"""The tools of plugins as the planner's model is offered them."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from host.bot.builtin_tools import ToolDefinition, definition
from host.bot.chat_place import ChatPlace, metadata_of
from host.bot.prompt_texts import PROMPT_TEXTS
from host.bot.tool_schema import parameters_of
from host.hooks.texts import Locale

Component = Mapping[str, Any]
"""``{"name", "type", "metadata", ...}``, as a plugin declares it."""

MAX_NAME = 64
"""Characters of a tool's name that providers take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginTool:
    """A tool, or an action, of a plugin.

    Args:
        plugin_id: whose.
        name: what the plugin calls it.
        offered_as: what the model calls it; differs where a tool of the bot has the name.
        description: what the model is told of it.
        brief: one line.
        parameters: JSON schema of its arguments.
        deferred: offered only once the model found it; told in a line before.
        is_action: declared in the words of the older interface, and called with its arguments.
        component: the declaration.
    """

    plugin_id: str
    name: str
    offered_as: str
    description: str
    brief: str
    parameters: Mapping[str, Any]
    deferred: bool
    is_action: bool
    component: Component

    def definition(self) -> ToolDefinition:
        """As the model gets it."""
        return definition(self.offered_as, self.description, self.parameters)

    def arguments(self, given: Mapping[str, Any], place: ChatPlace, reasoning: str = "") -> dict[str, Any]:
        """What the handler is called with. A value of the chat fills what the model left out or empty.

        Args:
            given: the model's arguments.
            place: the chat.
            reasoning: what the planner thought last; actions get it.
        """
        chat = {"stream_id": place.session_id, "chat_id": place.session_id, "platform": place.platform}
        if place.group_id is not None:
            chat["group_id"] = place.group_id
        elif place.user_id is not None:
            chat["user_id"] = place.user_id
        arguments = dict(given)
        if self.is_action:
            arguments |= {"action_data": dict(given), "reasoning": reasoning}
        return arguments | {key: value for key, value in chat.items() if value and not arguments.get(key)}


@dataclass(frozen=True, slots=True)
class DroppedTool:
    """A tool that is not offered since another plugin's has its name.

    Args:
        plugin_id: whose.
        name: the name.
        kept_plugin_id: whose tool has it.
    """

    plugin_id: str
    name: str
    kept_plugin_id: str


@dataclass(frozen=True, slots=True)
class PluginTools:
    """The tools of plugins in one chat.

    Args:
        by_name: what may be called, by the name that the model knows it by, in order of declaration.
        dropped: what is not to be had, for a warning.
    """

    by_name: Mapping[str, PluginTool]
    dropped: tuple[DroppedTool, ...]

    def definitions(self, found: Collection[str] = ()) -> list[ToolDefinition]:
        """What is offered in full.

        Args:
            found: names of deferred tools that the model found already.
        """
        return [tool.definition() for name, tool in self.by_name.items() if not tool.deferred or name in found]

    def deferred(self, found: Collection[str] = ()) -> list[PluginTool]:
        """What is not, and can be found."""
        return [tool for name, tool in self.by_name.items() if tool.deferred and name not in found]

    def search(self, query: str) -> list[PluginTool]:
        """Deferred tools that have one of the words of `query` in name or description, best first."""
        words = query.casefold().split()
        ranked: list[tuple[int, int, PluginTool]] = []
        for tool in self.by_name.values():
            text = f"{tool.offered_as} {tool.description}".casefold()
            hits = sum(word in text for word in words)
            if tool.deferred and hits:
                ranked.append((-hits, len(ranked), tool))
        return [tool for _, _, tool in sorted(ranked, key=lambda each: each[:2])]


def reminder(tools: Sequence[PluginTool], locale: Locale = "en") -> str:
    """What the model is told of tools that it has to find first; "" where there are none."""
    if not tools:
        return ""
    lines = [
        PROMPT_TEXTS.render("further_tool", {"name": tool.offered_as, "brief": tool.brief}, locale) for tool in tools
    ]
    return "\n".join([PROMPT_TEXTS.render("further_tools", {}, locale), *lines])


def plugin_tools(
    declared: Iterable[tuple[str, Component]],
    place: ChatPlace,
    taken: Collection[str] = (),
    locale: Locale = "en",
) -> PluginTools:
    """The tools and actions among components that may be called in a chat.

    Of two plugins' tools with one name the first is kept. One that has the name of a tool of the bot gets another.

    Args:
        declared: plugin ids and components, in order of registration.
        place: the chat.
        taken: names of the bot's own tools.
        locale: the language of texts that stand in for missing ones.
    """
    tools: dict[str, PluginTool] = {}
    owners: dict[str, str] = {}
    dropped = []
    for plugin_id, component in declared:
        name, visibility = component["name"], _visibility(component)
        if component["type"] not in ("TOOL", "ACTION") or visibility == "hidden" or not place.has(component):
            continue
        if name in owners:
            dropped.append(DroppedTool(plugin_id, name, owners[name]))
            continue
        owners[name], unfree = plugin_id, {*taken, *tools}
        offered_as = name if name not in unfree else _other_name(plugin_id, name, unfree)
        tools[offered_as] = _tool(plugin_id, component, offered_as, visibility == "deferred", locale)
    return PluginTools(tools, tuple(dropped))


def every_tool(declared: Iterable[tuple[str, Component]], locale: Locale = "en") -> list[PluginTool]:
    """All tools and actions among components, hidden and deferred ones included, under their own names.

    Args:
        declared: plugin ids and components, in order of registration.
        locale: the language of texts that stand in for missing ones.
    """
    return [
        _tool(plugin_id, component, component["name"], _visibility(component) == "deferred", locale)
        for plugin_id, component in declared
    ]


def _tool(plugin_id: str, component: Component, offered_as: str, deferred: bool, locale: Locale) -> PluginTool:
    metadata = metadata_of(component)
    name = component["name"]
    brief, full, detailed = (
        text.strip() if isinstance(text := metadata.get(key), str) else ""
        for key in ("brief_description", "description", "detailed_description")
    )
    is_action = component["type"] == "ACTION" or metadata.get("legacy_action") is True
    description = full or brief or PROMPT_TEXTS.render("tool_of_plugin", {"name": name}, locale)
    if is_action and detailed:
        # Its conditions stand nowhere else.
        description = f"{description}\n\n{detailed}"
    return PluginTool(
        plugin_id=plugin_id,
        name=name,
        offered_as=offered_as,
        description=description,
        brief=(brief or description).splitlines()[0],
        parameters=parameters_of(metadata),
        deferred=deferred,
        is_action=is_action,
        component=component,
    )


def _visibility(component: Component) -> str:
    metadata = metadata_of(component)
    word = metadata.get("visibility")
    if word in ("visible", "deferred", "hidden"):
        return str(word)
    return "visible" if metadata.get("core_tool") is True else "deferred"


def _other_name(plugin_id: str, name: str, taken: Collection[str]) -> str:
    full = re.sub(r"[^A-Za-z0-9_-]", "_", f"plugin_{plugin_id}_{name}")
    if len(full) <= MAX_NAME and full not in taken:
        return full
    digest = sha256(f"{plugin_id}\0{name}".encode()).hexdigest()
    return f"{full[:51]}_{digest[:12]}"
