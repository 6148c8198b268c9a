import os

from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep(stage="process", blocking=bool(os.environ.get("WAIT")))
    async def watch(self, **kwargs):
        return None


def create_plugin():
    return P()
