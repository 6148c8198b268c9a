from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep("a", "plan")
    async def a(self, context, message, **kwargs):
        return {"hook_result": "continue"}

    @WorkflowStep("b", "process")
    async def b(self, _context, _message, **_):
        return None

    @WorkflowStep("c", "process")
    async def c(self, *, context, message):
        return {"hook_result": "continue"}

    @WorkflowStep("d", "process")
    async def d(self, context, message, /):
        message["platform"] = "d"
        return {"hook_result": "continue", "modified_message": message}


def create_plugin():
    return P()
