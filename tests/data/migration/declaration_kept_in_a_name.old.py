from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    early = WorkflowStep("early", "process", priority=9)

    @early
    async def a(self, context, message, **kwargs):
        return {"hook_result": "continue"}


def create_plugin():
    return P()
