"""Who subscribes to what, in which order."""

from collections.abc import Iterable, Sequence

from host.hooks.dispatch import Dispatcher
from host.hooks.handler import Handler
from host.hooks.notify import Observer
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
        self._owned: dict[str, tuple[Handler, ...]] = {}

    def replace(self, plugin_id: str, handlers: Sequence[Handler]) -> None:
        """Put `handlers` in the place of all that the plugin had. A running dispatch keeps what it started with."""
        old = self._owned.pop(plugin_id, ())
        for hook in {handler.hook for handler in (*old, *handlers)}:
            self._replace_on(hook, plugin_id, [handler for handler in handlers if handler.hook == hook])
        if handlers:
            self._owned[plugin_id] = tuple(handlers)

    def end(self, plugin_id: str) -> None:
        """Take all of a plugin's handlers out. A running dispatch passes over those of them whose turn has not come."""
        for handler in self._owned.get(plugin_id, ()):
            handler.lease.end()
        self.replace(plugin_id, ())

    def of(self, plugin_id: str) -> tuple[Handler, ...]:
        """The plugin's active handlers."""
        return self._owned.get(plugin_id, ())

    def _replace_on(self, hook: str, plugin_id: str, handlers: Iterable[Handler]) -> None:
        point = self._specs.point(hook)
        key = point.ordering.key
        blocking = [each for each in point.blocking if each.plugin_id != plugin_id]
        observers = [each for each in point.observers if each.handler.plugin_id != plugin_id]
        gone = [each for each in point.observers if each.handler.plugin_id == plugin_id]
        for handler in handlers:
            if handler.mode is HookMode.BLOCKING:
                blocking.append(handler)
            else:
                observers.append(Observer(handler, self._dispatcher))
        blocking.sort(key=key)
        observers.sort(key=lambda observer: key(observer.handler))
        point.blocking, point.observers = tuple(blocking), tuple(observers)
        for observer in gone:
            observer.close()
