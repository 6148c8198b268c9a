from maibot_sdk import MaiBotPlugin
from maibot_sdk.workflow import WorkflowContext, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep(stage="process")
    async def a(self, context, message, **kwargs):
        return {"hook_result": "continue"}


def create_plugin():
    return P()
