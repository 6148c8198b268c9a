"""Noting in the storage which tools were called and how long the program runs, while the bot goes on."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from loguru import logger

from host.bot.message import Clock
from host.storage import Activity, StorageError, ToolRecord

NOTED_EVERY_SECONDS = 60.0
"""How often it is noted that the program runs still."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """A call of a tool by the planner's model.

    Args:
        call_id: of the call.
        session_id: the chat.
        name: as the model calls the tool.
        thought: why it calls.
        arguments: as it gave them.
        output: what came of it, as the model is told.
        success: whether that is what was asked for.
    """

    call_id: str
    session_id: str
    name: str
    thought: str
    arguments: Mapping[str, Any]
    output: str
    success: bool


NoteTool = Callable[[ToolUse], None]
"""Takes note of a call."""


def forget(use: ToolUse) -> None:
    """Take no note."""


class ActivityLog:
    """Writes down calls of tools, and the time online, in the background.

    Args:
        activity: the room of the storage.
        clock: what time it is, in seconds since 1970.
    """

    def __init__(self, activity: Activity, clock: Clock) -> None:
        self._activity = activity
        self._clock = clock
        self._writing: set[asyncio.Task[None]] = set()
        self._online: asyncio.Task[None] | None = None
        self._number = 0
        self._started = 0.0

    async def start(self) -> None:
        """Begin to count the time online.

        Raises:
            DatabaseFailedError: the database refused.
        """
        self._started = self._clock()
        self._number = await self._activity.started(self._started)
        self._online = asyncio.create_task(self._stay_online(), name="time online")

    def note(self, use: ToolUse) -> None:
        """Write down a call soon."""
        record = ToolRecord(
            tool_id=use.call_id,
            timestamp=self._clock(),
            session_id=use.session_id,
            tool_name=use.name,
            tool_reasoning=use.thought or None,
            tool_data={"arguments": dict(use.arguments), "output": use.output, "success": use.success},
        )
        task = asyncio.create_task(self._write(record))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def aclose(self) -> None:
        """Wait until all is written, and count the time online to its end."""
        if self._online is not None:
            self._online.cancel()
            await asyncio.wait([self._online])
            await self._still_online()
        if self._writing:
            await asyncio.wait(self._writing)

    async def _stay_online(self) -> None:
        while True:
            await asyncio.sleep(NOTED_EVERY_SECONDS)
            await self._still_online()

    async def _still_online(self) -> None:
        try:
            await self._activity.runs_still(self._number, self._started, self._clock())
        except StorageError as error:
            logger.error("The time online is not in the storage: {}", error)

    async def _write(self, record: ToolRecord) -> None:
        try:
            await self._activity.tool_called(record)
        except StorageError as error:
            logger.error("A call of {} is not in the storage: {}", record.tool_name, error)
