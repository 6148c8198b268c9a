from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    async def a(self, context, message, **kwargs):
        message["platform"] = "a"
        return {"hook_result": "continue", "modified_message": message}

    a = WorkflowStep("checked", "process")(a)


def create_plugin():
    return P()
