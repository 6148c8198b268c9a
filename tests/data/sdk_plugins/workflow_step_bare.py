"""The removed decorator without parentheses."""
from maibot_sdk import MaiBotPlugin, WorkflowStep


class Plugin(MaiBotPlugin):
    @WorkflowStep
    async def step(self, **kwargs): ...


def create_plugin():
    return Plugin()
