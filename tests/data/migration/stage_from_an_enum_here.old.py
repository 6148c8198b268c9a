from enum import Enum

from maibot_sdk import MaiBotPlugin, WorkflowStep


class Stage(Enum):
    IN = "ingress"


class P(MaiBotPlugin):
    @WorkflowStep("check", Stage.IN.value)
    async def check(self, **kwargs):
        return None


def create_plugin():
    return P()
