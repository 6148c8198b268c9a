"""Noting in the storage what models were used for, while the bot goes on."""

import asyncio

from loguru import logger

from host.bot.message import Clock
from host.models import UsageRecord
from host.storage import ModelUsage, StorageError, Usage


class UsageLog:
    """Writes down each answer of a model in the background.

    Args:
        usage: the room of the storage.
        clock: what time it is.
    """

    def __init__(self, usage: Usage, clock: Clock) -> None:
        self._usage = usage
        self._clock = clock
        self._writing: set[asyncio.Task[None]] = set()

    def note(self, record: UsageRecord) -> None:
        """Write down an answer soon."""
        task = asyncio.create_task(self._write(record))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def aclose(self) -> None:
        """Wait until all is written."""
        if self._writing:
            await asyncio.wait(self._writing)

    async def _write(self, record: UsageRecord) -> None:
        usage = record.usage
        try:
            await self._usage.add(
                ModelUsage(
                    timestamp=self._clock(),
                    model_name=record.model,
                    model_assign_name=record.model,
                    model_api_provider_name=record.provider,
                    task_name=record.task,
                    request_type=record.caller.request_type,
                    plugin_id=record.caller.plugin_id or None,
                    session_id=record.caller.session_id,
                    time_cost=record.seconds,
                    prompt_tokens=usage.prompt_tokens,
                    completion_tokens=usage.completion_tokens,
                    total_tokens=usage.total_tokens,
                    prompt_cache_hit_tokens=usage.cached_tokens,
                    prompt_cache_miss_tokens=usage.uncached_tokens,
                    cost=record.cost,
                )
            )
        except StorageError as error:
            logger.error("What {} used is not in the storage: {}", record.model, error)
