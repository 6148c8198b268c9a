from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep("z", "ingress")
    async def z(self, message, **kwargs):
        message["processed_plain_text"] += "z"
        return {"hook_result": "continue", "modified_message": message}

    @WorkflowStep("a", "pre_process")
    async def a(self, message, **kwargs):
        message["processed_plain_text"] += "a"
        return {"hook_result": "continue", "modified_message": message}


def create_plugin():
    return P()
