from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep("a", "process")
    async def a(self, context, message, **kwargs):
        bad = "buy now" in message["processed_plain_text"]
        return {"hook_result": "abort" if bad else "continue", "modified_message": None}

    @WorkflowStep("b", "process")
    async def b(self, context, message, **kwargs):
        if not message["processed_plain_text"]:
            return
        verdict = "continue"
        if message["processed_plain_text"] == "stop":
            verdict = "abort"
        changed = None
        if len(message["processed_plain_text"]) > 3:
            changed = {**message, "platform": "b"}
        return {"hook_result": verdict, "modified_message": changed}

    @WorkflowStep("c", "process")
    async def c(self, context, message, **kwargs):
        return ({"hook_result": "abort"}) if "xx" in message["processed_plain_text"] else None

    @WorkflowStep("d", "process")
    async def d(self, context, message, **kwargs):
        long = len(message["processed_plain_text"]) > 3
        return {
            "hook_result": "continue",
            "modified_message": {**message, "platform": message["platform"] + "d"} if long else None,
        }


def create_plugin():
    return P()
