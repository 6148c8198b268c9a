from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep("a", "process")
    async def a(self, context, message, **kwargs):
        result = {}
        result["hook_result"], result["modified_message"] = "continue", message
        return result

    @WorkflowStep("b", "process")
    async def b(self, context, message, **kwargs):
        result: dict = {"hook_result": "continue"}
        result["modified_message"]: dict = {**message, "platform": "b"}
        return result


def create_plugin():
    return P()
