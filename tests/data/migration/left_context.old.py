from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep("a", "process")
    async def a(self, context, message, **kwargs):
        context.log("seen")
        return {"hook_result": "continue"}

    @WorkflowStep("b", "process")
    async def b(self, **kwargs):
        await kwargs["context"].send("seen")
        return {"hook_result": "continue"}


def create_plugin():
    return P()
