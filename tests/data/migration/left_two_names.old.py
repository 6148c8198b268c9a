from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    async def a(self, context, message, **kwargs):
        return {"hook_result": "continue"}

    checked = WorkflowStep("checked", "process")(a)


def create_plugin():
    return P()
