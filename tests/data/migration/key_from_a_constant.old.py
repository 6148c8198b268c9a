from maibot_sdk import MaiBotPlugin, WorkflowStep

KEY = "hook_" "result"
STOP = "abort"


class P(MaiBotPlugin):
    @WorkflowStep("a", "process")
    async def a(self, context, message, **kwargs):
        if "x" in message["processed_plain_text"]:
            return {KEY: STOP}
        return {KEY: "continue"}


def create_plugin():
    return P()
