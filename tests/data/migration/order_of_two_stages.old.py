from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep("second", "pre_process", priority=10)
    async def second(self, context, message, **kwargs):
        message["processed_plain_text"] += "second"
        return {"hook_result": "continue", "modified_message": message}

    @WorkflowStep("first", "ingress", priority=0)
    async def first(self, context, message, **kwargs):
        message["processed_plain_text"] += "first"
        return {"hook_result": "continue", "modified_message": message}


def create_plugin():
    return P()
