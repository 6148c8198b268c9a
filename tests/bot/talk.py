"""A chat with a bot whose models are asked over HTTP: one endpoint plans, another words the replies."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from host.models import Models
from tests.bot.chat import Chat, message_dict
from tests.models.asking import provider, settings
from tests.models.endpoint import Endpoint, Told, completion, endpoint, says, told, wire_call


def calls(name: str, /, call_id: str = "c1", **arguments: Any) -> Told:
    """An answer that calls one tool."""
    return told(completion(None, "tool_calls", tool_calls=[wire_call(call_id, name, json.dumps(arguments))]))


REPLY = calls("reply", msg_id="771", set_quote=True)


@dataclass(slots=True)
class Talk:
    """The chat, and what was asked.

    Attributes:
        chat: with the bot.
        endpoint: words replies.
        planner: plans.
        pauses: how long was waited before each later piece, in seconds.
    """

    chat: Chat
    endpoint: Endpoint
    planner: Endpoint
    pauses: list[float] = field(default_factory=list)

    def asked(self, number: int = -1) -> str:
        """All words of a request for a reply."""
        return words(self.endpoint, number)

    def planned(self, number: int = -1) -> str:
        """All words of a request for a plan."""
        return words(self.planner, number)

    def tools(self, number: int = -1) -> list[str]:
        """The names of the tools that the planner was offered."""
        return [tool["function"]["name"] for tool in self.planner.asked[number].json.get("tools", [])]

    async def said(self, text: str = "Is there tea?") -> list[str]:
        """What is said to a message."""
        await self.chat.bot.receive(message_dict(text))
        return self.chat.gateway.texts()


def words(asked: Endpoint, number: int) -> str:
    """All words of a request."""
    return "\n".join(str(message["content"]) for message in asked.asked[number].json["messages"])


@asynccontextmanager
async def talk(
    *answers: Told, plan: Sequence[Told] = (REPLY,), can: Sequence[str] = ("tools",), **bot: Any
) -> AsyncIterator[Talk]:
    """A talk.

    Args:
        answers: of the model that words replies; "Plenty." without any.
        plan: answers of the model that plans; by default it replies.
        can: what the models are able to do.
        bot: further arguments of the bot.
    """
    async with endpoint(*answers or (says("Plenty."),)) as wording, endpoint(*plan) as planning:
        configured = settings(
            provider("main", wording.url),
            provider("other", wording.url),
            provider("plan", planning.url),
            tasks={
                "replyer": {"models": ["main-model"], "temperature": 0.5},
                "utility": {"models": ["other-model"], "temperature": 0.1},
                "planner": {"models": ["plan-model"]},
            },
            capabilities=can,
        )
        models = Models(configured, environ={})
        pauses: list[float] = []

        async def pause(seconds: float) -> None:
            pauses.append(seconds)

        try:
            yield Talk(Chat(models=models, pause=pause, **bot), wording, planning, pauses)
        finally:
            await models.aclose()
