from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep("a", "process")
    async def a(self, context, message, **kwargs):
        if "x" in message["processed_plain_text"]: return {"hook_result": "skip_stage"}
        if message["platform"] == "y":
            # nobody else
            return {"hook_result": "skip_stage" if message["processed_plain_text"] else "continue"}
        return {"hook_result": "continue"}


def create_plugin():
    return P()
