"""The life of one plugin's record: prepared, started, stopped, disposed of; each step with what undoes it."""

import asyncio
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from loguru import logger

from host.hooks import Hooks, RegistrationError, declarations_of
from host.runtime.border import attempt, attempt_lifecycle
from host.runtime.config.configuration import PluginConfiguration
from host.runtime.construction import construct
from host.runtime.importing import PluginPackage
from host.runtime.leftovers import (
    cancel_tasks,
    cancel_timers,
    noticed_log_handlers,
    remove_log_handlers,
    report_threads,
)
from host.runtime.problems import PluginError, Step, report
from host.runtime.scope import Scope
from host.runtime.state import Plugin, PluginState
from host.runtime.task_owners import TaskOwners


class Lifecycle:
    """Takes records from state to state.

    A record has two scopes: `prepared` for what came with its import, and `running` for what came with ``on_load``, so
    that one that was stopped can be started again with the same instance.

    Args:
        hooks: the kernel that the hook handlers go to.
        data_dir: where plugins keep their data, absolute.
        seconds: how long ``on_load`` may take, and ``on_unload``.
    """

    def __init__(self, hooks: Hooks, data_dir: Path, seconds: float) -> None:
        self._hooks = hooks
        self._data_dir = data_dir
        self._seconds = seconds
        self._packages: dict[Plugin, PluginPackage] = {}
        self._prepared: dict[Plugin, Scope] = {}
        self._running: dict[Plugin, Scope] = {}

    async def prepare(self, plugin: Plugin) -> None:
        """Import the plugin, create its instance, collect and check what it declares. Nothing of it is called yet.

        Raises:
            PluginError: its code failed, or is not what it should be.
            RegistrationError: a hook handler of it is refused.
        """
        plugin.move_to(PluginState.LOADING)
        package = self._packages[plugin] = PluginPackage(plugin.id, plugin.path)
        scope = self._prepared[plugin] = Scope(plugin.id)
        scope.effect("modules", package.remove)
        try:
            with self._watched(plugin, scope):
                construct(plugin, package, self._data_dir, lambda: _configure(plugin))
                self._check(plugin)
        except (PluginError, RegistrationError):
            await self.dispose(plugin, PluginState.FAILED)
            raise
        except BaseException:
            # The host is being stopped while the plugin loads.
            await self.dispose(plugin, PluginState.INACTIVE)
            raise

    async def start(self, plugin: Plugin) -> None:
        """Call ``on_load``, and only then let hooks reach the plugin.

        Raises:
            PluginError: ``on_load`` failed or took too long. What it had begun is undone.
        """
        assert plugin.registration is not None, "a record is prepared before it is started"
        scope = self._running[plugin] = Scope(plugin.id)
        try:
            with self._watched(plugin, scope), self._packages[plugin].contained():
                await attempt_lifecycle(plugin, Step.ON_LOAD, self._seconds)
        except BaseException:
            await self._close(plugin)
            raise
        registration = plugin.registration
        if self._hooks.table.active(plugin.id) is not registration:
            self._hooks.activate(registration)
        scope.effect("hook handlers", lambda: self._hooks.deactivate(registration))
        registration.lease.open()
        plugin.move_to(PluginState.ACTIVE)
        logger.info("plugin {} {} is active, hook handlers: {}", plugin.id, plugin.version, len(registration.handlers))

    async def stop(self, plugin: Plugin) -> None:
        """Let no hook reach the plugin any more, call ``on_unload``, and undo what it did since ``on_load`` began.

        Raises:
            PluginError: ``on_unload`` failed or took too long. Everything was undone all the same.
        """
        assert plugin.registration is not None, "only what was started is stopped"
        plugin.move_to(PluginState.UNLOADING)
        self._hooks.deactivate(plugin.registration)
        try:
            with self._packages[plugin].contained():
                await attempt_lifecycle(plugin, Step.ON_UNLOAD, self._seconds)
        finally:
            await self._close(plugin)

    async def revive(self, plugin: Plugin) -> None:
        """Start a record again that was stopped, with the instance that it has. Raises like `start`."""
        plugin.move_to(PluginState.LOADING)
        self._check(plugin)
        await self.start(plugin)

    async def dispose(self, plugin: Plugin, state: PluginState) -> None:
        """Take everything of a record out of the process.

        Args:
            plugin: prepared, and not running.
            state: what it becomes: inactive or failed.
        """
        await self._prepared.pop(plugin).aclose()
        del self._packages[plugin]
        plugin.instance, plugin.components, plugin.registration, plugin.configuration = None, [], None, None
        plugin.move_to(state)

    async def tell_configuration(self, plugin: Plugin, arguments: tuple[str, dict[str, Any], str]) -> None:
        """Call ``on_config_update``, if the plugin has one of its own.

        Raises:
            PluginError: it failed or took too long. The new configuration counts all the same.
        """
        with self._packages[plugin].contained():
            await attempt_lifecycle(plugin, Step.ON_CONFIG_UPDATE, self._seconds, *arguments)

    def holds(self, plugin: Plugin) -> bool:
        """Whether anything of the record is in the process."""
        return plugin in self._packages

    def _check(self, plugin: Plugin) -> None:
        declared = attempt(plugin, Step.COMPONENTS, lambda: declarations_of(plugin.instance, plugin.components))
        plugin.registration = self._hooks.check(plugin.id, declared, source=plugin.source)
        for warning in plugin.registration.warnings:
            logger.warning("plugin {}: {}", plugin.id, warning.text())

    @contextmanager
    def _watched(self, plugin: Plugin, scope: Scope) -> Iterator[None]:
        """Run code of the plugin; what it leaves in the process is an effect on `scope`."""
        package = self._packages[plugin].name
        loop = asyncio.get_running_loop()
        owners = TaskOwners.over(loop)
        scope.effect("task factory", lambda: owners.release(loop))
        scope.effect("threads", lambda: report_threads(package, plugin.id))
        with noticed_log_handlers() as handlers:
            scope.effect("log handlers", lambda: remove_log_handlers(handlers))
            scope.effect("timers", lambda: cancel_timers(package))
            scope.effect("tasks", lambda: cancel_tasks(package, plugin.id, owners))
            yield

    async def _close(self, plugin: Plugin) -> None:
        scope = self._running.pop(plugin, None)
        if scope is not None:
            await scope.aclose()


def subscriptions_of(plugin: Plugin) -> frozenset[str]:
    """The scopes of configuration, beside its own, whose changes a plugin wants to be told."""
    instance: Any = plugin.instance
    if inspect.getattr_static(instance, "get_config_reload_subscriptions", None) is None:
        return frozenset()
    try:
        asked = attempt(plugin, Step.CONFIG, instance.get_config_reload_subscriptions)
    except PluginError as problem:
        logger.error("{}", report(problem))
        return frozenset()
    return frozenset(asked) if isinstance(asked, (list, tuple, set, frozenset)) else frozenset()


def _configure(plugin: Plugin) -> None:
    plugin.configuration = PluginConfiguration(plugin)
    plugin.configuration.load()
