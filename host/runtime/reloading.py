"""Taking over a new version of a plugin that runs: prepared beside the old one, and swapped."""

from loguru import logger

from host.hooks import Hooks, RegistrationError
from host.runtime.dependencies.reasons import Trouble
from host.runtime.discovery import look
from host.runtime.lifecycle import Lifecycle
from host.runtime.problems import GoneError, PluginError, report, without_frames
from host.runtime.records import Records
from host.runtime.running import Running
from host.runtime.state import Plugin, PluginState


class Reloading:
    """Reloads plugins.

    Args:
        hooks: the kernel.
        records: what the host knows of its plugins.
        lifecycle: takes single records from state to state.
        running: the plugins that run.
    """

    def __init__(self, hooks: Hooks, records: Records, lifecycle: Lifecycle, running: Running) -> None:
        self._hooks = hooks
        self._records = records
        self._lifecycle = lifecycle
        self._running = running

    async def reload(self, old: Plugin) -> Plugin:
        """Take over what changed in the folder of an active plugin, as `Plugins.reload` tells.

        Returns:
            The record that serves now.
        """
        found = look(old.path, old.source)
        if found is None or found.manifest is None or found.problem is not None or found.id != old.id:
            problem = found.problem if found is not None else None
            return _keep(old, problem or GoneError(old.id, old.path))
        blocked = self._records.plan(instead=found.manifest).blocked.get(old.id)
        if blocked is not None:
            return _keep(old, blocked)
        new = Plugin.of(found)
        try:
            await self._lifecycle.prepare(new)
        except (PluginError, RegistrationError) as problem:
            return _keep(old, problem)
        dependents = self._running.dependents(old)
        try:
            for each in dependents:
                await self._running.unload(each)
            await self._swap(old, new)
        except BaseException:
            # The host is being stopped meanwhile.
            if new.state is PluginState.LOADING:
                await self._running.abandon(new)
            raise
        finally:
            self._records.renew(dependents)
        await self._running.settle()
        return self._records[old.id]

    async def _swap(self, old: Plugin, new: Plugin) -> None:
        """Stop the old version, start the new one; where that fails, start the old one again."""
        assert new.registration is not None
        new.registration.lease.suspend()
        self._hooks.activate(new.registration)
        try:
            await self._running.stop(old)
            try:
                await self._lifecycle.start(new)
            except PluginError as problem:
                self._hooks.deactivate(new.registration)
                await self._lifecycle.dispose(new, PluginState.FAILED)
                await self._revive(old, problem)
                return
        except BaseException:
            # The host is being stopped meanwhile.
            await self._running.abandon(old)
            raise
        self._running.replace(old, new)
        await self._lifecycle.dispose(old, PluginState.INACTIVE)

    async def _revive(self, old: Plugin, problem: PluginError) -> None:
        """Start a version again that had to make way for one that then did not come up."""
        try:
            await self._lifecycle.revive(old)
        except (PluginError, RegistrationError) as worse:
            self._running.remove(old)
            await self._lifecycle.dispose(old, PluginState.FAILED)
            self._running.fail(old, worse)
        _keep(old, problem)


def _keep(old: Plugin, problem: Trouble) -> Plugin:
    """Say why a new version is not taken."""
    old.reload_problem = without_frames(problem)
    logger.error("plugin {} was not reloaded: {}", old.id, report(problem))
    return old
