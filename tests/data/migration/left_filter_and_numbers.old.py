from maibot_sdk import MaiBotPlugin, WorkflowStep
from maibot_sdk.types import ErrorPolicy


class P(MaiBotPlugin):
    @WorkflowStep("a", "process", filter=lambda message: message["platform"] == "qq", timeout_ms=3_600_000)
    async def a(self, context, message, **kwargs):
        return {"hook_result": "continue"}

    @WorkflowStep("b", "process", priority=len("abc"), error_policy=ErrorPolicy.LOG)
    async def b(self, context, message, **kwargs):
        return {"hook_result": "continue"}


def create_plugin():
    return P()
