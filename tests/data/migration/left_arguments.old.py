from maibot_sdk import MaiBotPlugin, WorkflowStep

OPTIONS = {"name": "b", "stage": "process"}


class P(MaiBotPlugin):
    @WorkflowStep
    async def a(self, context, message, **kwargs):
        return {"hook_result": "abort"}

    @WorkflowStep(**OPTIONS)
    async def b(self, context, message, **kwargs):
        return {"hook_result": "abort"}


def create_plugin():
    return P()
