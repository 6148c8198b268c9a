"""The tools that the bot offers its planner by itself."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from host.bot.prompt_texts import PROMPT_TEXTS
from host.hooks.texts import Locale

ToolDefinition = dict[str, Any]
"""``{"type": "function", "function": {"name", "description", "parameters"}}``."""

REPLY = "reply"
WAIT = "wait"
NO_REPLY = "no_reply"
SEND_EMOJI = "send_emoji"
QUERY_JARGON = "query_jargon"
TOOL_SEARCH = "tool_search"


def definition(name: str, description: str, parameters: Mapping[str, Any]) -> ToolDefinition:
    """A tool as models get it.

    Args:
        name: what the model calls it by.
        description: what it does.
        parameters: JSON schema of its arguments.
    """
    return {"type": "function", "function": {"name": name, "description": description, "parameters": dict(parameters)}}


@dataclass(frozen=True, slots=True)
class ReplyOption:
    """An extension of the reply tool that the model may ask for.

    Args:
        full_name: ``<plugin id>.<name>``.
        description: what it does.
        schema: JSON schema of its parameters.
    """

    full_name: str
    description: str
    schema: Mapping[str, Any]


def reply_tool(options: Iterable[ReplyOption] = (), locale: Locale = "en") -> ToolDefinition:
    """The tool that answers a message.

    Args:
        options: extensions that may be asked for.
        locale: the language of the descriptions.
    """
    properties = {
        "msg_id": _property("string", "reply_msg_id", locale),
        "set_quote": {**_property("boolean", "reply_set_quote", locale), "default": False},
        "reference_info": _property("string", "reply_reference_info", locale),
    }
    offered = {each.full_name: {"description": each.description, **each.schema} for each in options}
    if offered:
        properties["plugin_options"] = {
            **_property("object", "reply_plugin_options", locale),
            "properties": offered,
            "additionalProperties": False,
        }
    return _tool(REPLY, properties, ["msg_id"], locale)


def wait_tool(locale: Locale = "en") -> ToolDefinition:
    """The tool that waits for people to go on."""
    seconds = {**_property("integer", "wait_seconds", locale), "minimum": 1}
    return _tool(WAIT, {"seconds": seconds}, ["seconds"], locale)


def no_reply_tool(locale: Locale = "en") -> ToolDefinition:
    """The tool that ends the turn in silence."""
    return _tool(NO_REPLY, {"reason": _property("string", "no_reply_reason", locale)}, [], locale)


def send_emoji_tool(locale: Locale = "en") -> ToolDefinition:
    """The tool that sends a sticker."""
    properties = {
        "emotion": _property("string", "send_emoji_emotion", locale),
        "reason": _property("string", "send_emoji_reason", locale),
    }
    return _tool(SEND_EMOJI, properties, ["emotion"], locale)


def query_jargon_tool(locale: Locale = "en") -> ToolDefinition:
    """The tool that looks words of the chat up."""
    words = {**_property("array", "query_jargon_words", locale), "items": {"type": "string"}}
    return _tool(QUERY_JARGON, {"words": words}, ["words"], locale)


def tool_search_tool(locale: Locale = "en") -> ToolDefinition:
    """The tool that finds tools which are not offered in full."""
    return _tool(TOOL_SEARCH, {"query": _property("string", "tool_search_query", locale)}, ["query"], locale)


@dataclass(frozen=True, slots=True)
class ReplyArguments:
    """What the model said with its call of the reply tool.

    Args:
        msg_id: the message to answer; "" where it named none.
        set_quote: whether to quote it.
        reference_info: facts for the answer, or "".
        reply_tool_args: all other arguments, those of plugins among them; they travel through the hooks of the reply.
    """

    msg_id: str
    set_quote: bool
    reference_info: str
    reply_tool_args: Mapping[str, Any]

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> Self:
        """The arguments of a call, read as leniently as models write: ids may be numbers, flags may be words."""
        msg_id, quote, reference = (arguments.get(key) for key in ("msg_id", "set_quote", "reference_info"))
        own = ("msg_id", "set_quote", "reference_info")
        return cls(
            "" if msg_id is None else str(msg_id).strip(),
            quote.strip().lower() in ("1", "true", "yes", "on") if isinstance(quote, str) else bool(quote),
            "" if reference is None else str(reference),
            {key: value for key, value in arguments.items() if key not in own},
        )


def _tool(name: str, properties: Mapping[str, Any], required: list[str], locale: Locale) -> ToolDefinition:
    schema = {"type": "object", "properties": dict(properties), "required": required}
    return definition(name, PROMPT_TEXTS.render(f"tool_{name}", {}, locale), schema)


def _property(kind: str, code: str, locale: Locale) -> dict[str, Any]:
    return {"type": kind, "description": PROMPT_TEXTS.render(code, {}, locale)}
