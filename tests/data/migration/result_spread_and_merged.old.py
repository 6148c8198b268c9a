from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep("a", "process")
    async def a(self, context, message, **kwargs):
        base = {"hook_result": "continue", "reason": "fine"}
        message["platform"] = "a"
        return {**base, "modified_message": message}

    @WorkflowStep("b", "process")
    async def b(self, context, message, **kwargs):
        return {"hook_result": "continue"} | {"reason": "fine"}


def create_plugin():
    return P()
