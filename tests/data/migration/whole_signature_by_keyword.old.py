from maibot_sdk import MaiBotPlugin, WorkflowStep
from maibot_sdk.types import ErrorPolicy


class P(MaiBotPlugin):
    @WorkflowStep(
        name="filter",
        stage="ingress",
        description="drops advertisements",
        priority=10,
        timeout_ms=3000,
        blocking=True,
        error_policy=ErrorPolicy.LOG,
        filter=None,
        author="me",
    )
    async def check(self, context, message, **kwargs):
        if "buy now" in message["processed_plain_text"]:
            return {"hook_result": "abort"}
        return {"hook_result": "continue", "modified_message": message}


def create_plugin():
    return P()
