"""What the bot needs of plugins besides their hook handlers."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol

from host.runtime.components import Component

PluginConfig = Callable[[str], Awaitable[Mapping[str, Any] | None]]
"""What the configuration file of a plugin says, by the plugin's id; None where it says nothing that can be used."""


class Components(Protocol):
    """The components that can be called now."""

    def of_type(self, *types: str) -> Sequence[Component]:
        """Those of some types, in upper case: those of the host's plugins first, then in order of registration."""
        ...


class NoComponents:
    """A bot without plugins."""

    def of_type(self, *types: str) -> Sequence[Component]:
        """None."""
        return ()


async def no_config(plugin_id: str) -> None:
    """The configurations of a bot whose plugins have none."""


def declaration(component: Component) -> dict[str, Any]:
    """A component as ``{"name", "type", "metadata"}``."""
    return {"name": component.name, "type": component.type, "metadata": component.metadata}
