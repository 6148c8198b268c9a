"""Events: what happens to the bot and on a message's way, told to the `@EventHandler` components of plugins.

They are the older and plainer way beside the hooks, and much in use.
"""

import asyncio
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from loguru import logger

from host.bot.components import Components, NoComponents
from host.bot.hook_site import Stop
from host.bot.message import Clock, SessionMessage
from host.bot.reading import InvalidMessageError
from host.hooks import Chain, Failure, Hooks, Source, inside
from host.hooks.breaker import Breaker
from host.runtime.components import Component, ComponentGoneError, ComponentTimeoutError
from maibot_sdk.types import EventType

_EVENT_MS = 30_000
"""How long a handler may take, whatever it declares."""
_MOST_RUNNING = 32
"""So many calls of one handler are under way in the background; what comes meanwhile it is not told."""
_STOP_SECONDS = 10.0
"""How long all handlers of the end may take together, and what is still under way then."""


@dataclass(eq=False, slots=True)
class _Handler:
    """A handler as it is declared, and how it fares.

    Args:
        component: what is called.
        event: what it is told.
        weight: the greatest comes first.
        intercepts: whether it is waited for.
        breaker: keeps it from being called where it keeps failing.
        running: its calls in the background.
        missed: events that it was not told since too many calls were running.
    """

    component: Component
    event: str
    weight: float
    intercepts: bool
    breaker: Breaker
    running: int = 0
    missed: int = 0


@dataclass(frozen=True, slots=True)
class _Reply:
    """What an intercepting handler's return means.

    Args:
        stops: the message's way ends here.
        message: what the next ones get in its place; None leaves it.
    """

    stops: bool = False
    message: Mapping[str, Any] | None = None

    @classmethod
    def of(cls, returned: object) -> "_Reply":
        """Read a return: a dict has ``blocked``, else ``continue_processing``, and ``modified_message``.

        Everything else lets the message go on as it is.
        """
        if not isinstance(returned, Mapping):
            return cls()
        stops = returned["blocked"] if "blocked" in returned else not returned.get("continue_processing", True)
        changed = returned.get("modified_message")
        return cls(bool(stops), changed if isinstance(changed, Mapping) and changed else None)


class Events:
    """Tells events to their handlers.

    Those of bundled plugins come before all others, and of each group those first that intercept: one after another, by
    weight, the greatest first, each with the message as the one before left it. One that stops the message ends the
    event: nobody else is told. The others run in the background; what they return is not read. A handler that fails
    lets the message go on; one that keeps failing is skipped for a while, by the rules of hook handlers.

    An event is a link in the chain of the dispatch that it happens in, so that a handler of `EventType.POST_SEND` that
    sends is not told of it for ever.

    Args:
        hooks: the kernel.
        components: where handlers are found.
        clock: what time it is, in seconds since 1970.
    """

    def __init__(self, hooks: Hooks, components: Components | None = None, *, clock: Clock = time.time) -> None:
        self._hooks = hooks
        self._components = components or NoComponents()
        self._clock = clock
        self._handlers: dict[Component, _Handler] = {}
        self._groups: dict[str, list[list[_Handler]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def announce(self, event: EventType) -> None:
        """Tell an event that no message belongs to.

        Raises:
            ChainDepthError: hooks and events led to one another too deep.
        """
        await self._emit(event.value, None)

    async def tell(self, event: EventType, message: SessionMessage) -> tuple[SessionMessage, Stop | None]:
        """Tell an event that happens to a message.

        Returns:
            The message as the intercepting handlers left it (as it was, where what came back is unusable), and the one
            that stopped it, or None.

        Raises:
            ChainDepthError: as for `announce`.
        """
        changed, stop = await self._emit(event.value, message)
        return changed or message, stop

    async def aclose(self) -> None:
        """Announce the end, and give what is under way a moment to end."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_STOP_SECONDS):
                await self.announce(EventType.ON_STOP)
                while self._tasks:
                    await asyncio.wait(self._tasks)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _emit(self, event: str, message: SessionMessage | None) -> tuple[SessionMessage | None, Stop | None]:
        for handlers in self._told(event):
            for handler in handlers:
                if not handler.intercepts:
                    continue
                reply = _Reply.of(await self._call(handler, event, message, self._hooks.link(event)))
                message = self._changed(message, reply, handler)
                if reply.stops:
                    return message, Stop(event, handler.component.plugin_id, handler.component.name)
            for handler in handlers:
                if not handler.intercepts:
                    self._start(handler, event, message)
        return message, None

    def _told(self, event: str) -> list[list[_Handler]]:
        """The handlers of an event in order: those of bundled plugins, and the others."""
        components = self._components.of_type("EVENT_HANDLER")
        if [*self._handlers] != components:
            known = self._handlers
            self._handlers = {each: known.get(each) or self._handler(each) for each in components}
            self._groups = {}
            for handler in sorted(self._handlers.values(), key=lambda each: -each.weight):
                groups = self._groups.setdefault(handler.event, [[], []])
                groups[handler.component.plugin.source is not Source.BUILTIN].append(handler)
        return self._groups.get(event, [])

    def _handler(self, component: Component) -> _Handler:
        declared = component.metadata.get("event_type")
        weight = component.metadata.get("weight")
        return _Handler(
            component,
            str(getattr(declared, "value", declared)).lower(),
            weight if isinstance(weight, int | float) else 0,
            bool(component.metadata.get("intercept_message")),
            Breaker(self._hooks.settings.breaker),
        )

    def _changed(self, message: SessionMessage | None, reply: _Reply, handler: _Handler) -> SessionMessage | None:
        if message is None or reply.message is None:
            return message
        try:
            changed = SessionMessage.from_dict(reply.message, clock=self._clock)
        except InvalidMessageError as error:
            logger.warning("The message that came back from {} is ignored: {}", handler.component.full_name, error)
            return message
        return changed if changed.session_id else replace(changed, session_id=message.session_id)

    def _start(self, handler: _Handler, event: str, message: SessionMessage | None) -> None:
        if handler.running >= _MOST_RUNNING:
            handler.missed += 1
            if handler.missed.bit_count() == 1:  # Told ever more seldom.
                logger.warning("{} is too slow: it missed {} events", handler.component.full_name, handler.missed)
            return
        handler.running += 1
        link = self._hooks.link(event)
        task = asyncio.create_task(self._run(handler, event, message, link), name=f"event {event}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, handler: _Handler, event: str, message: SessionMessage | None, link: Chain) -> None:
        try:
            await self._call(handler, event, message, link)
        finally:
            handler.running -= 1

    async def _call(self, handler: _Handler, event: str, message: SessionMessage | None, link: Chain) -> object:
        """Call a handler; what it returned, or None where it failed or is skipped."""
        if handler.breaker.refuse() is not None:
            return None
        arguments = {"event_type": event, "message": message.to_dict() if message else None}
        probe = handler.breaker.admit()
        returned: object = None
        try:
            with inside(link):
                invoked = await handler.component.invoke(arguments, timeout_ms=_EVENT_MS)
            returned = invoked.result if invoked.success else None
            failure = None if invoked.success else Failure("exception", str(invoked.result), invoked.traceback)
        except ComponentTimeoutError as late:
            failure = Failure("timeout", str(late))
        except ComponentGoneError as gone:
            failure = Failure("unavailable", str(gone), charged=False)
        except BaseException:
            handler.breaker.give_up(probe)
            raise
        if failure is not None:
            logger.error("{} failed at {}: {}\n{}", handler.component.full_name, event, failure.text, failure.traceback)
        if handler.breaker.record(failure, probe):
            state = handler.breaker.state()
            logger.warning(
                "The breaker of {} is {}: {}", handler.component.full_name, state.position.value, state.reason
            )
        return returned
