"""A plugin's code in the process that asks for it: the host's for a bundled plugin, a runner's for all others."""

import asyncio
import inspect
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any

from loguru import logger

from host.hooks import declarations_of
from host.hooks.portable import portable
from host.hooks.workers import Workers
from host.runtime.border import attempt, attempt_lifecycle
from host.runtime.code import Configured, Isolation, Lost, Prepared
from host.runtime.config.configuration import LoadedConfig, PluginConfiguration
from host.runtime.construction import construct
from host.runtime.host_methods import HostCall, HostMethods
from host.runtime.importing import PluginPackage
from host.runtime.invoking import Called, Invoked, invoke
from host.runtime.leftovers import (
    cancel_tasks,
    cancel_timers,
    noticed_log_handlers,
    remove_log_handlers,
    report_threads,
)
from host.runtime.problems import PluginError, Step, report
from host.runtime.scope import Scope
from host.runtime.state import Plugin
from host.runtime.task_owners import TaskOwners
from maibot_sdk.context import RpcCallFn


class Inline:
    """Houses plugins in this process.

    Args:
        data_dir: where plugins keep their data: ``plugins/<id>`` in it, and ``temp/plugins/<id>`` for what may be lost.
        lifecycle_seconds: how long ``on_load`` may take, ``on_unload``, and ``on_config_update``.
        answer: carries out what plugins call on the host; None where they are not connected to one.
    """

    def __init__(self, data_dir: Path, *, lifecycle_seconds: float = 30.0, answer: HostCall | None = None) -> None:
        self._data_dir = data_dir.absolute()
        self._seconds = lifecycle_seconds
        self._answer = answer

    def isolation(self, plugin: Plugin) -> Isolation:
        """The same for all."""
        return "inline"

    def house(self, plugin: Plugin, lost: Lost) -> "InlineCode":
        """The code of one plugin, called directly. It is never lost: its process is the host's."""
        methods = None if self._answer is None else HostMethods(plugin, self._answer)
        return InlineCode(plugin, self._data_dir, self._seconds, methods)


class InlineCode:
    """The code of one plugin, called directly.

    It has two scopes: one for what came with its import, and one for what came with ``on_load``, so that a plugin that
    was stopped can be started again with the same instance.

    Args:
        plugin: its record; the instance and what it says go into it.
        data_dir: where plugins keep their data, absolute.
        seconds: how long ``on_load`` may take, ``on_unload``, and ``on_config_update``.
        rpc_call: carries the plugin's calls to the host; None where it is not connected to one.
        worker_threads: how many threads its components get that are plain functions.
    """

    def __init__(
        self,
        plugin: Plugin,
        data_dir: Path,
        seconds: float,
        rpc_call: RpcCallFn | None = None,
        *,
        worker_threads: int = 4,
    ) -> None:
        self._plugin = plugin
        self._data_dir = data_dir
        self._seconds = seconds
        self._rpc_call = rpc_call
        self._package = PluginPackage(plugin.id, plugin.path)
        self._configuration = PluginConfiguration(plugin)
        self._workers = Workers(plugin.id, worker_threads)
        self._imported = Scope(plugin.id)
        self._started = Scope(plugin.id)

    async def prepare(self) -> Prepared:
        """Import the plugin, create its instance, configure it, and collect what it declares."""
        plugin = self._plugin
        self._imported.effect("modules", self._package.remove)
        self._imported.effect("worker threads", self._workers.close)
        with self._watched(self._imported):
            construct(plugin, self._package, self._data_dir, self._load_configuration, self._rpc_call)
            declared = attempt(plugin, Step.COMPONENTS, lambda: declarations_of(plugin.instance, plugin.components))
        return Prepared(plugin.components, declared, self._config.enabled)

    async def start(self) -> None:
        """Call ``on_load``."""
        try:
            with self._watched(self._started), self._package.contained():
                await attempt_lifecycle(self._plugin, Step.ON_LOAD, self._seconds)
        except BaseException:
            await self._started.aclose()
            raise

    async def stop(self) -> None:
        """Call ``on_unload``, and undo what the plugin did since ``on_load`` began."""
        try:
            with self._package.contained():
                await attempt_lifecycle(self._plugin, Step.ON_UNLOAD, self._seconds)
        finally:
            await self._started.aclose()

    async def configure(self) -> Configured:
        """Read the configuration file again, and hand it to the instance."""
        before = self._config
        now = self._configuration.load()
        return Configured(now.enabled, before.changed_by(now))

    async def tell_configured(self) -> None:
        """Call ``on_config_update`` for the plugin's own configuration as it is now."""
        await self._tell(*self._config.update_arguments)

    async def tell(self, scope: str, config_data: Mapping[str, Any], version: str) -> None:
        """Call ``on_config_update`` for a configuration of others, if the plugin asked to be told of it."""
        if scope in self._subscriptions():
            await self._tell(scope, deepcopy(dict(config_data)), version)

    async def invoke(self, called: Called, arguments: Mapping[str, Any], due: float) -> Invoked:
        """Call a component that is no hook handler."""
        return await invoke(self._plugin.instance, called, portable(arguments, "arguments"), self._workers)

    def vitals(self) -> None:
        """It has no process of its own."""

    async def remove(self) -> None:
        """Take everything of the code out of the process."""
        await self._imported.aclose()
        self._plugin.instance = None

    @property
    def _config(self) -> LoadedConfig:
        current = self._configuration.current
        assert current is not None, "a plugin is prepared before anything else is asked of it"
        return current

    def _load_configuration(self) -> None:
        self._configuration.load()

    async def _tell(self, scope: str, config_data: dict[str, Any], version: str) -> None:
        with self._package.contained():
            await attempt_lifecycle(self._plugin, Step.ON_CONFIG_UPDATE, self._seconds, scope, config_data, version)

    def _subscriptions(self) -> frozenset[str]:
        """The scopes of configuration, beside its own, whose changes the plugin wants to be told."""
        instance: Any = self._plugin.instance
        if inspect.getattr_static(instance, "get_config_reload_subscriptions", None) is None:
            return frozenset()
        try:
            asked = attempt(self._plugin, Step.CONFIG, instance.get_config_reload_subscriptions)
        except PluginError as problem:
            logger.error("{}", report(problem))
            return frozenset()
        return frozenset(asked) if isinstance(asked, (list, tuple, set, frozenset)) else frozenset()

    @contextmanager
    def _watched(self, scope: Scope) -> Iterator[None]:
        """Run code of the plugin; what it leaves in the process is an effect on `scope`."""
        package, owner = self._package.name, self._plugin.id
        loop = asyncio.get_running_loop()
        owners = TaskOwners.over(loop)
        scope.effect("task factory", lambda: owners.release(loop))
        scope.effect("threads", lambda: report_threads(package, owner))
        with noticed_log_handlers() as handlers:
            scope.effect("log handlers", lambda: remove_log_handlers(handlers))
            scope.effect("timers", lambda: cancel_timers(package))
            scope.effect("tasks", lambda: cancel_tasks(package, owner, owners))
            yield
