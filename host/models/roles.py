"""Role messages as plugins and hook payloads carry them, read into typed messages and written back.

What is accepted is what public plugins send: roles in any case, content as text, a part, or a list of texts, parts and
`[format, base64]` pairs, pictures as data URLs or as two keys, arguments of calls as a dict or as JSON text.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from host.models.errors import PromptError
from host.models.request import ImagePart, Message, Part, Role, TextPart, Tool, ToolCall

_DATA_URL = re.compile(r"data:image/(?P<format>[a-z]+);base64,(?P<data>\S+)", re.IGNORECASE)
_FORMATS = frozenset({"jpg", "jpeg", "png", "webp", "gif"})
_IMAGE_TYPES = frozenset({"image", "image_url", "input_image"})
_ROLES: Mapping[str, Role] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"}


def read_prompt(prompt: object) -> tuple[Message, ...]:
    """The messages of a prompt: one user's message for a text, one each for a list of role messages.

    Raises:
        PromptError: it is neither, it is empty, or one of the messages is no role message.
    """
    if isinstance(prompt, str) and prompt.strip():
        return (Message("user", (TextPart(prompt),)),)
    if not isinstance(prompt, list) or not prompt:
        raise PromptError("prompt", prompt, "want_prompt")
    called: set[str] = set()
    return tuple(_read_message(each, f"prompt[{index}]", called) for index, each in enumerate(prompt))


def _read_message(value: object, path: str, called: set[str]) -> Message:
    if not isinstance(value, dict):
        raise PromptError(path, value, "want_message")
    named = value.get("role")
    role = _ROLES.get(named.strip().lower()) if isinstance(named, str) else None
    if role is None:
        raise PromptError(f"{path}.role", named, "want_role")
    parts = tuple(_read_content(value.get("content"), f"{path}.content"))
    if role == "assistant":
        return _read_assistant(value, parts, path, called)
    if role == "tool":
        return _read_output(value, parts, path, called)
    if not parts:
        raise PromptError(f"{path}.content", value.get("content"), "want_content")
    return Message(role, parts)


def _read_assistant(value: dict[str, Any], parts: tuple[Part, ...], path: str, called: set[str]) -> Message:
    thought = value.get("reasoning_content")
    reasoning = thought if isinstance(thought, str) else ""
    entries = value.get("tool_calls") or []
    if not isinstance(entries, list):
        raise PromptError(f"{path}.tool_calls", entries, "want_tool_calls")
    calls = tuple(read_call(each, f"{path}.tool_calls[{index}]") for index, each in enumerate(entries))
    if not (parts or reasoning or calls):
        raise PromptError(path, value, "want_some_answer")
    called.update(call.id for call in calls)
    return Message("assistant", parts, reasoning, calls)


def _read_output(value: dict[str, Any], parts: tuple[Part, ...], path: str, called: set[str]) -> Message:
    call_id = value.get("tool_call_id")
    if not isinstance(call_id, str) or call_id not in called:
        raise PromptError(f"{path}.tool_call_id", call_id, "want_call_id")
    if any(isinstance(part, ImagePart) for part in parts):
        raise PromptError(f"{path}.content", "a picture", "want_no_image")
    return Message("tool", parts, tool_call_id=call_id)


def _read_content(content: object, path: str) -> Iterator[Part]:
    if content is None:
        return
    if not isinstance(content, list):
        yield from _read_part(content, path)
        return
    for index, each in enumerate(content):
        yield from _read_part(each, f"{path}[{index}]")


def _read_part(value: object, path: str) -> Iterator[Part]:
    match value:
        case "":
            return
        case str(text):
            yield TextPart(text)
        case [str(format_name), str(data)]:
            yield _image(format_name, data, path, value)
        case dict():
            yield from _read_part_dict(value, path)
        case _:
            raise PromptError(path, value, "want_part")


def _read_part_dict(part: dict[str, Any], path: str) -> Iterator[Part]:
    kind = part.get("type", "text")
    if kind in _IMAGE_TYPES:
        address = part.get("image_url")
        url = address.get("url") if isinstance(address, dict) else address
        if isinstance(url, str):
            found = _DATA_URL.fullmatch(url)
            if found is None:
                raise PromptError(path, url, "want_image")
            yield _image(found["format"], found["data"], path, url)
        else:
            yield _image(part.get("image_format"), part.get("image_base64"), path, part)
        return
    text = part.get("text")
    if kind != "text" or not isinstance(text, str):
        raise PromptError(path, part, "want_part")
    if text:
        yield TextPart(text)


def _image(format_name: object, data: object, path: str, found: object) -> ImagePart:
    if not isinstance(format_name, str) or format_name.lower() not in _FORMATS or not isinstance(data, str) or not data:
        raise PromptError(path, found, "want_image")
    return ImagePart(format_name.lower(), data)


def read_call(value: object, path: str) -> ToolCall:
    """A call as it stands in an assistant's message, in any of the forms in use.

    Arguments that are no JSON are kept under `raw_arguments`, JSON that is no object under `value`.

    Raises:
        PromptError: it has no id or no name.
    """
    if not isinstance(value, dict):
        raise PromptError(path, value, "want_tool_calls")
    function = value.get("function")
    inner = function if isinstance(function, dict) else {}
    call_id = value.get("id") or value.get("call_id")
    name = inner.get("name") or value.get("name") or value.get("func_name")
    if not isinstance(call_id, str) or not isinstance(name, str):
        raise PromptError(path, value, "want_tool_calls")
    given = next(
        (held[key] for held, key in ((inner, "arguments"), (value, "arguments"), (value, "args")) if key in held), None
    )
    extra = value.get("extra_content")
    return ToolCall(call_id, name, _arguments(given), extra_content=extra if isinstance(extra, dict) else None)


def _arguments(given: object) -> Mapping[str, Any]:
    if isinstance(given, str) and given.strip():
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return {"raw_arguments": given}
    if given is None or given == "" or (isinstance(given, str) and not given.strip()):
        return {}
    return given if isinstance(given, dict) else {"value": given}


def read_tools(tools: object) -> tuple[Tool, ...]:
    """Tools as plugins give them: `{name, description, parameters}`, with `parameters_schema`, or as a `function`.

    Raises:
        PromptError: it is no list, or one of them has no name or no schema.
    """
    if not isinstance(tools, list):
        raise PromptError("tools", tools, "want_tools")
    return tuple(_read_tool(each, f"tools[{index}]") for index, each in enumerate(tools))


def _read_tool(value: object, path: str) -> Tool:
    if not isinstance(value, dict):
        raise PromptError(path, value, "want_tool")
    inner = value["function"] if isinstance(value.get("function"), dict) else value
    name, description = inner.get("name"), inner.get("description")
    parameters = inner.get("parameters") or inner.get("parameters_schema") or {"type": "object", "properties": {}}
    if not isinstance(name, str) or not name or not isinstance(parameters, dict):
        raise PromptError(path, value, "want_tool")
    return Tool(name, description if isinstance(description, str) else "", parameters)


def role_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The messages as OpenAI-compatible endpoints take them: arguments as JSON text, reasoning left out."""
    return [
        _role_message(message) for message in messages if message.parts or message.tool_calls or message.tool_call_id
    ]


def _role_message(message: Message) -> dict[str, Any]:
    written: dict[str, Any] = {"role": message.role, "content": _written_content(message)}
    if message.tool_calls:
        written["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments_json()},
                **({"extra_content": dict(call.extra_content)} if call.extra_content else {}),
            }
            for call in message.tool_calls
        ]
    if message.role == "tool":
        written["tool_call_id"] = message.tool_call_id
    return written


def _written_content(message: Message) -> str | list[dict[str, Any]] | None:
    if message.images:
        return [
            {"type": "text", "text": part.text}
            if isinstance(part, TextPart)
            else {"type": "image_url", "image_url": {"url": part.data_url}}
            for part in message.parts
        ]
    return message.text or (None if message.role == "assistant" else "")


def tool_definitions(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    """The tools as OpenAI-compatible endpoints take them."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)},
        }
        for tool in tools
    ]
