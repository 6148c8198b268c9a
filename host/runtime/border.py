"""The border behind which code of a plugin runs while it is loaded: whatever it raises stays here, as a typed error."""

import asyncio
import inspect
from collections.abc import Callable
from typing import TypeVar

from loguru import logger

from host.runtime.problems import Step, StepFailedError, StepTimeoutError
from host.runtime.state import Plugin
from maibot_sdk import MaiBotPlugin

T = TypeVar("T")

CLEANUP_SECONDS = 1.0
"""What a cancelled life-cycle method gets to clean up, at most."""


def attempt(plugin: Plugin, step: Step, action: Callable[[], T]) -> T:
    """Run code of `plugin` and return what it returns.

    Raises:
        StepFailedError: it raised, whatever it was; ``SystemExit`` and a made-up ``CancelledError`` included.
        KeyboardInterrupt: the person at the terminal wants the host to end.
    """
    try:
        return action()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        failure = StepFailedError(plugin.id, step, plugin.path, error)
    # Raised out here it has no context, so nothing of the plugin stays alive in its problem.
    raise failure


async def attempt_lifecycle(plugin: Plugin, step: Step, seconds: float, *arguments: object) -> None:
    """Call a life-cycle method of `plugin`, sync or async, if it defines one of its own.

    Only a method that awaits can be cut off; one that blocks holds up the host, as all code in its process does.

    Args:
        plugin: has an instance.
        step: `Step.ON_LOAD`, `Step.ON_UNLOAD` or `Step.ON_CONFIG_UPDATE`.
        seconds: how long it may take.
        arguments: what it is called with.

    Raises:
        StepFailedError: it raised.
        StepTimeoutError: it did not end in time, and was cancelled.
        asyncio.CancelledError: the caller is cancelled; the method was cancelled first.
    """
    method = attempt(plugin, step, lambda: _own_method(plugin.instance, step.value))
    if method is None:
        return
    task = asyncio.create_task(_outcome(method, arguments), name=f"{plugin.id} {step.value}")
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        in_time = task.done()
        if not in_time:
            await _cancel(task, min(CLEANUP_SECONDS, seconds))
    if not in_time:
        raise StepTimeoutError(plugin.id, step, seconds)
    error = task.result()
    if error is not None:
        raise StepFailedError(plugin.id, step, plugin.path, error)


def _own_method(instance: object, name: str) -> Callable[..., object] | None:
    """The method unless it is missing or the base class's, which only raises."""
    written = inspect.getattr_static(instance, name, None)
    if written is None or written is vars(MaiBotPlugin).get(name):
        return None
    method: Callable[..., object] = getattr(instance, name)
    return method


async def _outcome(method: Callable[..., object], arguments: tuple[object, ...]) -> BaseException | None:
    """What `method` raised. Returned, since a task that raises ``SystemExit`` would end the event loop."""
    try:
        result = method(*arguments)
        if inspect.isawaitable(result):
            await result
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return error
    return None


async def _cancel(task: asyncio.Task[BaseException | None], seconds: float) -> None:
    task.cancel()
    _, pending = await asyncio.wait({task}, timeout=seconds)
    if pending:
        logger.warning("{} ignores that it was cancelled, and runs on", task.get_name())
