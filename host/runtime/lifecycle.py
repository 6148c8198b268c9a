"""The life of one plugin's record: prepared, started, stopped, disposed of; each step with what undoes it."""

from loguru import logger

from host.hooks import Hooks, RegistrationError
from host.runtime.code import Housing, Isolation, PluginCode
from host.runtime.problems import PluginError
from host.runtime.scope import Scope
from host.runtime.state import Plugin, PluginState


class Lifecycle:
    """Takes records from state to state.

    Args:
        hooks: the kernel that the hook handlers go to.
        housing: where plugins' code runs.
    """

    def __init__(self, hooks: Hooks, housing: Housing) -> None:
        self._hooks = hooks
        self._housing = housing
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
        code = plugin.code = self._housing.house(plugin)
        try:
            prepared = await code.prepare()
            plugin.components = list(prepared.components)
            plugin.declarations = prepared.declarations
            self._check(plugin)
        except (PluginError, RegistrationError):
            await self.dispose(plugin, PluginState.FAILED)
            raise
        except BaseException:
            # The host is being stopped while the plugin loads.
            await self.dispose(plugin, PluginState.INACTIVE)
            raise
        return prepared.enabled

    async def start(self, plugin: Plugin) -> None:
        """Call ``on_load``, and only then let hooks reach the plugin.

        Raises:
            PluginError: ``on_load`` failed or took too long. What it had begun is undone.
        """
        registration = plugin.registration
        assert registration is not None, "a record is prepared before it is started"
        await _code(plugin).start()
        if self._hooks.table.active(plugin.id) is not registration:
            self._hooks.activate(registration)
        scope = self._scopes[plugin] = Scope(plugin.id)
        scope.effect("hook handlers", lambda: self._hooks.deactivate(registration))
        registration.lease.open()
        plugin.move_to(PluginState.ACTIVE)
        logger.info("plugin {} {} is active, hook handlers: {}", plugin.id, plugin.version, len(registration.handlers))

    async def stop(self, plugin: Plugin) -> None:
        """Let nothing reach the plugin any more, call ``on_unload``, and undo what it did since ``on_load`` began.

        Raises:
            PluginError: ``on_unload`` failed or took too long. Everything was undone all the same.
        """
        plugin.move_to(PluginState.UNLOADING)
        await self._scopes.pop(plugin).aclose()
        await _code(plugin).stop()

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
        await _code(plugin).remove()
        plugin.code, plugin.components, plugin.declarations, plugin.registration = None, [], (), None
        plugin.move_to(state)

    def _check(self, plugin: Plugin) -> None:
        plugin.registration = self._hooks.check(plugin.id, plugin.declarations, source=plugin.source)
        for warning in plugin.registration.warnings:
            logger.warning("plugin {}: {}", plugin.id, warning.text())


def _code(plugin: Plugin) -> PluginCode:
    assert plugin.code is not None, "a record is prepared before anything else is asked of it"
    return plugin.code
