"""Who subscribes to what, in which order."""

from bisect import insort
from collections.abc import Iterable, Sequence

from host.hooks.dispatch import Dispatcher
from host.hooks.handler import Handler
from host.hooks.notify import Observer
from host.hooks.registration import Registration
from host.hooks.registry import HookSpecRegistry
from maibot_sdk.types import HookMode


class HandlerTable:
    """Per hook an immutable tuple in dispatch order. Sorting happens here, never while dispatching.

    Args:
        specs: the hooks.
        dispatcher: what observers run on.
    """

    def __init__(self, specs: HookSpecRegistry, dispatcher: Dispatcher) -> None:
        self._specs = specs
        self._dispatcher = dispatcher
        self._active: dict[str, Registration] = {}

    def put(self, registration: Registration) -> None:
        """Put a plugin's handlers in the place of all that it had. A running dispatch keeps what it started with."""
        self._replace(registration.plugin_id, registration.handlers)
        self._active[registration.plugin_id] = registration

    def take_out(self, registration: Registration) -> bool:
        """Let nobody call the handlers of `registration` any more, and take them out unless others took their place.

        A running dispatch passes over those of them whose turn has not come.

        Returns:
            Whether they were in.
        """
        registration.lease.end()
        if self._active.get(registration.plugin_id) is not registration:
            return False
        self._replace(registration.plugin_id, ())
        del self._active[registration.plugin_id]
        return True

    def active(self, plugin_id: str) -> Registration | None:
        """What a plugin has in the table."""
        return self._active.get(plugin_id)

    def of(self, plugin_id: str) -> tuple[Handler, ...]:
        """The plugin's active handlers."""
        registration = self._active.get(plugin_id)
        return registration.handlers if registration is not None else ()

    def _replace(self, plugin_id: str, handlers: Sequence[Handler]) -> None:
        old = self.of(plugin_id)
        for hook in {handler.hook for handler in (*old, *handlers)}:
            self._replace_on(hook, plugin_id, [handler for handler in handlers if handler.hook == hook])

    def _replace_on(self, hook: str, plugin_id: str, handlers: Iterable[Handler]) -> None:
        point = self._specs.point(hook)
        key = point.ordering.key
        blocking = [each for each in point.blocking if each.plugin_id != plugin_id]
        observers = [each for each in point.observers if each.handler.plugin_id != plugin_id]
        gone = [each for each in point.observers if each.handler.plugin_id == plugin_id]
        for handler in handlers:
            if handler.mode is HookMode.BLOCKING:
                insort(blocking, handler, key=key)
            else:
                insort(observers, Observer(handler, self._dispatcher), key=lambda observer: key(observer.handler))
        point.subscribe(blocking, observers)
        for observer in gone:
            observer.close()
