"""What a host knows of the plugins in its folders: a record each, and the plan of what loads before what."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from host.runtime.config.configuration import PluginConfiguration
from host.runtime.dependencies.packages import InstalledPackages
from host.runtime.dependencies.plan import LoadPlan, plan
from host.runtime.dependencies.reasons import BlockedError, Trouble
from host.runtime.discovery import FoundPlugin, PluginRoot, discover
from host.runtime.manifests.manifest import Manifest
from host.runtime.manifests.versions import HostVersions
from host.runtime.problems import PluginError, SwitchedOffError, UnknownPluginError
from host.runtime.state import Plugin, PluginState

_UNUSABLE = frozenset({PluginState.FAILED, PluginState.INACTIVE, PluginState.BLOCKED})


class Records:
    """The records of the plugins in some folders. Iteration gives them by id, then path, in code-point order.

    Args:
        roots: where plugins lie.
        versions: the releases that the host offers to plugins.
    """

    def __init__(self, roots: tuple[PluginRoot, ...], versions: HostVersions) -> None:
        self.versions = versions
        self._roots = roots
        self._by_path: dict[Path, Plugin] = {}
        self._installed: InstalledPackages | None = None

    def __iter__(self) -> Iterator[Plugin]:
        return iter(sorted(self._by_path.values(), key=lambda plugin: (plugin.id, str(plugin.path))))

    def __getitem__(self, plugin_id: str) -> Plugin:
        """The record of this id; where several claim it, one that is not blocked.

        Raises:
            UnknownPluginError: none has it.
        """
        claiming = [plugin for plugin in self._by_path.values() if plugin.id == plugin_id]
        if not claiming:
            raise UnknownPluginError(plugin_id, [plugin.id for plugin in self])
        return min(claiming, key=lambda plugin: (plugin.state is PluginState.BLOCKED, str(plugin.path)))

    def put(self, plugin: Plugin) -> None:
        """Put a record in the place of the one that its folder had."""
        self._by_path[plugin.path] = plugin

    def look(self, again: Iterable[str] | None = None) -> None:
        """Look through the folders. New ones get a record; those of plugins that do not run a new one.

        Args:
            again: ids to look at; those of all others stay as they are. None means all.
        """
        wanted = None if again is None else set(again)
        for path, plugin in list(self._by_path.items()):
            if not plugin.runs and (wanted is None or plugin.id in wanted):
                del self._by_path[path]
        self._installed = None
        for found in discover(self._roots):
            known = self._by_path.get(found.path)
            if (known is None or not known.runs) and (wanted is None or self._is_wanted(found, wanted)):
                self.put(self._record_of(found))

    def plan(self, instead: Manifest | None = None) -> LoadPlan:
        """What loads before what, and what cannot load, as things stand.

        Args:
            instead: a manifest to reckon with in the place of the one that its plugin has.
        """
        unusable = {plugin.id: _trouble(plugin) for plugin in self if self._is_unusable(plugin)}
        manifests = {plugin.id: plugin.manifest for plugin in self if plugin.manifest is not None}
        if instead is not None:
            manifests[instead.id] = instead
        return plan(manifests.values(), self.versions, self._packages(manifests.values()), unusable=unusable)

    def renew(self, plugins: Iterable[Plugin]) -> None:
        """Give plugins that do not run a new record each, as if they had just been found."""
        for plugin in plugins:
            if not plugin.runs:
                self.put(Plugin.of(FoundPlugin(plugin.path, plugin.source, plugin.manifest)))

    def _is_wanted(self, found: FoundPlugin, wanted: set[str]) -> bool:
        return found.id in wanted or found.path.name in wanted

    def _record_of(self, found: FoundPlugin) -> Plugin:
        plugin = Plugin.of(found)
        if plugin.state is PluginState.DISCOVERED and is_switched_off(plugin):
            plugin.move_to(PluginState.INACTIVE)
        return plugin

    def _is_unusable(self, plugin: Plugin) -> bool:
        waits = plugin.state is PluginState.BLOCKED and isinstance(plugin.problem, BlockedError)
        return plugin.state in _UNUSABLE and not waits

    def _packages(self, manifests: Iterable[Manifest]) -> InstalledPackages:
        """What is installed; looked up when a plugin needs anything, which takes a while."""
        if not any(manifest.needed_packages for manifest in manifests):
            return InstalledPackages({}, frozenset())
        if self._installed is None:
            self._installed = InstalledPackages.here()
        return self._installed


def is_switched_off(plugin: Plugin) -> bool:
    """What the configuration file says of itself; a broken one is told when the plugin is loaded."""
    try:
        return not PluginConfiguration(plugin).load().enabled
    except PluginError:
        return False


def graph(load_plan: LoadPlan) -> Mapping[str, tuple[str, ...]]:
    """The ids that each plugin needs, there or not."""
    return {plugin_id: tuple(load_plan.needs(plugin_id)) for plugin_id in load_plan.manifests}


def _trouble(plugin: Plugin) -> Trouble:
    if plugin.state is not PluginState.INACTIVE and plugin.problem is not None:
        return plugin.problem
    return SwitchedOffError(plugin.id)
