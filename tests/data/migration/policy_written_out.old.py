from maibot_sdk import MaiBotPlugin, WorkflowStep
from maibot_sdk.types import ErrorPolicy


class P(MaiBotPlugin):
    @WorkflowStep("a", "process", error_policy=ErrorPolicy.ABORT)
    async def a(self, message, **kwargs):
        if "boom" in message["processed_plain_text"]:
            raise ValueError("boom")

    @WorkflowStep("b", "plan", error_policy=ErrorPolicy.ABORT)
    async def b(self, **kwargs):
        return None

    @WorkflowStep("c", "post_process", error_policy="log")
    async def c(self, **kwargs):
        return None


def create_plugin():
    return P()
