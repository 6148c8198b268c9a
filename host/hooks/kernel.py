"""The kernel as one object: the specs, the table of handlers, and the call that fires a hook."""

import itertools
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from host.hooks.breaker import BreakerState
from host.hooks.chain import Chain
from host.hooks.declaration import Declaration
from host.hooks.dispatch import Dispatcher
from host.hooks.errors import UnknownHandlerError
from host.hooks.family import Source
from host.hooks.handler import Handler
from host.hooks.ordering import Ordering
from host.hooks.problems import Problem, nearest
from host.hooks.registration import Registration, Rules, check_plugin
from host.hooks.registry import HookSpecRegistry
from host.hooks.result import HookResult
from host.hooks.settings import HookSettings, Placement
from host.hooks.spec import HookSpec
from host.hooks.table import HandlerTable
from host.hooks.trace import TraceListener
from host.hooks.workers import Workers


@dataclass(frozen=True, slots=True)
class HookDescription:
    """One row of the hook table.

    Args:
        spec: the hook.
        parameters_schema: its payload as a JSON schema.
        handlers: its subscribers in dispatch order.
        placed: those that stand where they do since the owner's order says so.
        dropped: calls that an observer was too slow for, by (plugin id, handler).
        breakers: the breaker of each handler as it stands now, by (plugin id, handler).
    """

    spec: HookSpec
    parameters_schema: dict[str, Any]
    handlers: list[Handler]
    placed: frozenset[Handler]
    dropped: Mapping[tuple[str, str], int]
    breakers: Mapping[tuple[str, str], BreakerState]


class Hooks:
    """The hook kernel: register specs and handlers, fire hooks.

    Args:
        settings: the owner's ``[hooks]`` section.
        clock: what breakers take the time from, in seconds; another one than ``time.monotonic`` is of use to tests.

    Attributes:
        specs: the hooks.
        table: their subscribers.
    """

    def __init__(self, settings: HookSettings | None = None, *, clock: Callable[[], float] = monotonic) -> None:
        self.settings = settings or HookSettings()
        self._dispatcher = Dispatcher(self.settings)
        self.specs = HookSpecRegistry(self.settings)
        self.table = HandlerTable(self.specs, self._dispatcher)
        self._workers: dict[str, Workers] = {}
        self._rules = Rules(self.specs.find, self.specs.names, self.settings, itertools.count(), clock)

    def register_spec(self, spec: HookSpec) -> None:
        """Add a hook. Raises like `HookSpecRegistry.register`."""
        self.specs.register(spec)

    def check(
        self, plugin_id: str, declarations: Iterable[Declaration], *, source: Source = Source.THIRD_PARTY
    ) -> Registration:
        """Check a plugin's declarations without activating anything.

        Args:
            plugin_id: whose they are.
            declarations: its hook handlers.
            source: where the plugin lies, as the host knows it.

        Raises:
            RegistrationError: with every problem of every declaration.
        """
        workers = self._workers.get(plugin_id) or Workers(plugin_id, self.settings.worker_threads)
        registration = check_plugin(plugin_id, declarations, source, rules=self._rules, workers=workers)
        self._workers[plugin_id] = workers
        return registration

    def activate(self, registration: Registration) -> None:
        """Swap a checked plugin's handlers in, in the place of those that it had."""
        self.table.put(registration)

    def register(
        self, plugin_id: str, declarations: Iterable[Declaration], *, source: Source = Source.THIRD_PARTY
    ) -> Registration:
        """Check and activate at once. Raises like `check`; then an older version of the plugin stays as it was."""
        registration = self.check(plugin_id, declarations, source=source)
        self.activate(registration)
        return registration

    def remove(self, plugin_id: str) -> None:
        """Take all of a plugin's handlers out. A running dispatch passes over those of them whose turn has not come."""
        registration = self.table.active(plugin_id)
        if registration is not None:
            self.deactivate(registration)

    def deactivate(self, registration: Registration) -> None:
        """The same for one registration, whichever the plugin has now: those that took its place stay."""
        workers = self._workers.get(registration.plugin_id)
        if self.table.take_out(registration) and workers is not None:
            del self._workers[registration.plugin_id]
            workers.close()

    def invoke(
        self, name: str, payload: Mapping[str, Any], *, extra_handlers: Sequence[Handler] = ()
    ) -> Coroutine[Any, Any, HookResult]:
        """Fire a hook, and await what comes of it.

        Args:
            name: the hook.
            payload: its keys and values, as one mapping; it is not changed.
            extra_handlers: handlers for this call alone, from a `Registration` that was checked and not activated.

        Returns:
            To be awaited: the `HookResult`. Its ``kwargs`` are the payload to go on with.

        Raises:
            UnknownHookError: at once; there is no such hook.
            PayloadError: when awaited; the payload is not what the spec declares, or too large for a handler in another
                process (a `PayloadTooLargeError`), and no handler ran.
            ChainDepthError: when awaited; hooks fired hooks too deep.
        """
        point = self.specs.point(name)
        return point.strategy(self._dispatcher, point, payload, extra_handlers)

    def link(self, what: str) -> Chain:
        """A link in the chain of whichever dispatch it is made from, for something that is no hook and may lead to one:
        so it cannot lead back to itself for ever. What it leads to runs `inside` it.

        Args:
            what: what stands for it in the path of the chain.

        Raises:
            ChainDepthError: that chain is as deep as allowed.
        """
        return self._dispatcher.begin(what)

    def hung_calls(self) -> dict[str, int]:
        """Calls of plain functions that still run in a thread of this process, though nobody waits for them any more.

        By plugin id. Calls that hang in other processes are the matter of those who run these.
        """
        return {plugin_id: workers.hung for plugin_id, workers in self._workers.items() if workers.hung}

    def listen(self, listener: TraceListener | None) -> None:
        """Have every dispatch told to `listener`; None ends it."""
        self._dispatcher.listener = listener

    def describe(self) -> list[HookDescription]:
        """The live table, sorted by name."""
        rows = []
        for spec in self.specs:
            point = self.specs.point(spec.name)
            dropped = {
                (each.handler.plugin_id, each.handler.name): each.dropped for each in point.observers if each.dropped
            }
            handlers = point.handlers()
            placed = frozenset(filter(point.ordering.places, handlers))
            breakers = {(each.plugin_id, each.name): each.gate.breaker.state() for each in handlers}
            rows.append(HookDescription(spec, point.payload.json_schema, handlers, placed, dropped, breakers))
        return rows

    def reset_breaker(self, plugin_id: str, handler: str) -> BreakerState:
        """Close the breaker of an active handler, whatever it counted; returns it as it stands then.

        Raises:
            UnknownHandlerError: there is no such handler.
        """
        handlers = {each.name: each for each in self.table.of(plugin_id)}
        if handler not in handlers:
            raise UnknownHandlerError(plugin_id, handler, handlers)
        gate = handlers[handler].gate
        gate.reset()
        return gate.breaker.state()

    def override_order(self, hook: str, placements: Sequence[Placement]) -> None:
        """Put the owner's order of a hook's handlers in the place of the one that it has. The next dispatch follows it.

        Args:
            hook: the hook.
            placements: what runs before all other handlers of its mode, in this order; nothing restores the rule.

        Raises:
            UnknownHookError: there is no such hook.
        """
        point = self.specs.point(hook)
        point.reorder(Ordering(point.spec.family, placements))

    def unmatched_orders(self) -> list[Problem]:
        """What the owner's orders name that is not there: hooks, and handlers among those that are active now."""
        found = [
            Problem("warn_order_of_unknown_hook", {"hook": hook, **nearest(hook, self.specs.names())})
            for hook in self.settings.overrides
            if hook not in self.specs
        ]
        for spec in self.specs:
            point = self.specs.point(spec.name)
            handlers = point.handlers()
            for placement in point.ordering.unmatched(handlers):
                known = ", ".join(f"{each.plugin_id} / {each.name}" for each in handlers) or "-"
                fields = {"hook": spec.name, "placement": str(placement), "known": known}
                found.append(Problem("warn_order_unmatched", fields))
        return found

    async def drain(self) -> None:
        """Wait until every observer has ended the calls it was handed."""
        await self._dispatcher.drain()

    async def aclose(self) -> None:
        """Cancel what still runs in the background and end the threads. The kernel can be used again afterwards."""
        await self._dispatcher.aclose()
        for workers in self._workers.values():
            workers.close()
        self._workers.clear()
