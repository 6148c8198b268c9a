from maibot_sdk import MaiBotPlugin, WorkflowStep
from maibot_sdk.types import WorkflowContext, WorkflowResult


class P(MaiBotPlugin):
    @WorkflowStep("a", "process")
    async def a(self, context: WorkflowContext, message, **kwargs) -> WorkflowResult:
        return {"hook_result": "continue"}


def create_plugin():
    return P()
