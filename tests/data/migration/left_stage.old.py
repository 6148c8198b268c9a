from maibot_sdk import MaiBotPlugin, WorkflowStep


def pick():
    return 'plan'


class P(MaiBotPlugin):
    @WorkflowStep("a", "thinking")
    async def a(self, context, message, **kwargs):
        return {"hook_result": "abort"}

    @WorkflowStep("b", pick())
    async def b(self, context, message, **kwargs):
        return {"hook_result": "abort"}

    @WorkflowStep("c")
    async def c(self, context, message, **kwargs):
        return {"hook_result": "abort"}

    @WorkflowStep(stage="process")
    async def d(self, context, message, **kwargs):
        return {"hook_result": "abort"}


def create_plugin():
    return P()
