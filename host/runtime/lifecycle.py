"""The life of one plugin's record: prepared, started, stopped, disposed of; each step with what undoes it."""

import asyncio
from dataclasses import replace

from loguru import logger

from host.hooks import Hooks, RegistrationError
from host.runtime.code import Housing, Isolation, Lost, PluginCode
from host.runtime.components import Components
from host.runtime.problems import PluginError
from host.runtime.scope import Scope
from host.runtime.state import Plugin, PluginState
from maibot_sdk.types import ErrorPolicy, HookMode


class Lifecycle:
    """Takes records from state to state.

    Args:
        hooks: the kernel that the hook handlers go to.
        components: where all other components go.
        housing: where plugins' code runs.
        lost: is called when the process of an active plugin ended though nobody asked for it.
    """

    def __init__(self, hooks: Hooks, components: Components, housing: Housing, lost: Lost) -> None:
        self._hooks = hooks
        self._components = components
        self._housing = housing
        self._lost = lost
        self._scopes: dict[Plugin, Scope] = {}

    def isolation(self, plugin: Plugin) -> Isolation:
        """Where the plugin's code runs, or will."""
        return self._housing.isolation(plugin)

    async def prepare(self, plugin: Plugin) -> bool:
        """Import the plugin, create its instance, collect and check what it declares. Nothing of it is called yet.

        Returns:
            Whether its configuration has it switched on.

        Raises:
            PluginError: its code failed, or is not what it should be.
            RegistrationError: a hook handler of it is refused.
        """
        plugin.move_to(PluginState.LOADING)
        try:
            return await self._prepare(plugin)
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
        registration = plugin.registration
        assert registration is not None, "a record is prepared before it is started"
        plugin.asked = Scope(plugin.id)
        await _code(plugin).start()
        if self._hooks.table.active(plugin.id) is not registration:
            self._hooks.activate(registration)
        if plugin not in self._scopes:  # One that went down has it still.
            scope = self._scopes[plugin] = Scope(plugin.id)
            scope.effect("hook handlers", lambda: self._take_out(plugin))
            scope.effect("components", lambda: self._components.remove(plugin))
        self._components.add(plugin)
        registration.lease.open()
        plugin.move_to(PluginState.ACTIVE)
        logger.info("plugin {} {} is active, hook handlers: {}", plugin.id, plugin.version, len(registration.handlers))

    async def stop(self, plugin: Plugin) -> None:
        """Let nothing reach the plugin any more, call ``on_unload``, and undo what it did since ``on_load`` began.

        One whose process is down has nothing left to be called.

        Raises:
            PluginError: ``on_unload`` failed or took too long. Everything was undone all the same.
        """
        plugin.move_to(PluginState.UNLOADING)
        await self._scopes.pop(plugin).aclose()
        await _undo_asked(plugin)
        if plugin.code is not None:
            await plugin.code.stop()

    async def go_down(self, plugin: Plugin, reason: str) -> None:
        """The process of an active plugin ended: calls of its handlers fail at once, until it is started again.

        Args:
            plugin: its record.
            reason: why, as their failures say it.
        """
        plugin.move_to(PluginState.LOADING)
        assert plugin.registration is not None, "it is active"
        plugin.registration.lease.down(reason)
        self._components.remove(plugin)
        await self._leave(plugin)

    async def restart(self, plugin: Plugin) -> bool:
        """Make a process again for a plugin that went down, and start it there.

        Returns:
            Whether its configuration still has it switched on; if not, it was not started.

        Raises:
            PluginError: its code failed; it is as before.
            RegistrationError: a hook handler of it is refused; likewise.
        """
        before = plugin.registration
        assert before is not None, "it was active"
        try:
            if not await self._prepare(plugin):
                plugin.registration = before
                return False
            now = plugin.registration
            assert now is not None, "it was prepared"
            now.lease.suspend()
            self._hooks.activate(now)
            await self.start(plugin)
        except BaseException:
            if plugin.registration is not before and plugin.registration is not None:
                self._hooks.deactivate(plugin.registration)
                self._hooks.activate(before)
                plugin.registration = before
            await self._leave(plugin)
            raise
        return True

    async def fail(self, plugin: Plugin, reason: str) -> None:
        """Give a plugin up that went down.

        Its guards, the handlers that end a dispatch where they fail, stay in the table and fail: that nobody watches
        must not mean that everything is allowed.

        Args:
            plugin: its record.
            reason: why, as the failures of its guards say it.
        """
        registration, plugin.registration = plugin.registration, None
        assert registration is not None, "it was active"
        await self._scopes.pop(plugin).aclose()
        registration.lease.down(reason)
        guards = tuple(
            each
            for each in registration.handlers
            if each.policy is ErrorPolicy.ABORT and each.mode is HookMode.BLOCKING
        )
        self._hooks.activate(replace(registration, handlers=guards))
        await self.dispose(plugin, PluginState.FAILED)

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
        try:
            await self._leave(plugin)
        finally:
            plugin.components, plugin.declarations, plugin.registration = [], (), None
            plugin.move_to(state)

    async def _prepare(self, plugin: Plugin) -> bool:
        code = plugin.code = self._housing.house(plugin, self._lost)
        prepared = await code.prepare()
        plugin.components, plugin.declarations = list(prepared.components), prepared.declarations
        self._check(plugin)
        return prepared.enabled

    async def _leave(self, plugin: Plugin) -> None:
        await _undo_asked(plugin)
        code, plugin.code = plugin.code, None
        if code is None:
            return
        removing = asyncio.create_task(code.remove(), name=f"removal of {plugin.id}")
        try:
            await asyncio.shield(removing)
        except asyncio.CancelledError:
            # Half of a plugin would be left. It does not take long.
            await asyncio.wait({removing})
            raise

    def _take_out(self, plugin: Plugin) -> None:
        if plugin.registration is not None:
            self._hooks.deactivate(plugin.registration)

    def _check(self, plugin: Plugin) -> None:
        plugin.registration = self._hooks.check(plugin.id, plugin.declarations, source=plugin.source)
        for warning in plugin.registration.warnings:
            logger.warning("plugin {}: {}", plugin.id, warning.text())


async def _undo_asked(plugin: Plugin) -> None:
    asked, plugin.asked = plugin.asked, None
    if asked is not None:
        await asked.aclose()


def _code(plugin: Plugin) -> PluginCode:
    assert plugin.code is not None, "a record is prepared before anything else is asked of it"
    return plugin.code
