"""After very many dispatches with failing, hanging and observing handlers no task, memory or timer is left."""

import asyncio
import gc
import sys
from typing import Any

import pytest
from loguru import logger

from host.hooks import HookSettings
from tests.hooks.greeting import fire, hooks_with, on


def _blocks() -> int:
    """How many blocks of memory are in use."""
    gc.collect()
    return sys.getallocatedblocks()


@pytest.mark.timeout(600)
async def test_a_hundred_thousand_dispatches_leave_nothing_behind() -> None:
    hooks = hooks_with(HookSettings(observer_backlog=16))
    logger.disable("host")

    async def fails(count: int, **kwargs: Any) -> None:
        if count % 50 == 0:
            raise ValueError("now and then")

    async def hangs(count: int, **kwargs: Any) -> None:
        if count % 500 == 0:
            await asyncio.Event().wait()

    async def changes(count: int, **kwargs: Any) -> dict[str, Any]:
        return {"modified_kwargs": {"count": count + 1, "tags": [str(count)]}}

    async def observes(count: int, **kwargs: Any) -> None:
        if count % 3 == 0:
            await asyncio.sleep(0)

    hooks.register(
        "demo.plugin",
        [on(fails), on(hangs, timeout_ms=1), on(changes), on(observes, mode="observe", timeout_ms=1000)],
    )

    async def many(number: int) -> None:
        for count in range(number):
            await fire(hooks, count=count, tags=["a"])
            if count % 100 == 0:
                await asyncio.sleep(0)
        await hooks.drain()

    try:
        before_tasks = asyncio.all_tasks()
        await many(6_000)
        before = _blocks()
        await many(94_000)
        after = _blocks()
    finally:
        logger.enable("host")
    assert asyncio.all_tasks() == before_tasks
    assert after - before < 94_000 / 50
    await hooks.aclose()
    scheduled = [handle for handle in asyncio.get_running_loop()._scheduled if not handle.cancelled()]  # type: ignore[attr-defined]
    assert not any("Deadlines" in repr(handle) for handle in scheduled)
