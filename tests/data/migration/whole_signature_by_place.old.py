from maibot_sdk import MaiBotPlugin, WorkflowStep
from maibot_sdk.types import ErrorPolicy, HookMode


class P(MaiBotPlugin):
    @WorkflowStep("filter", "egress", "adds a mark", -3, 2000, True, ErrorPolicy.SKIP, None)
    async def mark(self, context, message, **kwargs):
        message["processed_plain_text"] += "!"
        return {"hook_result": "continue", "modified_message": message}


def create_plugin():
    return P()
