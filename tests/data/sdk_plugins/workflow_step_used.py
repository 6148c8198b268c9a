"""The removed decorator."""
from maibot_sdk import MaiBotPlugin, WorkflowStep


class Plugin(MaiBotPlugin):
    @WorkflowStep("ingress", stage="ingress", priority=5)
    async def step(self, **kwargs): ...


def create_plugin():
    return Plugin()
