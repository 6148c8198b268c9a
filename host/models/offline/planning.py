"""What the offline model does with tools: which one it calls, and whether the bot replies."""

from host.models.answer import ModelAnswer
from host.models.offline.filling import filled_object
from host.models.offline.heard import Heard
from host.models.offline.sentences import reply_to
from host.models.offline.texts import OFFLINE_TEXTS
from host.models.offline.tools import NO_REPLY, PLANNING_TOOLS, REPLY, WAIT, fitting_tool, named_tool
from host.models.request import Message, ModelRequest, Tool, ToolCall

_REASONS = ("reason", "reply_reason", "why")
_REFERENCES = ("reference_info", "reference")
_QUOTES = ("set_quote", "quote")


def plan(request: ModelRequest, said: Heard) -> ModelAnswer | None:
    """The call that the offline model makes; None where it calls nothing."""
    tools = {tool.name: tool for tool in request.tools}
    if request.messages[-1].role == "tool":
        return _after_tools(request, tools, said)
    if found := named_tool(request.tools, said) or fitting_tool(request.tools, said):
        return _calls(request, found, said)
    if REPLY in tools:
        code, name = ("because_unfinished", WAIT) if said.unfinished else _decision(said)
        if name in tools:
            return _calls(request, tools[name], said, because=code)
        return _says(OFFLINE_TEXTS.render("done", {}, said.locale), said)
    if request.tool_choice == "required" and request.tools:
        return _calls(request, request.tools[0], said)
    return None


def _decision(said: Heard) -> tuple[str, str]:
    """Why, and the name of the tool that tells it. Where the bot has no name, everything is said to it."""
    if said.addressed or not said.names:
        return "because_addressed", REPLY
    if said.private:
        return "because_private", REPLY
    return ("because_greeting", REPLY) if said.greets_all else ("because_not_addressed", NO_REPLY)


def _after_tools(request: ModelRequest, tools: dict[str, Tool], said: Heard) -> ModelAnswer:
    """What a tool found out is replied; after waiting it is decided anew; after a reply there is nothing to do."""
    output = request.messages[-1]
    name = _called(request.messages, output.tool_call_id)
    if name == WAIT:
        code, decided = _decision(said)
        if decided == REPLY and REPLY in tools:
            return _calls(request, tools[REPLY], said, because=code)
    if name in PLANNING_TOOLS:
        return _says(OFFLINE_TEXTS.render("done", {}, said.locale), said)
    told = OFFLINE_TEXTS.render("output", {"name": name, "output": output.text.strip()}, said.locale)
    if REPLY in tools:
        return _calls(request, tools[REPLY], said, because="because_output", reference=told)
    return _says(told, said)


def _called(messages: tuple[Message, ...], call_id: str) -> str:
    calls = (call for message in messages for call in message.tool_calls)
    return next((call.name for call in calls if call.id == call_id), "")


def _calls(request: ModelRequest, tool: Tool, said: Heard, because: str = "", reference: str = "") -> ModelAnswer:
    properties = tool.parameters.get("properties", {})
    arguments = filled_object(tool.parameters, said)
    reason = OFFLINE_TEXTS.render(because, {}, said.locale) if because else ""
    for names, value in ((_REASONS, reason), (_REFERENCES, reference)):
        arguments.update({name: value for name in names if value and name in properties})
    if tool.name == REPLY and said.addressed and not said.private:
        # In a group people see by it who is answered.
        arguments.update({name: True for name in _QUOTES if name in properties})
    # One for each call of a conversation, and always the same.
    number = 1 + sum(len(message.tool_calls) for message in request.messages)
    call = ToolCall(f"offline_{number}", tool.name, arguments)
    return ModelAnswer(reasoning=reason, tool_calls=(call,), finish_reason="tool_calls")


def _says(text: str, said: Heard) -> ModelAnswer:
    return ModelAnswer(text or reply_to(said))
