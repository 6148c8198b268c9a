from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep("z", "process", priority=30)
    async def z(self, context, message, **kwargs):
        message["processed_plain_text"] += "z"
        return {"hook_result": "continue", "modified_message": message}

    @WorkflowStep("m", "process", priority=20)
    async def m(self, context, message, **kwargs):
        message["processed_plain_text"] += "m"
        return {"hook_result": "continue", "modified_message": message}

    @WorkflowStep("a", "process", priority=10)
    async def a(self, context, message, **kwargs):
        message["processed_plain_text"] += "a"
        return {"hook_result": "continue", "modified_message": message}


def create_plugin():
    return P()
