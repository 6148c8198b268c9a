from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep("d", "process", priority=4)
    async def d(self, context, message, **kwargs):
        message["processed_plain_text"] += "d"
        return {"hook_result": "continue", "modified_message": message}

    @WorkflowStep("c", "process", priority=3)
    async def c(self, context, message, **kwargs):
        message["processed_plain_text"] += "c"
        return {"hook_result": "continue", "modified_message": message}

    @WorkflowStep("b", "process", priority=2)
    async def b(self, context, message, **kwargs):
        message["processed_plain_text"] += "b"
        return {"hook_result": "continue", "modified_message": message}

    @WorkflowStep("a", "process", priority=1)
    async def a(self, context, message, **kwargs):
        message["processed_plain_text"] += "a"
        return {"hook_result": "continue", "modified_message": message}


def create_plugin():
    return P()
