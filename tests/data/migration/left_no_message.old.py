from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep("a", "plan")
    async def a(self, context, message, **kwargs):
        message["text"] = "x"
        return {"hook_result": "continue", "modified_message": message}

    @WorkflowStep("b", "post_process")
    async def b(self, context, **kwargs):
        if kwargs.get("message"):
            return {"hook_result": "abort"}


def create_plugin():
    return P()
