"""Lifts metadata["metadata"], as was needed with older versions."""
from maibot_sdk import Command, MaiBotPlugin, Tool


class Plugin(MaiBotPlugin):
    @Command("c", permission="admin", metadata={"nested": 1})
    async def c(self, **kwargs): ...

    @Tool("t", visibility="visible", core_tool=True)
    async def t(self, **kwargs): ...

    def get_components(self):
        components = super().get_components()
        for component in components:
            nested = component.get("metadata", {}).pop("metadata", None)
            if isinstance(nested, dict):
                component["metadata"].update(nested)
        return components


def create_plugin():
    return Plugin()
