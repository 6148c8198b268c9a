"""Extensions of the reply tool, declared by plugins: offered to the planner, and run before and after the wording."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from loguru import logger

from host.bot.builtin_tools import ReplyOption
from host.bot.chat_place import ChatPlace
from host.bot.components import Components, declaration
from host.bot.extension_messages import SaidMessage, read_said
from host.bot.extension_schema import filled, schema_problem
from host.bot.reading import InvalidMessageError, describe
from host.bot.reply_wanted import PLUGIN_OPTIONS, ReplyFailedError, ReplyWanted
from host.bot.texts import BOT_TEXTS
from host.runtime.components import Component, ComponentGoneError

KIND = "REPLY_EXTENSION"
_NO_PARAMETERS: Mapping[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}


class ReplyExtensions:
    """Finds the extensions that may be asked for in a chat.

    Args:
        components: where they are declared.
    """

    def __init__(self, components: Components) -> None:
        self._components = components
        self._schemas: dict[Component, Mapping[str, Any] | None] = {}

    def options(self, place: ChatPlace) -> list[ReplyOption]:
        """What the planner's model is offered in a chat."""
        return [
            ReplyOption(each.full_name, str(each.metadata.get("description") or ""), schema)
            for each, schema in self._in(place)
        ]

    def asked(self, wanted: ReplyWanted) -> "AskedExtensions":
        """Those that the planner's model asked for with a reply, in order of priority, then of name.

        Args:
            wanted: the reply.

        Raises:
            ReplyFailedError: it asked for one that there is not, or with parameters that do not fit. None was called.
        """
        options = wanted.reply_tool_args.get(PLUGIN_OPTIONS) or {}
        if not isinstance(options, Mapping):
            raise _failed("extension_options", found=describe(options))
        place = ChatPlace.of(wanted.target)
        here = {each.full_name: (each, schema) for each, schema in self._in(place)} if options else {}
        asked: list[_Asked] = []
        for name, given in options.items():
            if name not in here:
                raise _failed("extension_unknown", name=name, known=", ".join(here) or "-")
            component, schema = here[name]
            parameters, problem = filled(schema, given)
            if problem:
                raise _failed("extension_parameters", name=name, problem=problem)
            asked.append(_Asked(component, parameters))
        asked.sort(key=lambda each: (_priority(each.component), each.component.full_name))
        return AskedExtensions(self._components, asked, wanted, place)

    def _in(self, place: ChatPlace) -> list[tuple[Component, Mapping[str, Any]]]:
        """The extensions of a chat, with their schemas."""
        components = self._components.of_type(KIND)
        self._schemas = {each: self._schemas[each] if each in self._schemas else _schema(each) for each in components}
        return [
            (each, schema)
            for each, schema in self._schemas.items()
            if schema is not None and place.has(declaration(each))
        ]


@dataclass(frozen=True, slots=True)
class _Asked:
    component: Component
    parameters: Mapping[str, Any]


class AskedExtensions:
    """The extensions of one reply. Each is called before the reply is worded, and again before it is sent.

    Args:
        components: tells whether they are still there.
        asked: in the order in which they are called.
        wanted: the reply.
        place: its chat.
    """

    def __init__(self, components: Components, asked: Sequence[_Asked], wanted: ReplyWanted, place: ChatPlace) -> None:
        self._components = components
        self._asked = asked
        self._common: dict[str, Any] = {
            "reply_id": uuid4().hex,
            "call_id": wanted.call_id,
            "session_id": wanted.target.session_id,
            "reply_message_id": wanted.target.message_id,
            "chat": {
                "session_id": place.session_id,
                "stream_id": place.session_id,
                "is_group_chat": place.group_id is not None,
                "group_id": place.group_id,
                "user_id": place.user_id,
                "platform": place.platform,
            },
        }

    async def prepare(self) -> str:
        """What they demand of the reply, for the model that words it; "" where that is nothing.

        Raises:
            ReplyFailedError: one of them failed.
        """
        demands: list[str] = []
        for each in self._asked:
            returned = await self._call(each, "prepare", "extra_prompt", text="", messages=[])
            demand = returned.get("extra_prompt", "")
            if not isinstance(demand, str):
                raise _refused(each.component, "prepare", "extra_prompt", demand)
            demands.append(demand.strip())
        return "\n\n".join(filter(None, demands))

    async def before_send(self, text: str, messages: Sequence[SaidMessage]) -> Sequence[SaidMessage]:
        """The messages of the reply as they leave them, each seeing what the one before it returned.

        Args:
            text: the whole reply.
            messages: in which it would be sent.

        Raises:
            ReplyFailedError: one of them failed, or returned what cannot be sent.
        """
        for each in self._asked:
            told = [message.to_dict() for message in messages]
            returned = await self._call(each, "before_send", "messages", text=text, messages=told)
            if "messages" in returned:
                try:
                    messages = read_said(returned["messages"])
                except InvalidMessageError as error:
                    why = f"{each.component.full_name}: {error.text()} / {error.text('zh')}"
                    raise ReplyFailedError("reply_extension_failed", why) from error
        return messages

    async def _call(self, asked: _Asked, phase: str, allowed: str, **told: Any) -> Mapping[str, Any]:
        """What one of them returned: a dict with no other key than the allowed one."""
        component, name = asked.component, asked.component.full_name
        if component not in self._components.of_type(KIND):
            raise _failed("extension_gone", name=name)
        arguments = {"phase": phase, **self._common, "parameters": asked.parameters, **told}
        try:
            invoked = await component.invoke(arguments)
        except ComponentGoneError as lost:
            raise ReplyFailedError("reply_extension_failed", str(lost)) from lost
        if not invoked.success:
            logger.error(
                "The reply extension {} failed: {}\n{}", component.full_name, invoked.result, invoked.traceback
            )
            raise ReplyFailedError("reply_extension_failed", f"{name}: {invoked.result}")
        if not isinstance(invoked.result, Mapping) or invoked.result.keys() - {allowed}:
            raise _refused(component, phase, allowed, invoked.result)
        return invoked.result


def _schema(component: Component) -> Mapping[str, Any] | None:
    """The schema of an extension's parameters; None, and a warning, where it is none."""
    declared = component.metadata.get("parameters_schema") or _NO_PARAMETERS
    problem = schema_problem(declared) if isinstance(declared, Mapping) else "it is no dict"
    if problem is not None:
        fields = {"name": component.full_name, "problem": problem}
        logger.warning("{}", BOT_TEXTS.both("extension_schema", fields))
        return None
    return {"additionalProperties": False, **declared}


def _priority(component: Component) -> int:
    priority = component.metadata.get("priority")
    return priority if isinstance(priority, int) else 0


def _refused(component: Component, phase: str, allowed: str, found: object) -> ReplyFailedError:
    shown = ", ".join(map(str, found)) if isinstance(found, Mapping) else describe(found)
    return _failed("extension_return", name=component.full_name, phase=phase, allowed=allowed, found=shown)


def _failed(code: str, **fields: object) -> ReplyFailedError:
    return ReplyFailedError("reply_extension_failed", BOT_TEXTS.both(code, fields))
