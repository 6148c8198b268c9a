"""What a second family of hooks does about one message. The one here does nothing; `bub_turn` has the other."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal

from host.bot.builtin_tools import ToolDefinition
from host.bot.message import SessionMessage
from host.bot.texts import BOT_TEXTS
from host.bot.tool_results import ToolResult
from host.hooks.texts import Locale
from host.models import Caller, ModelAnswer, ModelRequest, Models

Admission = Literal["parallel", "follow_up", "steer", "drop"]

RunTool = Callable[[Mapping[str, Any]], Awaitable[ToolResult]]
"""Runs the tool with these arguments."""


class GuestFailedError(Exception):
    """A hook of the other family failed, and by the rules of that family the turn ends with it.

    Args:
        why: what it raised.
    """

    def __init__(self, why: Exception) -> None:
        self.why = f"{type(why).__name__}: {why}"
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """What happened."""
        return BOT_TEXTS.render("guest_failed", {"why": self.why}, locale)


class Guest:
    """Takes part in one message's way. All methods are called in the order in which they stand here.

    Attributes:
        system_block: what the models of this step are told beside the bot's own prompt.
        tools: further tools for the planner.
    """

    system_block = ""
    tools: Sequence[ToolDefinition] = ()

    async def admit(self, heard: SessionMessage, running: int, waiting: int) -> Admission | None:
        """Before the receive hooks: what the message does while others of its chat are under way; None leaves that.

        Raises:
            GuestFailedError: the message is dropped.
        """
        return None

    @asynccontextmanager
    async def turn(self, heard: SessionMessage) -> AsyncIterator[None]:
        """Around the message's turn."""
        yield

    async def prompt(self, heard: SessionMessage) -> SessionMessage:
        """Before planning: the message with the words that models are told."""
        return heard

    def told(self, history: Sequence[SessionMessage]) -> Sequence[SessionMessage]:
        """The chat as models are told it."""
        return history

    async def begin_step(self) -> None:
        """Before the planner is asked: brings `system_block` up to date."""

    async def generate(
        self, models: Models, task: str, request: ModelRequest, *, model: str | None, caller: Caller
    ) -> ModelAnswer:
        """Ask a model. Raises `ModelError` as `Models.generate` does."""
        return await models.generate(task, request, model=model, caller=caller)

    async def call_tool(self, name: str, arguments: Mapping[str, Any], run: RunTool) -> ToolResult:
        """Run a tool."""
        return await run(arguments)

    async def end_step(self) -> list[str]:
        """After a step that another one follows: what the planner is told before it."""
        return []

    async def render(self, text: str) -> list[str]:
        """What is said of a reply that was worded."""
        return [text]

    async def dispatched(self, message: SessionMessage) -> None:
        """A piece of the reply was sent."""


NOBODY = Guest()
"""For messages that no other family takes part in."""

Guests = Callable[[], Guest]
"""Makes the guest of one message."""


def nobody() -> Guest:
    """No other family is there."""
    return NOBODY
