"""Where the commands on plugins get their answers: from a host that runs, or from the folders where none does."""

from typing import Protocol

from webui_api.plugin_capabilities import CapabilityList, Decision
from webui_api.plugin_views import PluginDetails, PluginList, RemovedPlugin
from webui_api.plugins import PluginAction
from webui_api.processes import ProcessList


class NotDoneError(Exception):
    """A command could not do what it was asked for.

    Args:
        text: why, in the reader's language.
        exit_code: 1 where it is the plugin's failure, 2 where it is the use.
    """

    def __init__(self, text: str, exit_code: int) -> None:
        self.text = text
        self.exit_code = exit_code
        super().__init__(text)


class PluginSource(Protocol):
    """What is known of plugins, and what can be done with them. Every method may raise `NotDoneError`."""

    runs: bool
    """Whether a host runs; if not, all that is known is what lies in the folders."""

    def plugins(self) -> PluginList:
        """All plugins."""
        ...

    def plugin(self, plugin_id: str) -> PluginDetails:
        """One plugin."""
        ...

    def processes(self) -> ProcessList:
        """The processes of the plugins as they are now."""
        ...

    def act(self, action: PluginAction, plugin_id: str) -> PluginDetails:
        """Move one plugin to another state, and tell how it stands then."""
        ...

    def remove(self, plugin_id: str) -> RemovedPlugin:
        """Move one plugin's folder into the trash, and tell what that came to."""
        ...

    def capabilities(self, plugin_id: str) -> CapabilityList:
        """What one plugin may ask of the host."""
        ...

    def decide(self, plugin_id: str, capability: str, decision: Decision) -> CapabilityList:
        """Take a capability away from one plugin, or give it back."""
        ...

    def graph_text(self) -> str:
        """Which plugin needs which, as a tree."""
        ...

    def graph_svg(self) -> str:
        """The same as a picture."""
        ...
