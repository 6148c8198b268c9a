"""Whether a plugin gets a process of its own."""

from collections.abc import Mapping

from host.hooks import Source
from host.runtime.code import Housing, Isolation, Lost, PluginCode
from host.runtime.state import Plugin


def isolation_of(plugin: Plugin, third_party: Isolation, chosen: Mapping[str, Isolation]) -> Isolation:
    """Where the code of a plugin is to run: what is said about it alone, else bundled ones inline.

    Args:
        plugin: its record.
        third_party: where third-party plugins run by default.
        chosen: what the owner says about single plugins, by id.
    """
    default: Isolation = "inline" if plugin.source is Source.BUILTIN else third_party
    return chosen.get(plugin.id, default)


class Chosen:
    """Houses each plugin where its owner wants it: third-party ones apart by default, bundled ones inline.

    Args:
        inline: for those in the host's process.
        apart: for those in a process of their own.
        third_party: where third-party plugins run by default.
        chosen: what the owner says about single plugins, by id.
    """

    def __init__(
        self, inline: Housing, apart: Housing, third_party: Isolation = "process", chosen: Mapping[str, Isolation] = {}
    ) -> None:
        self._inline = inline
        self._apart = apart
        self._third_party = third_party
        self._chosen = chosen

    def isolation(self, plugin: Plugin) -> Isolation:
        """Where the code of a plugin is to run."""
        return isolation_of(plugin, self._third_party, self._chosen)

    def house(self, plugin: Plugin, lost: Lost) -> PluginCode:
        """The code of a plugin, not prepared yet."""
        housing = self._inline if self.isolation(plugin) == "inline" else self._apart
        return housing.house(plugin, lost)
