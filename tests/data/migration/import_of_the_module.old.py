import maibot_sdk as sdk
from maibot_sdk import MaiBotPlugin


class P(MaiBotPlugin):
    @sdk.WorkflowStep(stage="process", priority=2)
    async def a(self, context, message, **kwargs):
        return {"hook_result": "continue"}


def create_plugin():
    return P()
