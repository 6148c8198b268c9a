"""The plugins in the folders of a host that does not run: what their manifests and configuration files say."""

from host.app import plugin_roots
from host.capabilities import REVOCATIONS_FILE, Revocations, RevocationsFileError, standing
from host.cli.plugin_source import NotDoneError
from host.cli.texts import CLI_TEXTS
from host.hooks.texts import Locale
from host.runtime import Plugin, PluginError, PluginState, UnknownPluginError, isolation_of
from host.runtime.config.configuration import PluginConfiguration
from host.runtime.config.problems import ConfigError
from host.runtime.dependencies.drawing import graph_svg, graph_text
from host.runtime.dependencies.plan import LoadPlan
from host.runtime.records import Records, graph
from host.runtime.removal import move_to_trash, removable
from host.settings import Settings
from webui_api.plugin_capabilities import CapabilityList, CapabilityView, Decision
from webui_api.plugin_views import PluginDetails, PluginList, PluginView, RemovedPlugin
from webui_api.plugins import PluginAction
from webui_api.processes import ProcessList
from webui_api.texts import WEB_TEXTS


class FoundPlugins:
    """A `PluginSource` over the folders. No code of a plugin is run.

    Args:
        settings: where the folders are.
        locale: of the answers.
    """

    runs = False

    def __init__(self, settings: Settings, locale: Locale) -> None:
        self._settings = settings
        self._locale = locale

    def plugins(self) -> PluginList:
        """All plugins."""
        records, _ = self._look()
        return PluginList(plugins=[PluginView.of(plugin, self._locale) for plugin in records])

    def plugin(self, plugin_id: str) -> PluginDetails:
        """One plugin."""
        records, plan = self._look()
        plugin = self._find(plugin_id, records)
        rules = self._settings.plugins
        isolation = isolation_of(plugin, rules.isolation, rules.isolations())
        return PluginDetails.among(plugin, list(records), graph(plan), isolation, self._locale)

    def processes(self) -> ProcessList:
        """There are none where no host runs."""
        raise NotDoneError(CLI_TEXTS.render("no_host_to_watch", {"path": self._settings.data_dir}, self._locale), 2)

    def act(self, action: PluginAction, plugin_id: str) -> PluginDetails:
        """Switch one plugin on or off in its configuration file. All else takes a host that runs."""
        records, _ = self._look()
        plugin = self._find(plugin_id, records)
        if action not in (PluginAction.ENABLE, PluginAction.DISABLE):
            fields = {"path": self._settings.data_dir}
            raise NotDoneError(CLI_TEXTS.render("no_host_to_reload", fields, self._locale), 2)
        try:
            PluginConfiguration(plugin).set_enabled(action is PluginAction.ENABLE)
        except ConfigError as problem:
            raise NotDoneError(problem.text(self._locale), 1) from problem
        return self.plugin(plugin_id)

    def remove(self, plugin_id: str) -> RemovedPlugin:
        """Move one plugin's folder into the trash."""
        records, _ = self._look()
        try:
            removed = move_to_trash(removable(records, plugin_id), self._settings.data_dir.absolute())
        except PluginError as problem:
            exit_code = 2 if isinstance(problem, UnknownPluginError) else 1
            raise NotDoneError(problem.text(self._locale), exit_code) from problem
        return RemovedPlugin.of(removed)

    def capabilities(self, plugin_id: str) -> CapabilityList:
        """What one plugin may ask of a host."""
        records, _ = self._look()
        plugin = self._find(plugin_id, records)
        views = [CapabilityView.of(each, None) for each in standing(plugin, self._revocations())]
        return CapabilityList(plugin=plugin.id, capabilities=views)

    def decide(self, plugin_id: str, capability: str, decision: Decision) -> CapabilityList:
        """Take a capability away from one plugin, or give it back."""
        known = [each.name for each in self.capabilities(plugin_id).capabilities]
        if capability not in known:
            fields = {"plugin_id": plugin_id, "capability": capability, "known": ", ".join(known) or "-"}
            raise NotDoneError(WEB_TEXTS.render("capability_not_listed", fields, self._locale), 2)
        revocations = self._revocations()
        change = revocations.revoke if decision is Decision.REVOKE else revocations.grant
        try:
            change(plugin_id, capability)
        except RevocationsFileError as error:
            raise NotDoneError(error.text(self._locale), 1) from error
        return self.capabilities(plugin_id)

    def _revocations(self) -> Revocations:
        revocations = Revocations(self._settings.data_dir / REVOCATIONS_FILE)
        try:
            revocations.read()
        except RevocationsFileError as error:
            raise NotDoneError(error.text(self._locale), 1) from error
        return revocations

    def graph_text(self) -> str:
        """Which plugin needs which, as a tree."""
        _, plan = self._look()
        return graph_text(plan, self._locale)

    def graph_svg(self) -> str:
        """The same as a picture."""
        _, plan = self._look()
        return graph_svg(plan, self._locale)

    def _look(self) -> tuple[Records, LoadPlan]:
        """What lies in the folders now: each plugin found, inactive, or blocked."""
        records = Records(tuple(plugin_roots(self._settings)), self._settings.plugins.versions())
        records.look()
        plan = records.plan()
        for plugin in records:
            if plugin.state is PluginState.DISCOVERED and plugin.id in plan.blocked:
                plugin.move_to(PluginState.BLOCKED)
                plugin.problem = plan.blocked[plugin.id]
        return records, plan

    def _find(self, plugin_id: str, records: Records) -> Plugin:
        try:
            return records[plugin_id]
        except UnknownPluginError as problem:
            raise NotDoneError(problem.text(self._locale), 2) from problem
