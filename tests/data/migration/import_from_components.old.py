from maibot_sdk import MaiBotPlugin
from maibot_sdk.components import WorkflowStep as Step


class P(MaiBotPlugin):
    @Step(stage="process", blocking=True)
    async def a(self, context, message, **kwargs):
        return {"hook_result": "continue"}


def create_plugin():
    return P()
