from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep("a", "process", priority=20)
    async def a(self, context, message, **kwargs):
        message["processed_plain_text"] += "a"
        return {"hook_result": "continue", "modified_message": message}

    @WorkflowStep("b", "process", priority=10)
    async def b(self, context, message, **kwargs):
        message["processed_plain_text"] += "b"
        return {"hook_result": "continue", "modified_message": message}

    @WorkflowStep("c", "process", priority=0)
    async def c(self, context, message, **kwargs):
        message["processed_plain_text"] += "c"
        return {"hook_result": "continue", "modified_message": message}

    @WorkflowStep("d", "process", priority=-10)
    async def d(self, context, message, **kwargs):
        message["processed_plain_text"] += "d"
        return {"hook_result": "continue", "modified_message": message}


def create_plugin():
    return P()
